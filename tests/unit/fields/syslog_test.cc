#include "fields/fields.h"
#include "unit/fields/read_records.h"

namespace mrc {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

const FormatSpec kSyslogSpec{.format = &LineFormat::syslog};
const Row kCore = {"time", "host", "program", "pid", "message"};

TEST(Syslog, ReadsWhatDaemonsWriteToFiles) {
  EXPECT_EQ(
      read_records(kSyslogSpec, kCore,
                   "Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; uid=0 \r\n"
                   "Mar  7 13:06:56 ip-10-77 kernel: [  1.5] up: yes\n"
                   "2023-06-14T15:16:01.123456+02:00 deb systemd[1]: Started x.\n"
                   "\n"
                   "Jul  1 00:00:00 combo postfix/smtpd[7]:\n")
          .rows,
      (Rows{
          {"Jun 14 15:16:01", "combo", "sshd(pam_unix)", "19939", "authentication failure; uid=0 "},
          {"Mar  7 13:06:56", "ip-10-77", "kernel", kMissing, "[  1.5] up: yes"},
          {"2023-06-14T15:16:01.123456+02:00", "deb", "systemd", "1", "Started x."},
          {"Jul  1 00:00:00", "combo", "postfix/smtpd", "7", ""}}));
}

// As applications of macOS are called.
TEST(Syslog, KnowsProgramsWithBlanks) {
  EXPECT_EQ(read_records(kSyslogSpec, {"program", "pid", "message"},
                         "Jul  1 09:04:37 mac Microsoft Word[14463]: Error in app\n"
                         "Jul  1 09:04:37 mac GoogleSoftwareUpdateAgent[31]: 2017-07-05 x[31/0x7]\n"
                         "Jul  1 09:04:37 mac com.apple.launchd[1] (com.apple.x[2]): left\n"
                         "Jul  1 09:04:37 mac Google Chrome Helper (Renderer)[7]: x\n"
                         "Jul  1 09:04:37 mac Microsoft Word[14463]:\n")
                .rows,
            (Rows{{"Microsoft Word", "14463", "Error in app"},
                  {"GoogleSoftwareUpdateAgent", "31", "2017-07-05 x[31/0x7]"},
                  {"com.apple.launchd", "1", "(com.apple.x[2]): left"},
                  {"Google Chrome Helper (Renderer)", "7", "x"},
                  {"Microsoft Word", "14463", ""}}));
}

TEST(Syslog, TakesNoPartOfAMessageForAProgram) {
  for (const char *message :
       {"message repeated 2 times: [ Failed password]", "restart of job[12] is done",
        "restart of job [12]: done", "restart of job[x]: done", "restart of job[]: done",
        "Error in app: job[12]: done", "-- root[2421]: ROOT LOGIN ON tty2",
        "a message that goes on and on for more than sixty-four bytes in all[12]: x"}) {
    EXPECT_EQ(read_records(kSyslogSpec, {"program", "message"},
                           std::string("Jul  1 09:04:37 mac ") + message)
                  .rows,
              (Rows{{kMissing, message}}));
  }
}

TEST(Syslog, HasNoProgramWhereTheMessageNamesNone) {
  EXPECT_EQ(read_records(kSyslogSpec, {"program", "pid", "message"},
                         "Dec 10 07:28:03 LabSZ last message repeated 5 times\n"
                         "Dec 10 07:28:03 LabSZ -- MARK --\n"
                         "Dec 10 07:28:03 LabSZ a[b c\n"
                         "Dec 10 07:28:03 LabSZ\n")
                .rows,
            (Rows{{kMissing, kMissing, "last message repeated 5 times"},
                  {kMissing, kMissing, "-- MARK --"},
                  {kMissing, kMissing, "a[b c"},
                  {kMissing, kMissing, ""}}));
}

TEST(Syslog, DropsASecondHostBeforeAProgramOnly) {
  EXPECT_EQ(read_records(kSyslogSpec, {"host", "program", "message"},
                         "Nov  3 10:00:00 UDM UDM sshd[1]: in\n"
                         "Nov  3 10:00:00 web web started\n"
                         "Nov  3 10:00:00 web web says: x\n")
                .rows,
            (Rows{{"UDM", "sshd", "in"},
                  {"web", kMissing, "web started"},
                  {"web", kMissing, "web says: x"}}));
}

TEST(Syslog, ReadsPriorities) {
  EXPECT_EQ(read_records(kSyslogSpec, {"priority", "facility", "severity", "program"},
                         "<34>Oct 11 22:14:15 mymachine su: 'su root' failed\n"
                         "<0>Oct 11 22:14:15 m a: b\n"
                         "<191>Oct 11 22:14:15 m a: b\n"
                         "Oct 11 22:14:15 m a: b\n")
                .rows,
            (Rows{{"34", "auth", "crit", "su"},
                  {"0", "kern", "emerg", "a"},
                  {"191", "local7", "debug", "a"},
                  {kMissing, kMissing, kMissing, "a"}}));
}

TEST(Syslog, ReadsTheVersionedFormat) {
  EXPECT_EQ(
      read_records(
          kSyslogSpec,
          {"version", "time", "host", "program", "pid", "msgid", "sd", "message", "facility"},
          "<165>1 2003-10-11T22:14:15.003Z host.example evntslog 123 ID47 "
          "[id@1 a=\"x\\\"]\\]y\" b=\"[\"][id@2] \xEF\xBB\xBFsaid: so\n"
          "<34>1 - - - - - -\n"
          "<34>1 2003-10-11T22:14:15.003Z h su - - - 'su root' failed\n")
          .rows,
      (Rows{{"1", "2003-10-11T22:14:15.003Z", "host.example", "evntslog", "123", "ID47",
             "[id@1 a=\"x\\\"]\\]y\" b=\"[\"][id@2]", "said: so", "local4"},
            {"1", kMissing, kMissing, kMissing, kMissing, kMissing, kMissing, kMissing, "auth"},
            {"1", "2003-10-11T22:14:15.003Z", "h", "su", kMissing, kMissing, kMissing,
             "'su root' failed", "auth"}}));
}

// Devices that write no host begin with the program.
TEST(Syslog, KnowsProgramsWithoutAHost) {
  EXPECT_EQ(read_records(kSyslogSpec, kCore,
                         "<190>Jul  4 09:39:40 dhcpd[64305]: DISCOVER\n"
                         "<166>Mar 17 18:31:14 gui_logs: Info: Session\n"
                         "<134> Mar  4 10:11:10 nasapi[19090] - log\n"
                         "Jul  4 09:39:40 10.0.0.1: x\n"
                         "Jul  4 09:39:40 db.example.com: x\n")
                .rows,
            (Rows{{"Jul  4 09:39:40", kMissing, "dhcpd", "64305", "DISCOVER"},
                  {"Mar 17 18:31:14", kMissing, "gui_logs", kMissing, "Info: Session"},
                  {"Mar  4 10:11:10", kMissing, "nasapi", "19090", "- log"},
                  {"Jul  4 09:39:40", "10.0.0.1", kMissing, kMissing, "x"},
                  {"Jul  4 09:39:40", "db.example.com", kMissing, kMissing, "x"}}));
}

TEST(Syslog, KnowsTheTagsOfCisco) {
  EXPECT_EQ(read_records(kSyslogSpec, {"time", "host", "program", "message"},
                         "<191>Aug  1 14:01:20 asa: %ASA-6-302013: Built\n"
                         "Jul 15 13:38:08 192.0.2.1 : %ASA-6-302013: Built\n"
                         "<187>Jun 14 11:34:35 sr1 AEST: %SEC_LOGIN-SW2-5-LOGIN: x\n"
                         "<189>Jul 15 13:38:08 sw1 %SYS-5-CONFIG_I: x\n"
                         "<189>Jul 15 13:38:08 sw1 su: %d-5: x\n")
                .rows,
            (Rows{{"Aug  1 14:01:20", "asa", kMissing, "%ASA-6-302013: Built"},
                  {"Jul 15 13:38:08", "192.0.2.1", kMissing, "%ASA-6-302013: Built"},
                  {"Jun 14 11:34:35 AEST", "sr1", kMissing, "%SEC_LOGIN-SW2-5-LOGIN: x"},
                  {"Jul 15 13:38:08", "sw1", kMissing, "%SYS-5-CONFIG_I: x"},
                  {"Jul 15 13:38:08", "sw1", "su", "%d-5: x"}}));
}

TEST(Syslog, TakesWhatSurroundsTheTime) {
  EXPECT_EQ(read_records(kSyslogSpec, {"time", "host", "facility", "severity"},
                         "<182>Mar 3 10:42:25 +02:00 ise x\n"
                         "Jun 12 23:37:17 <local0.info> 192.0.2.1 x\n"
                         "49 <14>1 2020-03-27T09:57:41+01:00 vm - - - - x\n")
                .rows,
            (Rows{{"Mar 3 10:42:25 +02:00", "ise", "local6", "info"},
                  {"Jun 12 23:37:17", "192.0.2.1", "local0", "info"},
                  {"2020-03-27T09:57:41+01:00", "vm", "user", "info"}}));
}

TEST(Syslog, SaysWhatIsWrong) {
  using Bad = std::pair<const char *, const char *>;
  for (const auto &[line, reason] :
       {Bad{"hello", "expected a time such as Oct 11 22:14:15 at its beginning"},
        Bad{"Foo 11 22:14:15 m a: b", "expected a time such as Oct 11 22:14:15 at its beginning"},
        Bad{"Oct 11 22:14:15,m,a: b", "expected a time such as Oct 11 22:14:15 at its beginning"},
        Bad{"2003-10-11T22:14:15,m a: b",
            "expected a time such as Oct 11 22:14:15 at its beginning"},
        Bad{"Oct 11 22:14", "expected a time such as Oct 11 22:14:15 at its beginning"},
        Bad{"<192>Oct 11 22:14:15 m a: b", "expected <PRI> from 0 to 191 at its beginning"},
        Bad{"<>Oct 11 22:14:15 m a: b", "expected <PRI> from 0 to 191 at its beginning"},
        Bad{"<1x>Oct 11 22:14:15 m a: b", "expected <PRI> from 0 to 191 at its beginning"},
        Bad{"Oct 11 22:14:15", "expected a host after the time"},
        Bad{"<34>1 - - - -", "expected time, host, program, pid and msgid after the version"},
        Bad{"<34>1 - - - - - [x", "expected - or [structured data] after the msgid"},
        Bad{"<34>1 - - - - - x", "expected - or [structured data] after the msgid"},
        Bad{"<34>1 - - - - - -x", "expected - or [structured data] after the msgid"}}) {
    EXPECT_EQ(read_records(kSyslogSpec, kCore, line).bad, (Row{std::string(reason) + ": " + line}));
  }
}

}  // namespace
}  // namespace mrc
