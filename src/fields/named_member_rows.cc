// The rows of named formats whose records name their fields: by a header, in columns, by labels, or
// as members. The last one has a pattern that fits what others are clearer about.
#include "fields/named_formats.h"

namespace mrc {
namespace {

constexpr const char *kJournalNames =
    "time=__REALTIME_TIMESTAMP host=_HOSTNAME program=SYSLOG_IDENTIFIER program=_COMM pid=_PID "
    "pid=SYSLOG_PID level=PRIORITY unit=_SYSTEMD_UNIT message=MESSAGE";

constexpr NamedFormat kRows[] = {
    {"w3c", "log in the W3C's extended format, as of IIS and CloudFront", &kHeadedKind,
     "ip=c-ip method=cs-method path=cs-uri-stem path=cs-uri query=cs-uri-query status=sc-status "
     "bytes=sc-bytes "
     "agent=cs(User-Agent) referer=cs(Referer) user=cs-username host=cs-host "
     "protocol=cs-version "
     "protocol=cs-protocol-version port=s-port",
     "#Fields:"},

    {"vpc-flow", "Amazon VPC flow log", &kFlowKind,
     "time=start ip=srcaddr target_ip=dstaddr port=srcport target_port=dstport",
     "version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes "
     "start end action log-status"},

    {"zeek", "log of Zeek", &kHeadedKind,
     "time=ts ip=id.orig_h method=method path=uri status=status_code host=host "
     "agent=user_agent "
     "referer=referrer",
     "#fields\t"},

    {"postgres-csv", "PostgreSQL log as CSV", &kCsvKind,
     "time,user,database,pid,client,session,session_line,command,time_session_start,"
     "virtual_transaction,transaction,level,state,message,detail,hint,internal_query,"
     "internal_position,context,query,query_position,location,application,backend_type,leader_"
     "pid,"
     "query_id",
     "\x16"},

    {"audit", "log of the Linux audit daemon", &kAuditKind},
    {"cef", "events in the Common Event Format", &kCefKind},
    {"leef", "events in the Log Event Extended Format", &kLeefKind},
    {"windows-event", "events of Windows as XML", &kWindowsEventKind},

    {"mongodb", "MongoDB log", &kJsonKind,
     "time=t.$date level=s component=c context=ctx message=msg duration_ms=attr.durationMillis",
     "t s c id ctx msg"},
    {"docker", "log of a container, as Docker keeps it", &kJsonKind, "message=log",
     "log stream time", NamedFormat::Lines::around},
    {"journal", "systemd journal as JSON", &kJsonKind, kJournalNames,
     "__REALTIME_TIMESTAMP __CURSOR|_BOOT_ID"},
    {"journal-export", "systemd journal as journalctl exports it", &kJournalKind, kJournalNames},
    {"suricata", "Suricata's EVE", &kJsonKind,
     "time=timestamp ip=src_ip port=src_port message=alert.signature", "timestamp event_type"},
    {"zeek-json", "log of Zeek as JSON", &kJsonKind, "time=ts ip=id.orig_h", "ts uid id.orig_h"},
    {"gelf", "log in the Graylog Extended Log Format", &kJsonKind,
     "time=timestamp message=short_message", "version host short_message"},
    {"caddy", "Caddy access log", &kJsonKind,
     "time=ts message=msg ip=request.remote_ip ip=request.remote_addr method=request.method "
     "path=request.uri protocol=request.proto host=request.host bytes=size user=user_id "
     "agent=request.headers.User-Agent.0 referer=request.headers.Referer.0",
     "ts msg request duration"},
    {"traefik-json", "Traefik access log as JSON", &kJsonKind,
     "time=StartUTC ip=ClientHost user=ClientUsername method=RequestMethod path=RequestPath "
     "protocol=RequestProtocol status=DownstreamStatus bytes=DownstreamContentSize "
     "host=RequestHost router=RouterName agent=request_User-Agent referer=request_Referer",
     "ClientHost RequestPath DownstreamStatus|OriginStatus"},
    {"envoy-json", "Envoy access log as JSON", &kJsonKind,
     "time=start_time status=response_code bytes=bytes_sent host=authority agent=user_agent "
     "duration_ms=duration forwarded=x_forwarded_for upstream=upstream_host",
     "start_time response_code response_flags"},
    {"nginx-json", "nginx access log as JSON", &kJsonKind,
     "time=time_iso8601 time=time_local time=msec time=@timestamp ip=remote_addr "
     "user=remote_user "
     "method=request_method path=uri path=request_uri bytes=body_bytes_sent bytes=bytes_sent "
     "agent=http_user_agent referer=http_referer referer=http_referrer host=http_host "
     "protocol=server_protocol",
     "remote_addr status http_user_agent|request"},
    {"postgres-json", "PostgreSQL log as JSON", &kJsonKind,
     "time=timestamp level=error_severity database=dbname client=remote_host "
     "application=application_name",
     "timestamp pid error_severity"},
    {"elasticsearch-json", "Elasticsearch log as JSON", &kJsonKind,
     "time=timestamp time=@timestamp level=log.level logger=component logger=log.logger "
     "node=node.name node=elasticsearch.node.name",
     "cluster.name|elasticsearch.cluster.name message node.name|elasticsearch.node.name"},
    {"ecs", "log in the Elastic Common Schema", &kJsonKind,
     "time=@timestamp level=log.level logger=log.logger thread=process.thread.name "
     "host=host.name "
     "ip=source.ip",
     "@timestamp ecs.version|ecs"},
    {"logstash", "log of Logstash's encoders", &kJsonKind,
     "time=@timestamp logger=logger_name thread=thread_name level=severity", "@timestamp @version"},
    {"serilog-json", "log of Serilog as JSON", &kJsonKind,
     "time=@t level=@l message=@m message=@mt exception=@x", "@t @mt|@m"},
    {"cloudtrail", "events of AWS CloudTrail", &kJsonKind,
     "time=eventTime ip=sourceIPAddress user=userIdentity.userName user=userIdentity.arn "
     "agent=userAgent event=eventName",
     "eventVersion eventTime eventSource"},
    {"kubernetes-audit", "audit log of Kubernetes", &kJsonKind,
     "time=requestReceivedTimestamp method=verb path=requestURI status=responseStatus.code "
     "user=user.username ip=sourceIPs.0 agent=userAgent",
     "kind auditID stage"},
    {"gcp", "log of Google Cloud", &kJsonKind,
     "time=timestamp level=severity message=textPayload message=jsonPayload.message "
     "message=protoPayload.status.message",
     "timestamp logName insertId|resource"},
    {"log4j-json", "log of Log4j as JSON", &kJsonKind,
     "time=timeMillis time=instant.epochSecond logger=loggerName",
     "loggerName level timeMillis|instant"},
    {"python-json", "log of Python's logging as JSON", &kJsonKind,
     "time=asctime level=levelname logger=name", "asctime levelname message"},
    {"bunyan", "log of Bunyan or Pino", &kJsonKind, "host=hostname message=msg logger=name",
     "hostname pid level time"},
    {"zap-json", "log of zap as JSON", &kJsonKind, "time=ts message=msg logger=logger",
     "level ts msg"},
    {"logrus", "log of logrus or slog as JSON", &kJsonKind, "message=msg", "level msg time"},

    {"json-log", "log as JSON", &kJsonLogKind,
     "time=timestamp time=@timestamp time=ts time=Timestamp time=datetime time=date time=t "
     "time=Time time=timeStamp time=TimeStamp time=log_time time=logTime time=event_time "
     "time=eventTime time=created_at time=created time=_time time=T time=TIMESTAMP "
     "level=severity level=lvl level=Level level=LEVEL level=levelname level=log_level "
     "level=loglevel level=logLevel level=log.level level=Severity level=severity_text "
     "level=SeverityText level=L level=sev "
     "message=msg message=Message message=MESSAGE message=M "
     "logger=logger_name logger=loggerName logger=log.logger host=hostname host=host.name "
     "ip=client_ip ip=clientip ip=remote_addr ip=remote_ip ip=src_ip ip=source.ip"},
    {"logfmt-log", "log in logfmt", &kLogfmtLogKind,
     "time=timestamp time=ts time=t time=@timestamp time=datetime time=at "
     "level=lvl level=severity level=sev level=loglevel level=log_level level=levelname level=l "
     "message=msg host=hostname ip=client_ip ip=remote_addr ip=remote_ip"},

    {"nagios", "Nagios or Icinga log", &kPatternKind,
     R"p([%{time:int}] %(type:%{:name}%[ %{:name}%]%[ %{:name}%]%[ %{:name}%]%): %{message}%|)p"
     R"p([%{time:int}] %(message:Auto-save %{:rest}%)%|)p"
     R"p([%{time:int}] %(message:Nagios %{:rest}%)%|)p"
     R"p([%{time:int}] %(message:Icinga %{:rest}%)%|[%{time:int}] %(message:Caught %{:rest}%)%|)p"
     R"p([%{time:int}] %(message:Successfully %{:rest}%)%|)p"
     R"p([%{time:int}] %(message:Finished %{:rest}%))p"},
};

}  // namespace

std::span<const NamedFormat> member_rows() { return kRows; }

}  // namespace mrc
