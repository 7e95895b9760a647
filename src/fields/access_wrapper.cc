#include "fields/access_wrapper.h"

#include "fields/syslog_line.h"
#include "fields/text_form.h"
#include "record.h"

#include <cstring>

namespace mrc {
namespace {

// The first field of a CSV record, whose quotes are doubled.
Bytes in_csv(Bytes line, Arena *arena) {
  if (!line.starts_with('"')) return {};
  char *copy = reinterpret_cast<char *>(arena->alloc(std::ssize(line) + kPadding));
  char *out = copy;
  for (size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '"') {
      *out++ = line[i];
    } else if (line.substr(i + 1).starts_with('"')) {
      *out++ = line[i++];
    } else {
      std::memset(out, 0, kPadding);
      return {copy, static_cast<size_t>(out - copy)};
    }
  }
  return {};
}

// Kubernetes and containerd: 2016-10-06T00:17:09.669794202Z stdout F payload
Bytes in_cri(Bytes line, Arena *) {
  if (take_iso_time(&line).empty()) return {};
  const Bytes stream = take_word(&line), tag = take_word(&line);
  const bool is_cri = (stream == "stdout" || stream == "stderr") && (tag == "F" || tag == "P");
  return is_cri ? line : Bytes();
}

// Without a program: Oct 11 22:14:15 host payload. What looks like a host could be a client.
Bytes after_syslog_host(Bytes line, Arena *) {
  SyslogLine parsed;
  if (parse_syslog_line(line, &parsed) != nullptr) return {};
  const bool is_client = parsed.host.ends_with(',') || parsed.content.starts_with("- ");
  return is_client ? Bytes() : parsed.content;
}

// Oct 11 22:14:15 host nginx[12]: payload
Bytes after_syslog_program(Bytes line, Arena *) {
  SyslogLine parsed;
  const bool is_syslog = parse_syslog_line(line, &parsed) == nullptr;
  return is_syslog && parsed.program.data() != nullptr ? parsed.message : Bytes();
}

// kubectl logs --timestamps, docker logs --timestamps: 2016-10-06T00:17:09.669794202Z payload
Bytes after_time(Bytes line, Arena *) { return take_iso_time(&line).empty() ? Bytes() : line; }

// docker compose logs, docker service logs: web-1  | payload
Bytes after_bar(Bytes line, Arena *) {
  const Bytes name = take_word(&line);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const bool is_bar = line == "|" || line.starts_with("| ");
  return !name.empty() && is_bar ? line.substr(1) : Bytes();
}

// CRI comes first of those that begin with a time: others would take its stream for a host. A
// line without a program comes before one with it: in "host 2001:db8::7 - -" that would be 2001.
constexpr AccessWrapper kTable[] = {
    {"CSV", in_csv},
    {"CRI", in_cri},
    {"timestamps", after_time},
    {"syslog", after_syslog_host},
    {"syslog", after_syslog_program},
    {"compose", after_bar},
};

}  // namespace

std::span<const AccessWrapper> access_wrappers() { return kTable; }

}  // namespace mrc
