// The rows of named formats whose records name their fields: by a header, in columns, by labels, or
// as members. The last row has a pattern, which also fits lines that other rows recognize more
// clearly.
#include "fields/inner/named_formats.h"

namespace mrc {
namespace {

constexpr const char *kJournalNames =
    "time=__REALTIME_TIMESTAMP host=_HOSTNAME program=SYSLOG_IDENTIFIER program=_COMM pid=_PID "
    "pid=SYSLOG_PID level=PRIORITY unit=_SYSTEMD_UNIT message=MESSAGE";

constexpr const char *kJournalKinds =
    "level:syslog-level __CURSOR:text __MONOTONIC_TIMESTAMP:us _SOURCE_REALTIME_TIMESTAMP:time "
    "_BOOT_ID:text _MACHINE_ID:text _TRANSPORT:text _UID:number _GID:number SYSLOG_FACILITY:number "
    "_EXE:text _CMDLINE:text CODE_FILE:text CODE_LINE:number CODE_FUNC:text";

constexpr const char *kZeekKinds =
    "uid:text id.orig_p:number id.resp_h:address id.resp_p:number proto:text service:text "
    "duration:s orig_bytes:number resp_bytes:number conn_state:text missed_bytes:number "
    "history:text orig_pkts:number resp_pkts:number orig_ip_bytes:number resp_ip_bytes:number";

constexpr auto kRecords = NamedFormat::Lines::records;

constexpr NamedFormat kRows[] = {
    {"w3c", "log in the W3C's extended format, as of IIS and CloudFront", &kHeadedKind,
     "ip=c-ip method=cs-method path=cs-uri-stem path=cs-uri query=cs-uri-query status=sc-status "
     "bytes=sc-bytes "
     "agent=cs(User-Agent) referer=cs(Referer) user=cs-username host=cs-host "
     "protocol=cs-version "
     "protocol=cs-protocol-version port=s-port",
     "#Fields:", kRecords,
     // IIS counts milliseconds, CloudFront seconds.
     "time-taken:s/x-edge-location time-taken:ms time-to-first-byte:s date:time time:time "
     "s-ip:address cs-bytes:number sc-substatus:number sc-win32-status:number c-port:number "
     "sc-content-len:number sc-range-start:number sc-range-end:number fle-encrypted-fields:number "
     "x-edge-location:text x-edge-request-id:text x-edge-result-type:text x-host-header:text "
     "x-forwarded-for:text cs-protocol:text cs(Host):text cs(Cookie):text s-sitename:text "
     "s-computername:text ssl-protocol:text ssl-cipher:text"},

    {"vpc-flow", "Amazon VPC flow log", &kFlowKind,
     "time=start ip=srcaddr target_ip=dstaddr port=srcport target_port=dstport",
     "version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes "
     "start end action log-status",
     kRecords,
     "version:number account-id:text interface-id:text protocol:number packets:number "
     "bytes:number end:time action:text log-status:text vpc-id:text subnet-id:text "
     "instance-id:text tcp-flags:number type:text pkt-srcaddr:address pkt-dstaddr:address "
     "region:text az-id:text sublocation-type:text sublocation-id:text pkt-src-aws-service:text "
     "pkt-dst-aws-service:text flow-direction:text traffic-path:number"},

    {"zeek", "log of Zeek", &kHeadedKind,
     "time=ts ip=id.orig_h method=method path=uri status=status_code host=host "
     "agent=user_agent "
     "referer=referrer",
     "#fields\t", kRecords, kZeekKinds},

    {"postgres-csv", "PostgreSQL log as CSV", &kCsvKind,
     "time,user,database,pid,client,session,session_line,command,time_session_start,"
     "virtual_transaction,transaction,level,state,message,detail,hint,internal_query,"
     "internal_position,context,query,query_position,location,application,backend_type,leader_"
     "pid,"
     "query_id",
     "\x16", kRecords,
     "client:text session_line:number time_session_start:time transaction:number "
     "internal_position:number query_position:number leader_pid:number query_id:number"},

    {"audit", "log of the Linux audit daemon", &kAuditKind, "", "", kRecords,
     "type:text time:time serial:number node:text arch:text syscall:number success:text "
     "exit:number items:number ppid:number pid:number auid:number uid:number gid:number "
     "euid:number suid:number fsuid:number egid:number sgid:number fsgid:number ses:number "
     "tty:text comm:text exe:text key:text cwd:text op:text acct:text hostname:text addr:address "
     "terminal:text res:text name:text scontext:text tcontext:text tclass:text permissive:number"},
    {"cef", "events in the Common Event Format", &kCefKind, "", "", kRecords,
     "time:time host:text cef_version:number vendor:text product:text version:text "
     "signature:text name:text severity:number rt:time start:time end:time src:address spt:number "
     "dst:address dpt:number dvc:address shost:text dhost:text proto:text app:text act:text "
     "suser:text duser:text request:text msg:text cnt:number in:number out:number cs1:text "
     "cs1Label:text cs2:text cs2Label:text cs3:text cs3Label:text"},
    {"leef", "events in the Log Event Extended Format", &kLeefKind, "", "", kRecords,
     "time:time host:text leef_version:number vendor:text product:text version:text event:text "
     "devTime:time sev:number src:address srcPort:number dst:address dstPort:number proto:text "
     "usrName:text cat:text"},
    {"windows-event", "events of Windows as XML", &kWindowsEventKind, "", "", kRecords,
     "provider:text event_id:number Version:number level:windows-level task:number opcode:number "
     "keywords:text time:time record_id:number pid:number thread:number channel:text host:text "
     "user_id:text message:text TargetUserName:text SubjectUserName:text IpAddress:address "
     "IpPort:number LogonType:number data:text"},

    {"mongodb", "MongoDB log", &kJsonKind,
     "time=t.$date level=s component=c context=ctx message=msg duration_ms=attr.durationMillis",
     "t s c id ctx msg", kRecords, "id:number t:structure duration_ms:ms"},
    {"docker", "log of a container, as Docker keeps it", &kJsonKind, "message=log",
     "log stream time", NamedFormat::Lines::around, "time:time stream:text"},
    {"journal", "systemd journal as JSON", &kJsonKind, kJournalNames,
     "__REALTIME_TIMESTAMP __CURSOR|_BOOT_ID", kRecords, kJournalKinds},
    {"journal-export", "systemd journal as journalctl exports it", &kJournalKind, kJournalNames, "",
     kRecords, kJournalKinds},
    {"suricata", "Suricata's EVE", &kJsonKind,
     "time=timestamp ip=src_ip port=src_port message=alert.signature", "timestamp event_type",
     kRecords, "flow_id:number event_type:text dest_ip:address dest_port:number proto:text"},
    {"zeek-json", "log of Zeek as JSON", &kJsonKind, "time=ts ip=id.orig_h", "ts uid id.orig_h",
     kRecords, kZeekKinds},
    {"gelf", "log in the Graylog Extended Log Format", &kJsonKind,
     "time=timestamp message=short_message", "version host short_message", kRecords,
     "version:text host:text level:syslog-level full_message:text facility:text file:text "
     "line:number"},
    {"caddy", "Caddy access log", &kJsonKind,
     "time=ts message=msg ip=request.remote_ip ip=request.remote_addr method=request.method "
     "path=request.uri protocol=request.proto host=request.host bytes=size user=user_id "
     "agent=request.headers.User-Agent.0 referer=request.headers.Referer.0",
     "ts msg request duration", kRecords,
     "level:level logger:text duration:s status:number request.remote_port:number "
     "bytes_read:number"},
    {"traefik-json", "Traefik access log as JSON", &kJsonKind,
     "time=StartUTC ip=ClientHost user=ClientUsername method=RequestMethod path=RequestPath "
     "protocol=RequestProtocol status=DownstreamStatus bytes=DownstreamContentSize "
     "host=RequestHost router=RouterName agent=request_User-Agent referer=request_Referer",
     "ClientHost RequestPath DownstreamStatus|OriginStatus", kRecords,
     "level:level msg:text ClientAddr:text ClientPort:number Duration:ns Overhead:ns "
     "OriginDuration:ns OriginStatus:number OriginContentSize:number RequestContentSize:number "
     "RequestCount:number RetryAttempts:number RequestPort:number StartLocal:time "
     "entryPointName:text ServiceName:text"},
    {"envoy-json", "Envoy access log as JSON", &kJsonKind,
     "time=start_time status=response_code bytes=bytes_sent host=authority agent=user_agent "
     "duration_ms=duration forwarded=x_forwarded_for upstream=upstream_host",
     "start_time response_code response_flags", kRecords,
     "method:text path:text protocol:text bytes_received:number response_flags:text "
     "upstream_service_time:ms request_id:text"},
    {"nginx-json", "nginx access log as JSON", &kJsonKind,
     "time=time_iso8601 time=time_local time=msec time=@timestamp ip=remote_addr "
     "user=remote_user "
     "method=request_method path=uri path=request_uri bytes=body_bytes_sent bytes=bytes_sent "
     "agent=http_user_agent referer=http_referer referer=http_referrer host=http_host "
     "protocol=server_protocol",
     "remote_addr status http_user_agent|request", kRecords,
     "status:number request:text request_time:s request_length:number upstream_addr:text "
     "upstream_response_time:s upstream_connect_time:s upstream_header_time:s "
     "connection:number connection_requests:number request_id:text"},
    {"postgres-json", "PostgreSQL log as JSON", &kJsonKind,
     "time=timestamp level=error_severity database=dbname client=remote_host "
     "application=application_name",
     "timestamp pid error_severity", kRecords,
     "pid:number user:text session_id:text session_start:time line_num:number state_code:text "
     "message:text remote_port:number query_id:number leader_pid:number backend_type:text"},
    {"elasticsearch-json", "Elasticsearch log as JSON", &kJsonKind,
     "time=timestamp time=@timestamp level=log.level logger=component logger=log.logger "
     "node=node.name node=elasticsearch.node.name",
     "cluster.name|elasticsearch.cluster.name message node.name|elasticsearch.node.name", kRecords,
     "type:text level:level cluster.name:text message:text"},
    {"ecs", "log in the Elastic Common Schema", &kJsonKind,
     "time=@timestamp level=log.level logger=log.logger thread=process.thread.name "
     "host=host.name "
     "ip=source.ip",
     "@timestamp ecs.version|ecs", kRecords,
     "message:text ecs.version:text service.name:text event.duration:ns event.created:time "
     "event.start:time event.end:time client.ip:address destination.ip:address "
     "http.response.status_code:number"},
    {"logstash", "log of Logstash's encoders", &kJsonKind,
     "time=@timestamp logger=logger_name thread=thread_name level=severity", "@timestamp @version",
     kRecords, "@version:text message:text level:level level_value:number"},
    {"serilog-json", "log of Serilog as JSON", &kJsonKind,
     "time=@t level=@l message=@m message=@mt exception=@x", "@t @mt|@m", kRecords,
     "@i:text @r:structure"},
    {"cloudtrail", "events of AWS CloudTrail", &kJsonKind,
     "time=eventTime ip=sourceIPAddress user=userIdentity.userName user=userIdentity.arn "
     "agent=userAgent event=eventName",
     "eventVersion eventTime eventSource", kRecords,
     "eventVersion:text eventSource:text awsRegion:text errorCode:text errorMessage:text "
     "requestID:text eventID:text eventType:text recipientAccountId:text readOnly:truth"},
    {"kubernetes-audit", "audit log of Kubernetes", &kJsonKind,
     "time=requestReceivedTimestamp method=verb path=requestURI status=responseStatus.code "
     "user=user.username ip=sourceIPs.0 agent=userAgent",
     "kind auditID stage", kRecords,
     "level:text kind:text apiVersion:text auditID:text stage:text stageTimestamp:time"},
    {"gcp", "log of Google Cloud", &kJsonKind,
     "time=timestamp level=severity message=textPayload message=jsonPayload.message "
     "message=protoPayload.status.message",
     "timestamp logName insertId|resource", kRecords,
     "insertId:text logName:text receiveTimestamp:time httpRequest.latency:duration "
     "httpRequest.status:number httpRequest.remoteIp:address"},
    {"log4j-json", "log of Log4j as JSON", &kJsonKind,
     "time=timeMillis time=instant.epochSecond logger=loggerName",
     "loggerName level timeMillis|instant", kRecords,
     "level:level thread:text message:text threadId:number threadPriority:number "
     "endOfBatch:truth instant.nanoOfSecond:number"},
    {"python-json", "log of Python's logging as JSON", &kJsonKind,
     "time=asctime level=levelname logger=name", "asctime levelname message", kRecords,
     "message:text lineno:number process:number thread:number created:time msecs:ms "
     "relativeCreated:ms filename:text funcName:text"},
    {"bunyan", "log of Bunyan or Pino", &kJsonKind, "host=hostname message=msg logger=name",
     "hostname pid level time", kRecords,
     "time:time level:level pid:number v:number responseTime:ms"},
    {"zap-json", "log of zap as JSON", &kJsonKind, "time=ts message=msg logger=logger",
     "level ts msg", kRecords, "level:level caller:text stacktrace:text"},
    {"logrus", "log of logrus or slog as JSON", &kJsonKind, "message=msg", "level msg time",
     kRecords, "time:time level:level"},

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
