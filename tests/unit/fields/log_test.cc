#include "fields/log_layout.h"
#include "fields/log_learn.h"
#include "fields/log_level.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const FormatSpec kLog{.format = &LineFormat::log};
const FormatSpec kByName{.names_fields = true};

// The layout that is learned of lines.
std::string learned(const std::vector<std::string> &texts) {
  std::vector<std::string> padded;
  for (const std::string &text : texts) padded.push_back(text + std::string(kPadding, '\0'));
  std::vector<Bytes> lines;
  for (size_t i = 0; i < texts.size(); ++i)
    lines.push_back(Bytes(padded[i]).substr(0, texts[i].size()));
  const std::optional<LearnedLog> log = learn_log(lines);
  if (log) {
    EXPECT_EQ(log->fitting, std::ssize(lines)) << texts[0];
  }
  return log ? log->layout : "";
}

struct Case {
  std::string layout;
  std::vector<std::string> lines;
};

// As many programs write them.
const std::vector<Case> kLogs = {
    {"[{level}] [{time}] [{thread}] [{logger}] {message}",
     {"[INFO] [11/07/2022 10:29:00.000] [main-dispatcher-1] [akka://x/core] Starting up",
      "[WARN] [11/07/2022 10:29:04.037] [main-dispatcher-1] [akka://x/db] Connection to 10.0.0.1 "
      "lost",
      "[ERROR] [11/07/2022 10:29:08.074] [main-dispatcher-1] [akka://x/web] took 5 ms for request "
      "id=7"}},
    {"[{time}] [{logger}:{level}] [pid {pid}:tid {thread}] {message}",
     {"[Fri Sep 09 10:42:00.000000 2011] [core:info] [pid 1000:tid 432861000] [client "
      "72.15.99.187] Starting up",
      "[Fri Sep 09 10:42:04.037123 2011] [db:warn] [pid 1007:tid 432861007] [client 72.15.99.187] "
      "Connection to 10.0.0.1 lost",
      "[Fri Sep 09 10:42:08.074246 2011] [web:error] [pid 1014:tid 432861014] [client "
      "72.15.99.187] took 5 ms for request id=7"}},
    {"[{time}] {level}[{pid}] {message}",
     {"[2022-11-07 10:29:00] INFO[1000]: chan_sip.c:7 handle: Starting up",
      "[2022-11-07 10:29:04] WARN[1007][C-00008]: chan_sip.c:8 handle: Connection to 10.0.0.1 lost",
      "[2022-11-07 10:29:08] ERROR[1014][C-00009]: chan_sip.c:9 handle: took 5 ms for request "
      "id=7"}},
    {"{time} {logger}: {level}: {message}",
     {"07-Nov-2022 10:29:00.000 queries: info: client @0x7f 1.2.3.4#1234 Starting up",
      "07-Nov-2022 10:29:04.037 queries: warn: client @0x7f 1.2.3.4#1234 Connection to 10.0.0.1 "
      "lost",
      "07-Nov-2022 10:29:08.074 queries: error: client @0x7f 1.2.3.4#1234 took 5 ms for request "
      "id=7"}},
    {"{level} [{thread}] {time} {logger} - {message}",
     {"INFO  [main] 2022-11-07 10:29:00,000 Yaml.java:7 - Starting up",
      "WARN  [pool-1-thread-3] 2022-11-07 10:29:04,037 Yaml.java:8 - Connection to 10.0.0.1 lost",
      "ERROR  [http-nio-8080-exec-1] 2022-11-07 10:29:08,074 Yaml.java:9 - took 5 ms for request "
      "id=7"}},
    {"[{time}: {level}/{logger}] {message}",
     {"[2023-01-01 10:00:00,000: INFO/MainProcess] Starting up",
      "[2023-01-01 10:00:04,037: WARN/MainProcess] Connection to 10.0.0.1 lost",
      "[2023-01-01 10:00:08,074: ERROR/MainProcess] took 5 ms for request id=7"}},
    {"{time} {thread} {pid} {w1} {level} [{logger}] : {message}",
     {"2022-11-07 10:29:00.000000 7f8a2b3c4d5e  0 log_channel(cluster) log [INF] : Starting up",
      "2022-11-07 10:29:04.037123 7f8a2b3c4d5e  0 log_channel(cluster) log [INF] : Connection to "
      "10.0.0.1 lost",
      "2022-11-07 10:29:08.074246 7f8a2b3c4d5e  0 log_channel(cluster) log [INF] : took 5 ms for "
      "request id=7"}},
    {"{time}:{level}:{logger}:{message}",
     {"2022-11-07 10:29:00,000:INFO:certbot.core:Starting up",
      "2022-11-07 10:29:04,037:WARN:certbot.db:Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08,074:ERROR:certbot.web:took 5 ms for request id=7"}},
    {"[{w1}:{w2}:{time}:{level}:{logger}] {message}",
     {"[1000:7:1107/102900.000000:INFO:core_file.cc(7)] Starting up",
      "[1007:8:1107/102904.037123:WARN:db_file.cc(8)] Connection to 10.0.0.1 lost",
      "[1014:9:1107/102908.074246:ERROR:web_file.cc(9)] took 5 ms for request id=7"}},
    {"*{time}: {message}",
     {"*Mar  1 18:46:00.123: %LINK-3-UPDOWN: Starting up",
      "*Mar  1 18:46:04.123: %LINK-3-UPDOWN: Connection to 10.0.0.1 lost",
      "*Mar  1 18:46:08.123: %LINK-3-UPDOWN: took 5 ms for request id=7"}},
    {"{time} [{pid}] {{{w1}}} <{level}> {logger}: {message}",
     {"2022.11.07 10:29:00.000000 [ 1000 ] {query-7} <Debug> coreQuery: Starting up",
      "2022.11.07 10:29:04.037123 [ 1007 ] {query-8} <Debug> dbQuery: Connection to 10.0.0.1 lost",
      "2022.11.07 10:29:08.074246 [ 1014 ] {query-9} <Debug> webQuery: took 5 ms for request "
      "id=7"}},
    {"{time} [{level}] {logger}: {message}",
     {"2022/11/07 10:29:00 [INFO] consul: Starting up",
      "2022/11/07 10:29:04 [WARN] consul: Connection to 10.0.0.1 lost",
      "2022/11/07 10:29:08 [ERROR] consul: took 5 ms for request id=7"}},
    {"{level} [{time}] {message}",
     {"I [07/Nov/2022:10:29:00 +0100] Starting up",
      "W [07/Nov/2022:10:29:04 +0100] Connection to 10.0.0.1 lost",
      "E [07/Nov/2022:10:29:08 +0100] took 5 ms for request id=7"}},
    {"[ {time}] {message}",
     {"[    7.000000] usb 1-7: Starting up", "[    8.037123] usb 1-8: Connection to 10.0.0.1 lost",
      "[    9.074246] usb 1-9: took 5 ms for request id=7"}},
    {"{time} {logger}: {level}: {message}",
     {"Nov 07 10:29:00 imap-login: Info: Starting up",
      "Nov 07 10:29:04 imap-login: Info: Connection to 10.0.0.1 lost",
      "Nov 07 10:29:08 imap-login: Info: took 5 ms for request id=7"}},
    {"[{time}][{level}][{logger}] [{w1}] {message}",
     {"[2022-11-07T10:29:00,000][INFO ][o.e.n.core               ] [node-1] Starting up",
      "[2022-11-07T10:29:04,037][WARN ][o.e.n.db               ] [node-1] Connection to 10.0.0.1 "
      "lost",
      "[2022-11-07T10:29:08,074][ERROR ][o.e.n.web               ] [node-1] took 5 ms for request "
      "id=7"}},
    {"[{time}][{pid}][{level}][{w1}] [{logger}] {message}",
     {"[2022-11-07 10:29:00.000][7][info][core] [source/server/server.cc:7] Starting up",
      "[2022-11-07 10:29:04.037][8][warn][db] [source/server/server.cc:8] Connection to 10.0.0.1 "
      "lost",
      "[2022-11-07 10:29:08.074][9][error][web] [source/server/server.cc:9] took 5 ms for request "
      "id=7"}},
    {"{time} {level} | {logger}: {message}",
     {"2022-11-07 10:29:00.000000 I | etcdmain: Starting up",
      "2022-11-07 10:29:04.037123 W | etcdmain: Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074246 E | etcdmain: took 5 ms for request id=7"}},
    {"{time} {level} {logger}: {message}",
     {"7/11/2022 10:29:00 INFO core: Starting up",
      "8/11/2022 10:29:04 WARN db: Connection to 10.0.0.1 lost",
      "9/11/2022 10:29:08 ERROR web: took 5 ms for request id=7"}},
    {"{time} {logger} [{pid}]: {level} {message}",
     {"2022-11-07 10:29:00,000 fail2ban.actions        [1000]: INFO  [sshd] Starting up",
      "2022-11-07 10:29:04,037 fail2ban.actions        [1007]: WARN  [sshd] Connection to 10.0.0.1 "
      "lost",
      "2022-11-07 10:29:08,074 fail2ban.actions        [1014]: ERROR  [sshd] took 5 ms for request "
      "id=7"}},
    {"{level}{time} {pid} {logger}] {message}",
     {"I0315 16:54:00.000000  1000 file.cc:7] Starting up",
      "W0315 16:54:04.037123  1007 file.cc:8] Connection to 10.0.0.1 lost",
      "E0315 16:54:08.074246  1014 file.cc:9] took 5 ms for request id=7"}},
    {"{time} {logger}: {message}",
     {"2009/11/10 23:00:00 main.go:7: Starting up",
      "2009/11/10 23:00:04 main.go:8: Connection to 10.0.0.1 lost",
      "2009/11/10 23:00:08 main.go:9: took 5 ms for request id=7"}},
    {"[{time}] [{pid}] [{level}] {message}",
     {"[2023-01-01 10:00:00 +0000] [1000] [INFO] Starting up",
      "[2023-01-01 10:00:04 +0000] [1007] [WARN] Connection to 10.0.0.1 lost",
      "[2023-01-01 10:00:08 +0000] [1014] [ERROR] took 5 ms for request id=7"}},
    {"{time} {level} [{thread}] {logger}: {message}",
     {"2015-10-18 18:01:00,000 INFO [main] com.foo.Bar: Starting up",
      "2015-10-18 18:01:04,037 WARN [pool-1-thread-3] org.x.Baz$Inner: Connection to 10.0.0.1 lost",
      "2015-10-18 18:01:08,074 ERROR [http-nio-8080-exec-1] a.b.C: took 5 ms for request id=7"}},
    {"{time}|{logger}|{pid}|{message}",
     {"20171223-22:15:00:606|Step_core|30002312|Starting up 3579",
      "20171223-22:15:04:606|Step_db|30002312|Connection to 10.0.0.1 lost 3579",
      "20171223-22:15:08:606|Step_web|30002312|took 5 ms for request id=7 3579"}},
    {"{time} {program}[{thread}]: {message}",
     {"2022-11-07T10:29:00.000000+00:00 app[web.7]: Starting up",
      "2022-11-07T10:29:04.037123+00:00 app[web.8]: Connection to 10.0.0.1 lost",
      "2022-11-07T10:29:08.074246+00:00 app[web.9]: took 5 ms for request id=7"}},
    {"{w1} {w2} {w3} {w4} {time} {message}",
     {"134687 node-27 unix.hw state_change.unavailable 1077804742 1 Component State Change: "
      "Starting up",
      "134688 node-28 unix.hw state_change.unavailable 1077804742 1 Component State Change: "
      "Connection to 10.0.0.1 lost",
      "134689 node-29 unix.hw state_change.unavailable 1077804742 1 Component State Change: took 5 "
      "ms for request id=7"}},
    {"[{time}] {level}/{logger}: {message}",
     {"[2022-11-07 10:29:00 +0100] information/ConfigItem: Starting up",
      "[2022-11-07 10:29:04 +0100] information/ConfigItem: Connection to 10.0.0.1 lost",
      "[2022-11-07 10:29:08 +0100] information/ConfigItem: took 5 ms for request id=7"}},
    {"{time} [id={thread}] {level} {logger}: {message}",
     {"2022-11-07 10:29:00.000+0000 [id=1000]\tINFO\thudson.Main#foo: Starting up",
      "2022-11-07 10:29:04.037+0000 [id=1007]\tWARN\thudson.Main#foo: Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074+0000 [id=1014]\tERROR\thudson.Main#foo: took 5 ms for request "
      "id=7"}},
    {"{time}:{level}:{logger}:{thread}: {message}",
     {"2022-11-07 10:29:00.000:INFO:oejs.Server:main: Starting up",
      "2022-11-07 10:29:04.037:WARN:oejs.Server:main: Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074:ERROR:oejs.Server:main: took 5 ms for request id=7"}},
    {"[{level} {time} {logger}] {message}",
     {"[I 2023-01-01 10:00:00.000 NotebookApp] Starting up",
      "[W 2023-01-01 10:00:04.037 NotebookApp] Connection to 10.0.0.1 lost",
      "[E 2023-01-01 10:00:08.074 NotebookApp] took 5 ms for request id=7"}},
    {"<{level}>[ {time}] {message}",
     {"<6>[    7.000000] Starting up", "<6>[    8.037123] Connection to 10.0.0.1 lost",
      "<6>[    9.074246] took 5 ms for request id=7"}},
    {"{level}{time} {pid} {logger}] {message}",
     {"I0315 16:54:00.000000       1 leaderelection.go:7] Starting up",
      "W0315 16:54:04.037123       1 leaderelection.go:8] Connection to 10.0.0.1 lost",
      "E0315 16:54:08.074246       1 leaderelection.go:9] took 5 ms for request id=7"}},
    {"[{time}] {logger}.{level}: {message}",
     {"[2023-01-01 10:00:00] local.INFO: Starting up",
      "[2023-01-01 10:00:04] local.WARN: Connection to 10.0.0.1 lost",
      "[2023-01-01 10:00:08] local.ERROR: took 5 ms for request id=7"}},
    {"{time}: {pid}: {level} : {logger} : {message}",
     {"2022-11-07 10:29:00.000+0000: 1000: info : vircore:7 : Starting up",
      "2022-11-07 10:29:04.037+0000: 1007: warn : virdb:8 : Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074+0000: 1014: error : virweb:9 : took 5 ms for request id=7"}},
    {"{time} [{thread}] {level} {logger} - {message}",
     {"2012-01-01 10:00:00,000 [main] INFO  com.foo.Bar - Starting up",
      "2012-01-01 10:00:04,037 [pool-1-thread-3] WARN  org.x.Baz$Inner - Connection to 10.0.0.1 "
      "lost",
      "2012-01-01 10:00:08,074 [http-nio-8080-exec-1] ERROR  a.b.C - took 5 ms for request id=7"}},
    {"{time} [{thread}] {level} {logger} - {message}",
     {"10:00:00.000 [main] INFO com.foo.Bar - Starting up",
      "10:00:04.037 [pool-1-thread-3] WARN org.x.Baz$Inner - Connection to 10.0.0.1 lost",
      "10:00:08.074 [http-nio-8080-exec-1] ERROR a.b.C - took 5 ms for request id=7"}},
    {"{level} {time} [{thread}] {logger} - {message}",
     {"INFO  2012-01-01 10:00:00,000 [main] com.foo.Bar - Starting up",
      "WARN  2012-01-01 10:00:04,037 [pool-1-thread-3] org.x.Baz$Inner - Connection to 10.0.0.1 "
      "lost",
      "ERROR  2012-01-01 10:00:08,074 [http-nio-8080-exec-1] a.b.C - took 5 ms for request id=7"}},
    {"{time} {level}/{logger} {message}",
     {"03-17 16:13:00.000 I/Tag( 1000): Starting up",
      "03-17 16:13:04.037 W/Tag( 1007): Connection to 10.0.0.1 lost",
      "03-17 16:13:08.074 E/Tag( 1014): took 5 ms for request id=7"}},
    {"[{time}] [{thread}/{level}]: {message}",
     {"[10:29:00] [Server thread/INFO]: Starting up",
      "[10:29:04] [Server thread/WARN]: Connection to 10.0.0.1 lost",
      "[10:29:08] [Server thread/ERROR]: took 5 ms for request id=7"}},
    {"{time} {level} {logger} {message}",
     {"2014-11-03T18:28:00.450-0500 I NETWORK  [initandlisten] Starting up",
      "2014-11-03T18:28:04.450-0500 I NETWORK  [initandlisten] Connection to 10.0.0.1 lost",
      "2014-11-03T18:28:08.450-0500 I NETWORK  [initandlisten] took 5 ms for request id=7"}},
    {"<{level}>{time} {message}",
     {"<W>2022-11-07 10:29:00.000 1 => Starting up",
      "<W>2022-11-07 10:29:04.037 1 => Connection to 10.0.0.1 lost",
      "<W>2022-11-07 10:29:08.074 1 => took 5 ms for request id=7"}},
    {"{time} {pid} [{level}] [{w1}] [{logger}] {message}",
     {"2022-11-07T10:29:00.000000Z 7 [Note] [MY-01077] [Server] Starting up",
      "2022-11-07T10:29:04.037123Z 8 [Note] [MY-01078] [Server] Connection to 10.0.0.1 lost",
      "2022-11-07T10:29:08.074246Z 9 [Note] [MY-01079] [Server] took 5 ms for request id=7"}},
    {"{time} {pid} [{level}] {logger}: {message}",
     {"2022-11-07 10:29:00 7 [Note] InnoDB: Starting up",
      "2022-11-07 10:29:04 8 [Note] InnoDB: Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08 9 [Note] InnoDB: took 5 ms for request id=7"}},
    {"{time} [{level}] {message}",
     {"221107 10:29:00 [Note] Starting up", "221107 10:29:04 [Note] Connection to 10.0.0.1 lost",
      "221107 10:29:08 [Note] took 5 ms for request id=7"}},
    {"{time} [{level}] {pid}#{thread}: {message}",
     {"2022/11/07 10:29:00 [info] 1000#7: *12 Starting up, client: 1.2.3.4",
      "2022/11/07 10:29:04 [warn] 1007#8: *12 Connection to 10.0.0.1 lost, client: 1.2.3.4",
      "2022/11/07 10:29:08 [error] 1014#9: *12 took 5 ms for request id=7, client: 1.2.3.4"}},
    {"{time}|{level}|{logger}|{message}",
     {"2023-01-01 10:00:00.0004|INFO|Name.Space.core|Starting up",
      "2023-01-01 10:00:04.0374|WARN|Name.Space.db|Connection to 10.0.0.1 lost",
      "2023-01-01 10:00:08.0744|ERROR|Name.Space.web|took 5 ms for request id=7"}},
    {"{w1} {time} {pid} {level} {logger} {message}",
     {"nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO "
      "nova.osapi_compute.wsgi.server [req-38101a0b - - -] Starting up",
      "nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:04.008 25746 WARN "
      "nova.osapi_compute.wsgi.server [req-38101a0b - - -] Connection to 10.0.0.1 lost",
      "nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:08.008 25746 ERROR "
      "nova.osapi_compute.wsgi.server [req-38101a0b - - -] took 5 ms for request id=7"}},
    {"{time} [{pid}] {level}: {message}",
     {"2022-11-07 10:29:00.000 UTC [1000] LOG:  Starting up",
      "2022-11-07 10:29:04.037 UTC [1007] LOG:  Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074 UTC [1014] STATEMENT:  took 5 ms for request id=7"}},
    {"[{time}] {logger} {level}: {message}",
     {"[07-Nov-2022 10:29:00 UTC] PHP Warning:  Starting up in /x.php on line 7",
      "[07-Nov-2022 10:29:04 UTC] PHP Warning:  Connection to 10.0.0.1 lost in /x.php on line 8",
      "[07-Nov-2022 10:29:08 UTC] PHP Warning:  took 5 ms for request id=7 in /x.php on line 9"}},
    {"[{time}] {level}: {message}",
     {"[07-Nov-2022 10:29:00] NOTICE: Starting up",
      "[07-Nov-2022 10:29:04] NOTICE: Connection to 10.0.0.1 lost",
      "[07-Nov-2022 10:29:08] NOTICE: took 5 ms for request id=7"}},
    {"{time} [{thread}] {level} - {message}",
     {"Nov 07, 2022 10:29:00.000 [0x7f1000] INFO - Starting up",
      "Nov 07, 2022 10:29:04.037 [0x7f1007] WARN - Connection to 10.0.0.1 lost",
      "Nov 07, 2022 10:29:08.074 [0x7f1014] ERROR - took 5 ms for request id=7"}},
    {"[{time}] {program} - {message}",
     {"[10.30 16:49:00] chrome.exe - proxy.cse:5070 Starting up",
      "[10.30 16:49:04] chrome.exe - proxy.cse:5070 Connection to 10.0.0.1 lost",
      "[10.30 16:49:08] chrome.exe - proxy.cse:5070 took 5 ms for request id=7"}},
    {"{time} {logger} ({level}): {message}",
     {"2022-11-07 10:29:00 +0100 Puppet (err): Starting up",
      "2022-11-07 10:29:04 +0100 Puppet (err): Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08 +0100 Puppet (err): took 5 ms for request id=7"}},
    {"{time} - {logger} - {level} - {message}",
     {"2023-01-01 10:00:00,000 - core - INFO - Starting up",
      "2023-01-01 10:00:04,037 - db - WARN - Connection to 10.0.0.1 lost",
      "2023-01-01 10:00:08,074 - web - ERROR - took 5 ms for request id=7"}},
    {"{time} [{level}] {logger}: {message}",
     {"2023-01-01 10:00:00,000 [INFO] core: Starting up",
      "2023-01-01 10:00:04,037 [WARN] db: Connection to 10.0.0.1 lost",
      "2023-01-01 10:00:08,074 [ERROR] web: took 5 ms for request id=7"}},
    {"{time} [{level}] <{thread}> {message}",
     {"2022-11-07 10:29:00.000000+01:00 [info] <0.1000.0> Starting up",
      "2022-11-07 10:29:04.037123+01:00 [warn] <0.1007.0> Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074246+01:00 [error] <0.1014.0> took 5 ms for request id=7"}},
    {"{w1}, [{time} #{pid}] {level} -- {logger}: {message}",
     {"I, [2023-01-01T10:00:00.000000 #1000]  INFO -- core: Starting up",
      "W, [2023-01-01T10:00:04.037123 #1007]  WARN -- db: Connection to 10.0.0.1 lost",
      "E, [2023-01-01T10:00:08.074246 #1014]  ERROR -- web: took 5 ms for request id=7"}},
    {"{w1}:{w2} {time} {message}",
     {"1234:M 07 Nov 2022 10:29:00.000 * Starting up",
      "1234:M 07 Nov 2022 10:29:04.037 * Connection to 10.0.0.1 lost",
      "1234:M 07 Nov 2022 10:29:08.074 * took 5 ms for request id=7"}},
    {"{time}::{level}::[{logger}] {message}",
     {"2022-11-07 10:29:00,000::INFO::[SABnzbd:7] Starting up",
      "2022-11-07 10:29:04,037::WARN::[SABnzbd:8] Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08,074::ERROR::[SABnzbd:9] took 5 ms for request id=7"}},
    {"{time} [{logger}][{level}][{pid}] {message}",
     {"2022-11-07 10:29:00,000 [salt.loaded.core:7 ][INFO   ][1000] Starting up",
      "2022-11-07 10:29:04,037 [salt.loaded.db:8 ][WARN   ][1007] Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08,074 [salt.loaded.web:9 ][ERROR   ][1014] took 5 ms for request id=7"}},
    {"{time} [{level}] {message}",
     {"2023-01-01 10:00:00.000 +01:00 [INF] Starting up",
      "2023-01-01 10:00:04.037 +01:00 [INF] Connection to 10.0.0.1 lost",
      "2023-01-01 10:00:08.074 +01:00 [INF] took 5 ms for request id=7"}},
    {"[{time} {level}] {message}",
     {"[10:00:00 INF] Starting up", "[10:00:04 INF] Connection to 10.0.0.1 lost",
      "[10:00:08 INF] took 5 ms for request id=7"}},
    {"{time} {pid} {logger} {level}: {message}",
     {"2022-11-07T10:29:00.000Z 1000 TID-abc7 INFO: Starting up",
      "2022-11-07T10:29:04.037Z 1007 TID-abc8 WARN: Connection to 10.0.0.1 lost",
      "2022-11-07T10:29:08.074Z 1014 TID-abc9 ERROR: took 5 ms for request id=7"}},
    {"{time} pid={pid} tid={thread} {level}: {message}",
     {"2022-11-07T10:29:00.000Z pid=1000 tid=abc7 INFO: Starting up",
      "2022-11-07T10:29:04.037Z pid=1007 tid=abc8 WARN: Connection to 10.0.0.1 lost",
      "2022-11-07T10:29:08.074Z pid=1014 tid=abc9 ERROR: took 5 ms for request id=7"}},
    {"{time} {level} ({thread}) [{w1}] {logger} {message}",
     {"2022-11-07 10:29:00.000 INFO  (main) [   ] o.a.s.s.core Starting up",
      "2022-11-07 10:29:04.037 WARN  (main) [   ] o.a.s.s.db Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074 ERROR  (main) [   ] o.a.s.s.web took 5 ms for request id=7"}},
    {"{time} {level} {pid} --- [{thread}] {logger} : {message}",
     {"2023-01-01T10:00:00.000+01:00  INFO 12345 --- [           main] com.foo.Bar                 "
      ": Starting up",
      "2023-01-01T10:00:04.037+01:00  WARN 12345 --- [           pool-1-thread-3] org.x.Baz$Inner  "
      "               : Connection to 10.0.0.1 lost",
      "2023-01-01T10:00:08.074+01:00  ERROR 12345 --- [           http-nio-8080-exec-1] a.b.C      "
      "           : took 5 ms for request id=7"}},
    {"{time} {level} {pid} --- [{w1}] [{thread}] {logger} : {message}",
     {"2023-01-01T10:00:00.000Z  INFO 12345 --- [demo] [           main] com.foo.Bar               "
      "  : Starting up",
      "2023-01-01T10:00:04.037Z  WARN 12345 --- [demo] [           pool-1-thread-3] "
      "org.x.Baz$Inner                 : Connection to 10.0.0.1 lost",
      "2023-01-01T10:00:08.074Z  ERROR 12345 --- [demo] [           http-nio-8080-exec-1] a.b.C    "
      "             : took 5 ms for request id=7"}},
    {"{time} - <{level}> - {message}",
     {"7/11/2022 -- 10:29:00 - <Notice> - Starting up",
      "8/11/2022 -- 10:29:04 - <Notice> - Connection to 10.0.0.1 lost",
      "9/11/2022 -- 10:29:08 - <Notice> - took 5 ms for request id=7"}},
    {"[{w1}] {time} - ({logger}) <{level}> ({thread}) -- {message}",
     {"[1000] 7/11/2022 -- 10:29:00 - (suricata.c:7) <Notice> (main) -- Starting up",
      "[1007] 8/11/2022 -- 10:29:04 - (suricata.c:8) <Notice> (main) -- Connection to 10.0.0.1 "
      "lost",
      "[1014] 9/11/2022 -- 10:29:08 - (suricata.c:9) <Notice> (main) -- took 5 ms for request "
      "id=7"}},
    {"{time} {message}",
     {"@4000000055f516d0075bca00 Starting up",
      "@4000000055f516d0075bca04 Connection to 10.0.0.1 lost",
      "@4000000055f516d0075bca08 took 5 ms for request id=7"}},
    {"{time}|{level} |{logger} |{message}",
     {"2022-11-07 10:29:00.000000|INFO    |VirtualServer |7  |Starting up",
      "2022-11-07 10:29:04.037123|INFO    |VirtualServer |8  |Connection to 10.0.0.1 lost",
      "2022-11-07 10:29:08.074246|INFO    |VirtualServer |9  |took 5 ms for request id=7"}},
    {"[{time}] [{level}] [{logger}] {message}",
     {"[2022/11/07 10:29:00.000 +08:00] [INFO] [server.go:7] [\"Starting up\"] [k=v]",
      "[2022/11/07 10:29:04.037 +08:00] [WARN] [server.go:8] [\"Connection to 10.0.0.1 lost\"] "
      "[k=v]",
      "[2022/11/07 10:29:08.074 +08:00] [ERROR] [server.go:9] [\"took 5 ms for request id=7\"] "
      "[k=v]"}},
    {"{time} {level} [{thread}] {logger} {message}",
     {"07-Nov-2022 10:29:00.000 INFO [main] org.apache.catalina.core.init Starting up",
      "07-Nov-2022 10:29:04.037 WARN [pool-1-thread-3] org.apache.catalina.db.init Connection to "
      "10.0.0.1 lost",
      "07-Nov-2022 10:29:08.074 ERROR [http-nio-8080-exec-1] org.apache.catalina.web.init took 5 "
      "ms for request id=7"}},
    {"[{level} {time} {logger}] {message}",
     {"[I 230101 10:00:00 core:1000] Starting up",
      "[W 230101 10:00:04 db:1007] Connection to 10.0.0.1 lost",
      "[E 230101 10:00:08 web:1014] took 5 ms for request id=7"}},
    {"[{time}] {program}[{pid}:{thread}] {level}: {message}",
     {"[1442125500] unbound[1000:0] info: Starting up",
      "[1442125504] unbound[1007:0] warn: Connection to 10.0.0.1 lost",
      "[1442125508] unbound[1014:0] error: took 5 ms for request id=7"}},
    {"{time} {level} {program}[{pid}] {message}",
     {"2022-11-07T10:29:00.000Z info hostd[1000] [Originator@6876 sub=core] Starting up",
      "2022-11-07T10:29:04.037Z warn hostd[1007] [Originator@6876 sub=db] Connection to 10.0.0.1 "
      "lost",
      "2022-11-07T10:29:08.074Z error hostd[1014] [Originator@6876 sub=web] took 5 ms for request "
      "id=7"}},
    {"{time} [pid {pid}] {logger}: {message}",
     {"Mon Nov  7 10:29:00 2022 [pid 1000] CONNECT: Client \"1.2.3.4\"",
      "Mon Nov  7 10:29:04 2022 [pid 1007] CONNECT: Client \"1.2.3.4\"",
      "Mon Nov  7 10:29:08 2022 [pid 1014] CONNECT: Client \"1.2.3.4\""}},
    {"<{time}> <{level}> <{w1}> <{logger}> {message}",
     {"<Nov 7, 2022 10:29:00 AM CET> <Info> <Server> <BEA-1000> <Starting up>",
      "<Nov 7, 2022 10:29:04 AM CET> <Info> <Server> <BEA-1007> <Connection to 10.0.0.1 lost>",
      "<Nov 7, 2022 10:29:08 AM CET> <Info> <Server> <BEA-1014> <took 5 ms for request id=7>"}},
    {"{time}, {level} {logger} {message}",
     {"2016-09-28 04:30:00, Info                  CBS    Starting up",
      "2016-09-28 04:30:04, Info                  CBS    Connection to 10.0.0.1 lost",
      "2016-09-28 04:30:08, Info                  CBS    took 5 ms for request id=7"}},
    {"[ {time}] ({logger}) {message}",
     {"[    12.000] (II) Starting up", "[    12.037] (II) Connection to 10.0.0.1 lost",
      "[    12.074] (II) took 5 ms for request id=7"}},
    {" {w1}:{time} {message}",
     {"  1000:20221107:102900.000 Starting up",
      "  1007:20221107:102904.037 Connection to 10.0.0.1 lost",
      "  1014:20221107:102908.074 took 5 ms for request id=7"}},
    {"{time} {level} {logger} {message}",
     {"2023-01-01T10:00:00.000Z\tINFO\tmain/main.go:7\tStarting up\t{\"a\":1}",
      "2023-01-01T10:00:04.037Z\tWARN\tmain/main.go:8\tConnection to 10.0.0.1 lost\t{\"a\":1}",
      "2023-01-01T10:00:08.074Z\tERROR\tmain/main.go:9\ttook 5 ms for request id=7\t{\"a\":1}"}},
};

TEST(Log, LearnsLayouts) {
  for (const Case &one : kLogs) EXPECT_EQ(learned(one.lines), one.layout);
}

TEST(Log, LearnsTimesInQuotes) {
  EXPECT_EQ(
      learned({"\"2014-06-15 01:04:52\" \"Login\" it", "\"2014-06-15 01:04:53\" \"Logout\" it"}),
      "\"{time}\" {message}");
}

// Nothing is tried again and again.
TEST(Log, LearnsOfManyBrackets) {
  const std::string open(100'000, '['), both = "[[]" + open + "]";
  EXPECT_EQ(learned({open, both}), "");
}

// Brackets that are a word, and those around a time.
TEST(Log, TellsBracketsApart) {
  EXPECT_EQ(sniff(kLog, "(a) 2015-09-13 06:25:10 x\n( 2015-09-13 06:25:10) x\n", true)->names,
            (Row{"w1", "time", "message"}));
}

TEST(Log, LearnsNothingWhereNoTimeIs) {
  EXPECT_EQ(learned({"the quick brown fox", "jumps"}), "");
  EXPECT_EQ(learned({"10.1.2.3 - - GET", "a b c d e f g 2015-09-13 06:25:10 x"}), "");
}

TEST(Log, ReadsFields) {
  EXPECT_EQ(read_records(kLog, {"time", "level", "thread", "logger", "message"},
                         "2015-10-18 18:01:47,978 INFO [main] org.a.B: Created it\n"
                         "2015-10-18 18:01:48,001 WARN [IPC Server handler 1] org.a.C: x: y\r\n"
                         "2015-10-18 18:01:49,000 INFO [main] org.a.B:")
                .rows,
            (Rows{{"2015-10-18 18:01:47,978", "INFO", "main", "org.a.B", "Created it"},
                  {"2015-10-18 18:01:48,001", "WARN", "IPC Server handler 1", "org.a.C", "x: y"},
                  {"2015-10-18 18:01:49,000", "INFO", "main", "org.a.B", ""}}));
}

// What follows a field that is not there is the message.
TEST(Log, ReadsLinesThatLackFields) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "2015-10-18 18:01:47 INFO [main] a.B: ok\n";
  text +=
      "2015-10-18 18:01:48 started anew\n2015-10-18 18:01:49 WARN a.B: x\n2015-10-18 18:01:50\n";
  const Rows rows = read_records(kLog, {"level", "thread", "logger", "message"}, text).rows;
  ASSERT_EQ(rows.size(), 43);
  EXPECT_EQ(rows[40], (Row{kMissing, kMissing, kMissing, "started anew"}));
  EXPECT_EQ(rows[41], (Row{"WARN", kMissing, kMissing, "a.B: x"}));
  EXPECT_EQ(rows[42], (Row{kMissing, kMissing, kMissing, ""}));
}

TEST(Log, LeavesLinesWithoutTimeOut) {
  const ReadRecords read = read_records(kByName, {"level", "message"},
                                        "2015-10-18 18:01:47,978 ERROR [main] a.B: it failed\n"
                                        "java.io.IOException: no\n\tat a.B.c(B.java:1)\n"
                                        "2015-10-18 18:01:48,978 INFO [main] a.B: again\n");
  EXPECT_EQ(read.rows, (Rows{{"ERROR", "it failed"}, {"INFO", "again"}}));
  ASSERT_EQ(read.bad.size(), 2);
  EXPECT_EQ(read.bad[0], "expected a time, as the first lines have it: java.io.IOException: no");
}

// If any line says that the day comes first, it does in all.
TEST(Log, PutsTheYearFirstOfDatesThatBeginWithTheDay) {
  EXPECT_EQ(read_records(kLog, {"time"},
                         "05/11/2022 10:29:01 INFO a\n13/11/2022 10:29:02,5 INFO b\n"
                         "1/2/22 10:29:03 INFO c\n")
                .rows,
            (Rows{{"2022-11-05 10:29:01"}, {"2022-11-13 10:29:02,5"}, {"2022-02-01 10:29:03"}}));
}

TEST(Log, IsFoundIfAFieldIsAskedForByName) {
  const std::string text = "2023-06-14T15:16:01 INFO main: started\n";
  const auto format = [&](const FormatSpec &spec) { return sniff(spec, text, true)->format; };
  EXPECT_EQ(format(kByName), &LineFormat::log);
  EXPECT_EQ(format({}), &LineFormat::lines);
  EXPECT_EQ(format({.columns = {"line"}, .names_fields = true}), &LineFormat::lines);
  EXPECT_EQ(sniff({}, text, true)->reason,
            "no field is asked for by name; with from log, it is a log");
  EXPECT_EQ(sniff(kByName, text, true)->reason,
            "1 of the first 1 lines are {time} {level} {logger}: {message}");
}

TEST(Log, IsNoTextThatHasTimesHereAndThere) {
  for (const char *text : {"On 2015-09-13 06:25:10 it began\nand then\nmore\nit ended\n",
                           "a\nb\n2015-09-13 06:25:10 c\n", "prose\n", "1.2.3.4 x\n"}) {
    EXPECT_EQ(sniff(kByName, text, true)->format, &LineFormat::lines) << text;
  }
}

// CSV has no names without a header.
TEST(Log, NamesColumnsOfLogs) {
  EXPECT_EQ(sniff(kByName,
                  "20171223-22:15:29:606|Step_a|300|on 3\n20171223-22:15:30:1|St_b|300|x\n", true)
                ->names,
            (Row{"time", "logger", "pid", "message"}));
  EXPECT_EQ(sniff(kByName, "2015-09-13 06:25:10,1,2\n2015-09-13 06:25:11,3,4\n", true)->format,
            &LineFormat::csv);
}

TEST(Log, KnowsLevels) {
  for (Bytes word : {"INFO", "info", "Warning", "INFORMATION", "F", "DEBUG5", "statement"}) {
    const std::string padded = std::string(word) + std::string(kPadding, 'x');
    EXPECT_TRUE(is_log_level(Bytes(padded).substr(0, word.size()))) << word;
  }
  for (Bytes word :
       {"", "7", "in", "INFOS", "information1", "informat", "X", "warn!", "st@tement"}) {
    const std::string padded = std::string(word) + std::string(kPadding, 'x');
    EXPECT_FALSE(is_log_level(Bytes(padded).substr(0, word.size()))) << word;
  }
}

TEST(Log, HasTheFieldsOfItsLayout) {
  EXPECT_EQ(why_not(kLog, {"host"}, "2015-10-18 18:01:47 INFO a\n"),
            "no field \"host\" in log; the fields are time, level, message");
  EXPECT_EQ(why_not(kLog, {"4"}, "2015-10-18 18:01:47 INFO a\n"),
            "no field 4 in log; the last field is 3");
  EXPECT_EQ(sniff(kLog, "no time\n", true)->names, (Row{"time", "message"}));
}

}  // namespace
}  // namespace mrc
