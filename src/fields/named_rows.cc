// The rows of named formats whose lines have patterns. Comments say only what the patterns do not
// show.
#include "fields/inner/named_formats.h"

namespace mrc {
namespace {

// Parts of several patterns.
#define REQUEST                                                 \
  R"p("%(request:%[%{method:name} %{path}%[?%{query:word}%] )p" \
  R"p(%(protocol:HTTP/%{:number}%)%]%{}%)")p"
// A target that is a URL, as load balancers write it.
#define URL_REQUEST                                                                  \
  R"p("%(request:%[%{method:name} %[%{scheme:name}://%{host}:%{port:int}%]%{path})p" \
  R"p(%[?%{query:word}%] %(protocol:HTTP/%{:number}%)%]%{}%)")p"
// The front of a syslog line, in files and as sent.
#define SYSLOG                                                    \
  R"p(%[%[<%{priority:int}>%]%{syslog_time:time} %{host:word} )p" \
  R"p(%{program:word}[%{pid:int}]: %])p"

// Levels are in lower case, which tells these lines from Elasticsearch's.
#define JVM(level)                                                                              \
  R"p(%[[%{time}]%]%[[%{uptime:number}s]%]%[[%{pid:int}]%]%[[%{thread:int}]%][%(level:)p" level \
  R"p(%)%[ %]][%{tags:word}%[ %]] %{message})p"

constexpr auto kRecords = NamedFormat::Lines::records, kJoined = NamedFormat::Lines::joined,
               kBlocks = NamedFormat::Lines::blocks, kAround = NamedFormat::Lines::around;

constexpr NamedFormat kRows[] = {
    {"nginx-error", "nginx error log", &kPatternKind,
     R"p(%{time} [%{level}] %{pid:int}#%{thread:int}: %[*%{connection:int} %]%{message})p"
     R"p(%[, client: %{ip:client}%]%[, server: %{server}%]%[, login: %{login:quoted}%])p"
     R"p(%[, request: )p" REQUEST R"p(%]%[, subrequest: %{subrequest:quoted}%])p"
     R"p(%[, upstream: %{upstream:quoted}%]%[, host: %{host:quoted}%])p"
     R"p(%[, referrer: %{referer:quoted}%])p",
     "", kJoined},

    // Version 2.4, where the module may be empty, then 2.2, which has neither module nor pid.
    {"apache-error", "Apache error log", &kPatternKind,
     R"p([%{time}] [%[%{module:name}%]:%{level}] %[[pid %{pid:int}%[:tid %{thread:int}%]] %])p"
     R"p(%[[client %{ip:client}] %]%[[remote %{remote:client}] %])p"
     R"p(%{message}%[, referer: %{referer}%]%|)p"
     R"p([%(time:%{:name} %{:name} %{:int} %{:word} %{:int}%)] [%{level}] )p"
     R"p(%[[pid %{pid:int}] %]%[[client %{ip:client}] %])p"
     R"p(%{message}%[, referer: %{referer}%])p"},

    {"haproxy", "HAProxy log", &kPatternKind,
     SYSLOG R"p(%{ip:client} [%{time}] %{frontend:word} %{backend:word}/%{server:word} )p"
            R"p(%{request_ms:int}/%{queue_ms:int}/%{connect_ms:int}/)p"
            R"p(%{response_ms:int}/%[+%]%{total_ms:int} )p"
            R"p(%{status:int} %[+%]%{bytes:int} %{request_cookie:word} %{response_cookie:word} )p"
            R"p(%{termination:word} )p"
            R"p(%{actconn:int}/%{feconn:int}/%{beconn:int}/%{srvconn:int}/%[+%]%{retries:int} )p"
            R"p(%{server_queue:int}/%{backend_queue:int} %[{%{request_headers}} )p"
            R"p(%]%[{%{response_headers}} %])p"
            R"p("%(request:%[%{method:name} %{path}%[?%{query:word}%] )p"
            R"p(%(protocol:HTTP/%{:number}%)%]%{}%)%["%{}%]%|)p"
     // TCP connections
     SYSLOG R"p(%{ip:client} [%{time}] %{frontend:word} %{backend:word}/%{server:word} )p"
            R"p(%{queue_ms:int}/%{connect_ms:int}/%[+%]%{total_ms:int} %[+%]%{bytes:int} )p"
            R"p(%{termination:word} )p"
            R"p(%{actconn:int}/%{feconn:int}/%{beconn:int}/%{srvconn:int}/%[+%]%{retries:int} )p"
            R"p(%{server_queue:int}/%{backend_queue:int}%|)p"
     // failed connections, and messages of the program itself
     SYSLOG R"p(%{ip:client} [%{time}] %{frontend:word}: %{message}%|)p"
            R"p(%[<%{priority:int}>%]%{syslog_time:time} %{host:word} )p"
            R"p(%(program:haproxy%)[%{pid:int}]: %{message})p"},

    {"alb", "access log of an AWS Application Load Balancer", &kPatternKind,
     R"p(%{type:name} %{time} %{elb:word} %{ip:client} %{target:word} )p"
     R"p(%{request_processing_time:number} %{target_processing_time:number} )p"
     R"p(%{response_processing_time:number} %{status:int} %{target_status:int} )p"
     R"p(%{received_bytes:int} %{bytes:int} )p" URL_REQUEST
     R"p( %{agent:quoted} %{ssl_cipher:word} %{ssl_protocol:word} %{target_group_arn:word} )p"
     R"p(%{trace_id:quoted} %{domain_name:quoted} %{chosen_cert_arn:quoted} )p"
     R"p(%{matched_rule_priority:int} %{request_creation_time:time} %{actions_executed:quoted} )p"
     R"p(%{redirect_url:quoted} %{error_reason:quoted}%[ %{target_list:quoted})p"
     R"p( %{target_status_list:quoted} %{classification:quoted} )p"
     R"p(%{classification_reason:quoted}%[ %{conn_trace_id:word}%]%]%[ %{:rest}%])p",
     "", kRecords, "request_processing_time:s target_processing_time:s response_processing_time:s"},

    {"elb", "access log of an AWS Classic Load Balancer", &kPatternKind,
     R"p(%{time} %{elb:word} %{ip:client} %{backend:word} %{request_processing_time:number} )p"
     R"p(%{backend_processing_time:number} %{response_processing_time:number} %{status:int} )p"
     R"p(%{backend_status:int} %{received_bytes:int} %{bytes:int} )p" URL_REQUEST
     R"p(%[ %{agent:quoted} %{ssl_cipher:word} %{ssl_protocol:word}%])p",
     "", kRecords,
     "request_processing_time:s backend_processing_time:s response_processing_time:s"},

    {"s3", "Amazon S3 server access log", &kPatternKind,
     R"p(%{owner:word} %{bucket:word} [%{time}] %{ip:client} %{requester:word} )p"
     R"p(%{request_id:word} %{operation:word} %{key:word} %[)p" REQUEST
     R"p(%]%[-%] %{status:int} %{error_code:word} %{bytes:int} %{object_size:int} )p"
     R"p(%{total_ms:int} )p"
     R"p(%{turnaround_ms:int} %{referer:quoted} %{agent:quoted} %{version_id:word})p"
     R"p(%[ %{host_id:word}%[ %{signature_version:word} %{cipher_suite:word} )p"
     R"p(%{authentication_type:word} %{host:word}%[ %{tls_version:word}%[ )p"
     R"p(%{access_point_arn:word})p"
     R"p(%[ %{acl_required:word}%[ %{:rest}%]%]%]%]%]%])p"},

    {"nlb", "access log of an AWS Network Load Balancer", &kPatternKind,
     R"p(tls %{version:word} %{time} %{elb:word} %{listener:word} %{ip:client} %{target:word} )p"
     R"p(%{connection_ms:int} %{handshake_ms:int} %{received_bytes:int} %{bytes:int} )p"
     R"p(%{alert:word} %{chosen_cert_arn:word} %{chosen_cert_serial:word} %{ssl_cipher:word} )p"
     R"p(%{ssl_protocol:word} %{named_group:word} %{domain_name:word}%[ %{:rest}%])p"},

    {"squid", "Squid access log", &kPatternKind,
     R"p(%{time} %{duration_ms:int} %{ip:client} %{result:word}/%{status:int} %{bytes:int} )p"
     R"p(%{method:word} %{url:word} %{user:word} %{hierarchy:word}/%{peer:word} )p"
     R"p(%{type:word}%[ %{:rest}%])p"},

    {"traefik", "Traefik access log", &kPatternKind,
     R"p(%{ip:client} %{ident:word} %{user:word} [%{time}] )p" REQUEST
     R"p( %{status:int} %{bytes:int} %{referer:quoted} %{agent:quoted} %{request_number:int} )p"
     R"p(%{router:quoted} %{server:quoted} %{duration_ms:int}ms)p"},

    // The default format, then that of Istio.
    {"envoy", "Envoy access log", &kPatternKind,
     R"p([%{time}] )p" REQUEST
     R"p( %{status:int} %{flags:word} %{received_bytes:int} %{bytes:int} %{duration_ms:int} )p"
     R"p(%{upstream_ms:int} %{forwarded:quoted} %{agent:quoted} %{request_id:quoted} )p"
     R"p(%{host:quoted} %{upstream:quoted}%|)p"
     R"p([%{time}] )p" REQUEST
     R"p( %{status:int} %{flags:word} %[%{details:word} %{connection_details:word} )p"
     R"p(%{failure:quoted} %])p"
     R"p(%{received_bytes:int} %{bytes:int} %{duration_ms:int} %{upstream_ms:int} )p"
     R"p(%{forwarded:quoted} %{agent:quoted} %{request_id:quoted} %{host:quoted} )p"
     R"p(%{upstream:quoted} )p"
     R"p(%{upstream_cluster:word} %{upstream_local:word} %{downstream_local:word} )p"
     R"p(%{downstream_remote:word} %{server_name:word} %{route:word}%[ %{:rest}%])p"},

    {"gin", "Gin access log", &kPatternKind,
     R"p([GIN] %(time:%{:word} - %{:word}%) | %{status:int} | %{duration:word} | %{ip:client} | )p"
     R"p(%{method:name} "%{path}%[?%{query:word}%]"%|)p"
     R"p([GIN] %(time:%{:word} - %{:word}%) | %{status:int} | %{duration:word} | %{ip:client} | )p"
     R"p(%{method:name} %{path}%[?%{query:word}%])p",
     "", kRecords, "duration:duration"},

    // log_line_prefix sets the prefix of a line: the default, those of packages and of pgbadger's
    // manual, and that of Amazon RDS.
    {"postgres", "PostgreSQL log", &kPatternKind,
     R"p(%{time} [%{pid:int}%[-%{line:int}%]]%[:%]%[ [%{session_line:int}-%{:int}]%] )p"
     R"p(%[user=%{user},db=%{database}%[,app=%{application}%]%[,client=%{client}%] %])p"
     R"p(%{level}: %(message:%[duration: %{duration_ms:number} ms%]%{:rest}%)%|)p"
     R"p(%{time} [%{pid:int}%[-%{line:int}%]]%[:%]%[ [%{session_line:int}-%{:int}]%] )p"
     R"p(%{user}@%{database:word} )p"
     R"p(%{level}: %(message:%[duration: %{duration_ms:number} ms%]%{:rest}%)%|)p"
     R"p(%{time}:%[%{client:word}(%{port:int})%]:%[%{user}@%{database}%]:[%{pid:int}]:%{level}: )p"
     R"p(%(message:%[duration: %{duration_ms:number} ms%]%{:rest}%))p",
     "", kJoined},

    // Versions 8.0 and 5.7, MariaDB, 5.6, and 5.5, whose parts and starter write no level.
    {"mysql-error", "MySQL or MariaDB error log", &kPatternKind,
     R"p(%{time} %{thread:int} [%{level}] %[[%(code:MY-%{:int}%)] %]%[[%{subsystem:name}] %])p"
     R"p(%{message}%|%(time:%{:int} %{:word}%) [%{level}] %{message}%|)p"
     R"p(%{time} %(subsystem:InnoDB%): %{message}%|%{time} %(subsystem:mysqld_safe%) %{message})p",
     "", kJoined},

    {"mysql-slow", "MySQL or MariaDB slow query log", &kSlowQueriesKind, "", "", kJoined,
     "time:time user:text host:text ip:address id:number query_time:s lock_time:s "
     "rows_sent:number rows_examined:number database:text message:text thread_id:number "
     "rows_affected:number bytes_sent:number qc_hit:text killed:number last_errno:number"},

    {"redis", "Redis log", &kPatternKind,
     R"p(%{pid:int}:%{role:name} %{time} %{level:sign} %{message}%|)p"
     R"p([%{pid:int}] %{time} %{level:sign} %{message}%|)p"
     R"p(%{pid:int}:%(role:signal-handler%) (%{time:int}) %{message})p",
     "", kRecords, "level:redis-level"},

    {"mongodb-text", "MongoDB log before 4.4", &kPatternKind,
     R"p(%{time} %(level:%{:letter}%[%{:int}%]%) %{component:word} [%{context}] %(message:%{}%[ )p"
     R"p(%{duration_ms:int}ms%]%))p"},

    {"spring", "Spring Boot log", &kPatternKind,
     R"p(%{time} %{level} %{pid:int} --- [%{application}] [%[ %]%{thread}] %[[%{trace}] %])p"
     R"p(%{logger:word} : %{message}%|)p"
     R"p(%{time} %{level} %{pid:int} --- [%[ %]%{thread}] %[[%{trace}] %]%{logger:word} : )p"
     R"p(%{message})p",
     "", kJoined},

    {"zookeeper", "ZooKeeper log", &kPatternKind,
     R"p(%{time}%[ [myid:%{myid}]%] - %{level} [%{source}] - %{message})p", "", kJoined},

    {"nats", "NATS log", &kPatternKind, R"p([%{pid:int}] %{time} [%{level}] %{message})p"},

    // The format of -Xlog.
    {"jvm", "log of a Java virtual machine", &kPatternKind,
     JVM("info") "%|" JVM("debug") "%|" JVM("trace") "%|" JVM("warning") "%|" JVM("error"), "",
     kJoined, "uptime:s"},

    {"elasticsearch", "Elasticsearch log", &kPatternKind,
     R"p([%{time}][%{level}%[ %]][%{logger:word}%[ %]] %[[%{node}] %]%{message})p", "", kJoined},

    {"cassandra", "Cassandra log", &kPatternKind,
     R"p(%{level} [%{thread}] %{time} %{file:word}:%{line:int} - %{message})p", "", kJoined},

    {"openstack", "OpenStack log", &kPatternKind,
     R"p(%{time} %{pid:int} %{level} %{logger:word} [%{request_id}] %{message}%|)p"
     R"p(%{source:word} %{time} %{pid:int} %{level} %{logger:word} [%{request_id}] %{message})p"},

    // Hadoop, Tomcat and Spark in the first two; Logback and Log4j in the next; JBoss in the
    // last.
    {"log4j", "log of Log4j, Logback or the like", &kPatternKind,
     R"p(%{time} %{level} %{thread:bracketed} %{logger:class}%[:%] %{message}%|)p"
     R"p(%{time} %{level} %{logger:class}: %{message}%|)p"
     R"p(%{time} [%{thread}] %{level} %{logger:class}%[ [%{mdc}]%] - %{message}%|)p"
     R"p(%{time} %{level} [%{logger:class}] (%{thread}) %{message})p",
     "", kJoined},

    {"hdfs", "HDFS log", &kPatternKind,
     R"p(%{time} %{pid:int} %{level} %{logger:word}: %{message})p", "", kJoined},

    // Lines of logging.Formatter as most programs set it, of Celery, Airflow and Gunicorn.
    {"python", "log of Python's logging", &kPatternKind,
     R"p(%{time} - %{logger:word} - %{level} - %{message}%|)p"
     R"p(%{time} - %{level} - %{logger:name}:%[ %]%{message}%|)p"
     R"p([%{time}: %{level}/%{process}] %{message}%|)p"
     R"p([%{time}] {%{file}:%{line:int}} %{level} - %{message}%|)p"
     R"p([%{time}] [%{pid:int}] [%{level}] %{message}%|)p"
     R"p(%{level}:%{logger:name}:%{message})p",
     "", kJoined},

    {"ruby", "log of Ruby's Logger, as of Rails", &kPatternKind,
     R"p(%{severity:name}, [%{time} #%{pid:int}] %{level} -- %{program}: %{message})p", "", kJoined,
     "severity:level"},

    {"laravel", "log of Laravel or Monolog", &kPatternKind,
     R"p([%{time}] %{channel:word}.%{level}: %{message})p", "", kJoined},

    {"php", "PHP error log", &kPatternKind,
     R"p([%{time}] PHP %{level:text}: %(message:%{}%[ in %{file:word} )p"
     R"p(on line %{line:int}%]%))p",
     "", kJoined, "level:php-level"},

    // The simple console logger, which writes a message below its header.
    {"dotnet", "console log of .NET", &kPatternKind,
     R"p(%[%{time} %]%{level}: %{logger:word}[%{event:int}]%[ %]%{message})p", "", kBlocks},

    {"nlog", "log of NLog", &kPatternKind, R"p(%{time}|%{level}|%{logger}|%{message})p", "",
     kJoined},

    {"erlang", "reports of Erlang, as of RabbitMQ before 3.7", &kPatternKind,
     R"p(=%{level:name} REPORT==== %{time} ===%[ %]%{message})p", "", kBlocks},

    {"glog", "log of glog or klog", &kPatternKind,
     R"p(%{level:letter}%{time} %{thread:int} %{file}:%{line:int}] %{message})p"},

    {"zap", "console log of zap", &kPatternKind,
     R"p(%{time} %{level} %(caller:%{file:word}.go:%{line:int}%) %{message}%|)p"
     R"p(%{time} %{level} %{logger:word} %(caller:%{file:word}.go:%{line:int}%) %{message})p",
     "", kJoined},

    // The formats threadtime, time and brief.
    {"logcat", "Android logcat", &kPatternKind,
     R"p(%{time} %{pid:int} %{thread:int} %{level:letter} %{logger:word}%[ %]:%[ %]%{message}%|)p"
     R"p(%{time} %{uid:word} %{pid:int} %{thread:int} %{level:letter} %{logger:word}%[ %]:%[ %])p"
     R"p(%{message}%|)p"
     R"p(%{time} %{level:letter}/%{logger}(%[ %]%{pid:int}%[:%[ %]%{thread:int}%]):%[ %])p"
     R"p(%{message}%|)p"
     R"p(%{level:letter}/%{logger}(%[ %]%{pid:int}):%[ %]%{message})p"},

    // The last alternative is for logs without RAS: Thunderbird, Spirit, Liberty.
    {"bgl", "log of a supercomputer, as of Blue Gene/L", &kPatternKind,
     R"p(%{label:word} %{epoch:int} %{date:word} %{node:word} %{time} %{node_again:word} )p"
     R"p(%{type:name} %{component:name} %{level} %{message}%|)p"
     R"p(%{label:word} %{time} %(date:%{:int}.%{:int}.%{:int}%) %{node:word} )p"
     R"p(%(local_time:%{:name} %{:int} %{:int}:%{:int}:%{:int}%) %{host:word} )p"
     R"p(%[%{program:word}[%{pid:int}]: %]%{message})p",
     "", kRecords, "epoch:time date:time local_time:time"},

    {"cri", "log of a container, as Kubernetes keeps it", &kPatternKind,
     R"p(%{time} %(stream:stdout%) %{tag:name} %{message}%|)p"
     R"p(%{time} %(stream:stderr%) %{tag:name} %{message})p",
     "", kAround},

    {"dmesg", "messages of the Linux kernel", &kPatternKind,
     R"p(%[<%{priority:int}>%]%[%{facility:name}%[ %]:%{level}%[ %]: %][%[ )p"
     R"p(%]%(uptime:%{:int}.%{:int}%)] %{message})p",
     "", kRecords, "uptime:s"},

    {"fail2ban", "fail2ban log", &kPatternKind,
     R"p(%{time} fail2ban.%{component:word}%[ %][%{pid:int}]: %{level} %[[%{jail}] %])p"
     R"p(%(message:%[%{action:name} %{ip}%]%{:rest}%))p"},

    {"suricata-fast", "alerts of Suricata or Snort", &kPatternKind,
     R"p(%{time} [**] [%{gid:int}:%{sid:int}:%{revision:int}] %{message} [**] )p"
     R"p(%[[Classification: %{classification}] %]%[[Priority: %{priority:int}] %]{%{protocol}} )p"
     R"p(%(source:%{ip}%[:%{port:int}%]%) -> )p"
     R"p(%(target:%{target_ip:ip}%[:%{target_port:int}%]%))p"},

    {"dpkg", "dpkg log", &kPatternKind,
     R"p(%{time} %(action:status%) %{state:word} %{package:word} %{version:word}%|)p"
     R"p(%{time} %(action:startup%) %{state:word} %{package:word}%|)p"
     R"p(%{time} %{action:name} %{package:word}:%{architecture:word} %{old_version:word} )p"
     R"p(%{version:word})p"},
};

#undef REQUEST
#undef URL_REQUEST
#undef SYSLOG
#undef JVM

}  // namespace

std::span<const NamedFormat> pattern_rows() { return kRows; }

}  // namespace mrc
