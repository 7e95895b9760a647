#include "fields/inner/access_wrapper.h"

#include "fields/inner/syslog_line.h"
#include "fields/inner/text_form.h"
#include "record.h"

#include <cstring>

namespace mrc {
namespace {

// Returns the first field of a CSV record, and undoes its doubled quotes.
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

// Lines of Kubernetes and containerd: 2016-10-06T00:17:09.669794202Z stdout F payload
Bytes in_cri(Bytes line, Arena *) {
  if (take_iso_time(&line).empty()) return {};
  const Bytes stream = take_word(&line), tag = take_word(&line);
  const bool is_cri = (stream == "stdout" || stream == "stderr") && (tag == "F" || tag == "P");
  return is_cri ? line : Bytes();
}

// Lines of syslog without a program: Oct 11 22:14:15 host payload. The host must not look like a
// client of an access line.
Bytes after_syslog_host(Bytes line, Arena *) {
  SyslogLine parsed;
  if (parse_syslog_line(line, &parsed) != nullptr) return {};
  const bool is_client = parsed.host.ends_with(',') || parsed.content.starts_with("- ");
  return is_client ? Bytes() : parsed.content;
}

// Lines of syslog: Oct 11 22:14:15 host nginx[12]: payload
Bytes after_syslog_program(Bytes line, Arena *) {
  SyslogLine parsed;
  const bool is_syslog = parse_syslog_line(line, &parsed) == nullptr;
  return is_syslog && parsed.program.data() != nullptr ? parsed.message : Bytes();
}

// Lines of kubectl logs --timestamps, docker logs --timestamps: 2016-10-06T00:17:09.669794202Z
// payload
Bytes after_time(Bytes line, Arena *) { return take_iso_time(&line).empty() ? Bytes() : line; }

// Lines of docker compose logs, docker service logs: web-1  | payload
Bytes after_bar(Bytes line, Arena *) {
  const Bytes name = take_word(&line);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const bool is_bar = line == "|" || line.starts_with("| ");
  return !name.empty() && is_bar ? line.substr(1) : Bytes();
}

// CRI is tried before the other wrappers that begin with a time, because they would take its stream
// for a host. Lines without a program are tried before lines with one, which would read "host
// 2001:db8::7 - -" as the program 2001.
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
