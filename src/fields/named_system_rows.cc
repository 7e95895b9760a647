// The rows of named formats of application servers, systems and devices whose lines have patterns.
#include "fields/inner/named_formats.h"

namespace mrc {
namespace {

// The front of a PAN-OS log line, and the fields of a session after its type.
#define PANOS_HEAD \
  R"p(%[%[<%{priority:int}>%]%{syslog_time:time} %{host:word} %]%{:int},%{time},%{serial},)p"
#define PANOS_SESSION                                                                     \
  R"p(%{subtype},%{},%{},%{ip},%{target_ip:ip},%{},%{},%{rule},%{user},%{target_user},)p" \
  R"p(%{application},%{vsys},%{from_zone},%{to_zone},%{inbound},%{outbound},%{},%{},)p"   \
  R"p(%{session:int},%{:int},%{port:int},%{target_port:int},%{},%{},%{},%{protocol},%{action},)p"

// A line of a general query log.
#define QUERY(command) R"p(%[%{time}%] %{thread:int} %(command:)p" command R"p(%)%[ %]%{message})p"
#define QUERIES(a, b, c, d) QUERY(a) "%|" QUERY(b) "%|" QUERY(c) "%|" QUERY(d)
#define GENERAL_QUERY_LOG                                                      \
  QUERIES("Query", "Connect", "Quit", "Init DB")                               \
  "%|" QUERIES("Prepare", "Execute", "Close stmt", "Reset stmt") "%|" QUERIES( \
      "Field List", "Change user", "Statistics", "Ping")

constexpr auto kRecords = NamedFormat::Lines::records, kJoined = NamedFormat::Lines::joined,
               kBlocks = NamedFormat::Lines::blocks;

constexpr NamedFormat kRows[] = {
    {"uwsgi", "uWSGI request log", &kPatternKind,
     R"p([pid: %{pid:int}|app: %{:word}|req: %{:word}] %{ip:client} (%{user}) )p"
     R"p({%{:int} vars in %{:int} bytes} [%{time}] %{method:name} %{path}%[?%{query:word}%] => )p"
     R"p(generated %{bytes:int} bytes in %{duration_ms:int} msecs %[via %{:word} %])p"
     R"p((%(protocol:HTTP/%{:number}%) %{status:int}) %{:rest})p"},

    {"rails", "requests of Rails", &kPatternKind,
     R"p(%[[%{request_id}] %]Started %{method:name} "%{path}%[?%{query:word}%]" for %{ip:client} )p"
     R"p(at %{time}%[ %]%{message})p",
     "", kBlocks},

    {"sidekiq", "Sidekiq log", &kPatternKind,
     R"p(%{time} pid=%{pid:int} tid=%{thread:word} %[class=%{logger:word} %]%[jid=%{job:word} %])p"
     R"p(%[bid=%{batch:word} %]%[tags=%{tags:word} %]%[elapsed=%{elapsed:number} %])p"
     R"p(%{level}: %{message}%|)p"
     R"p(%{time} %{pid:int} TID-%{thread:word} %[%{logger:word} JID-%{job:word} %])p"
     R"p(%{level}: %{message})p",
     "", kJoined, "elapsed:s"},

    {"websphere", "log of WebSphere Application Server", &kPatternKind,
     R"p([%{time}] %{thread:hex} %{logger:word} %{level:letter} %{message})p", "", kJoined,
     "time:mdy-time level:websphere-level"},

    // Before 5.7, a line has a time only if the second has changed since the line before.
    {"mysql-general", "MySQL or MariaDB general query log", &kPatternKind, GENERAL_QUERY_LOG, "",
     kBlocks},

    {"panos", "log of a Palo Alto firewall", &kPatternKind,
     PANOS_HEAD
     "%(type:TRAFFIC%)," PANOS_SESSION R"p(%{bytes:int}%[,%{:rest}%]%|)p" PANOS_HEAD
     "%(type:THREAT%)," PANOS_SESSION
     R"p(%[%{url:quoted}%]%{},%{message},%{category},%{level:name}%[,%{:rest}%]%|)p" PANOS_HEAD
     R"p(%(type:SYSTEM%),%{subtype},%{},%{},%{vsys},%{event},%{object},%{},%{},)p"
     R"p(%{module},%{level:name},%{message:quoted}%[,%{:rest}%]%|)p" PANOS_HEAD
     R"p(%(type:CONFIG%),%{subtype},%{},%{},%{ip:client},%{vsys},%{command},%{user},)p"
     R"p(%{application},%{action},%{message}%[,%{:rest}%]%|)p" PANOS_HEAD
     R"p(%{type:name},%{subtype},%{message})p",
     "", kRecords, "level:panos-level"},

    {"ossec-alerts", "alerts of OSSEC or Wazuh", &kPatternKind,
     R"p(** Alert %{time:word}.%{:int}:%[ mail%] - %{groups:word}%[ %]%{message})p", "", kBlocks},

    {"apt-history", "history of APT", &kPatternKind, R"p(Start-Date: %{time}%[ %]%{message})p", "",
     kBlocks},

    {"macos-log", "log of macOS, as log show prints it", &kPatternKind,
     R"p(%{time} %{thread:word} %{level:name} %{activity:word} %{pid:int} %{ttl:int} )p"
     R"p(%{program}: %{message})p",
     "Timestamp ", kJoined, "level:macos-level"},
};

#undef PANOS_HEAD
#undef PANOS_SESSION
#undef QUERY
#undef QUERIES
#undef GENERAL_QUERY_LOG

}  // namespace

std::span<const NamedFormat> system_rows() { return kRows; }

}  // namespace mrc
