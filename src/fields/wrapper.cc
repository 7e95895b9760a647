#include "fields/wrapper.h"

#include "base/text.h"
#include "fields/inner/syslog.h"
#include "fields/inner/text_form.h"
#include "kinds/level.h"
#include "record.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

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

// Removes the stream and the tag after a time in lines of Kubernetes and containerd. Returns false
// if the text does not begin with them.
bool take_stream(Bytes *text) {
  Bytes rest = *text;
  const Bytes stream = take_word(&rest), tag = take_word(&rest);
  const bool is_cri = (stream == "stdout" || stream == "stderr") && (tag == "F" || tag == "P");
  if (is_cri) *text = rest;
  return is_cri;
}

// Lines of Kubernetes and containerd: 2016-10-06T00:17:09.669794202Z stdout F payload
Bytes in_cri(Bytes line, Arena *) {
  return !take_iso_time(&line).empty() && take_stream(&line) ? line : Bytes();
}

// True for lines of Kubernetes and containerd, whose stream looks like a host.
bool has_stream(const SyslogLine &parsed) {
  if (parsed.host != "stdout" && parsed.host != "stderr") return false;
  return parsed.content.starts_with("F ") || parsed.content.starts_with("P ");
}

// Lines of syslog without a program: Oct 11 22:14:15 host payload. The host must not look like a
// client of an access line.
Bytes after_syslog_host(Bytes line, Arena *) {
  SyslogLine parsed;
  if (parse_syslog_line(line, &parsed) != nullptr || has_stream(parsed)) return {};
  const bool is_client = parsed.host.ends_with(',') || parsed.content.starts_with("- ");
  return is_client ? Bytes() : parsed.content;
}

// Lines of syslog: Oct 11 22:14:15 host nginx[12]: payload
Bytes after_syslog_program(Bytes line, Arena *) {
  SyslogLine parsed;
  const bool is_syslog = parse_syslog_line(line, &parsed) == nullptr && !has_stream(parsed);
  return is_syslog && parsed.program.data() != nullptr ? parsed.message : Bytes();
}

// Lines of kubectl logs --timestamps, docker logs --timestamps: 2016-10-06T00:17:09.669794202Z
// payload
Bytes after_time(Bytes line, Arena *) {
  const bool is_plain =
      !take_iso_time(&line).empty() && !(line.starts_with("std") && take_stream(&line));
  return is_plain ? line : Bytes();
}

// Lines of docker compose logs, docker service logs: web-1  | payload
Bytes after_bar(Bytes line, Arena *) {
  const Bytes name = take_word(&line);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const bool is_bar = line == "|" || line.starts_with("| ");
  return !name.empty() && is_bar ? line.substr(1) : Bytes();
}

// Returns the string of an object's member; `key` includes its quotes and the colon.
Bytes string_of(Bytes line, Bytes key, Arena *arena) {
  if (!line.starts_with('{')) return {};
  const size_t at = line.find(key);
  if (at == Bytes::npos || line[at - 1] == '\\') return {};
  Bytes rest = line.substr(at + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  if (!rest.starts_with('"')) return {};
  rest.remove_prefix(1);
  size_t size = 0;
  while (size < rest.size() && rest[size] != '"') size += rest[size] == '\\' ? 2 : 1;
  if (size >= rest.size()) return {};
  return unescape(rest.substr(0, size), arena);
}

// Lines of Python's logging: INFO:werkzeug:payload
Bytes after_logger(Bytes line, Arena *) {
  const size_t level = line.find(':');
  if (level == Bytes::npos || level < 4 || !is_log_level(line.substr(0, level))) return {};
  const size_t logger = line.find_first_of(": ", level + 1);
  const bool is_logger = logger != Bytes::npos && logger > level + 1 && line[logger] == ':';
  return is_logger ? line.substr(logger + 1) : Bytes();
}

Bytes in_docker(Bytes line, Arena *arena) { return string_of(line, "\"log\":", arena); }
Bytes in_journal(Bytes line, Arena *arena) { return string_of(line, "\"MESSAGE\":", arena); }

// CRI is tried before the other wrappers that begin with a time, because they would take its stream
// for a host. Lines without a program are tried before lines with one, which would read "host
// 2001:db8::7 - -" as the program 2001. Those of access logs come first.
constexpr AccessWrapper kTable[] = {
    {"CSV", in_csv},
    {"CRI", in_cri},
    {"timestamps", after_time},
    {"syslog", after_syslog_host},
    {"syslog", after_syslog_program},
    {"compose", after_bar},
    {"Docker", in_docker},
    {"journal", in_journal},
    {"logging", after_logger},
};
constexpr size_t kOfAccessLogs = 6;

// The lines of a chunk, and the text inside them as records of another format.
class UnwrappedLines {
 public:
  UnwrappedLines(char terminator, RecordBatch *batch)
      : terminator_(terminator),
        most_(static_cast<size_t>(batch->capacity)),
        arena_(&batch->unescaped) {}

  // Takes lines from `next` on, as many as fit in a batch.
  const char *take(const char *next, const char *end, const AccessWrapper &wrapper) {
    while (next < end && size_ < most_) {
      const void *found = std::memchr(next, terminator_, static_cast<size_t>(end - next));
      const char *at = found == nullptr ? end : static_cast<const char *>(found);
      lines_[size_] = line_of(next, at, end, terminator_);
      inner_[size_] = unwrapped(lines_[size_], wrapper, arena_);
      ++size_;
      next = at == end ? end : at + 1;
    }
    return next;
  }

  // Returns all records, each followed by a terminator.
  Bytes text() {
    size_t total = 0;
    for (size_t i = 0; i < size_; ++i) total += inner_[i].size() + 1;
    char *begin = reinterpret_cast<char *>(arena_->alloc(static_cast<i64>(total) + kPadding));
    char *to = begin;
    for (size_t i = 0; i < size_; ++i) {
      std::memcpy(to, inner_[i].data(), inner_[i].size());
      std::replace(to, to + inner_[i].size(), terminator_, ' ');
      inner_[i] = {to, inner_[i].size()};
      to += inner_[i].size();
      *to++ = terminator_;
    }
    std::memset(to, 0, kPadding);
    return {begin, total};
  }

  // Returns the line that contains the record. Records come in order.
  Bytes line_with(Bytes record, size_t *from) const {
    while (*from + 1 < size_ && inner_[*from + 1].data() <= record.data()) ++*from;
    return lines_[*from];
  }

 private:
  const char terminator_;
  const size_t most_;
  Arena *const arena_;
  size_t size_ = 0;
  std::array<Bytes, RecordBatch::kCapacity> lines_, inner_;
};

class UnwrappingReader : public RecordReader {
 public:
  UnwrappingReader(std::unique_ptr<RecordReader> reader, const AccessWrapper &wrapper,
                   char terminator, std::vector<size_t> wholes)
      : reader_(std::move(reader)),
        wrapper_(wrapper),
        terminator_(terminator),
        wholes_(std::move(wholes)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    UnwrappedLines lines(terminator_, batch);
    *next = lines.take(*next, chunk.bytes.data() + chunk.bytes.size(), wrapper_);
    Chunk inner = chunk;
    inner.bytes = lines.text();
    const char *at = inner.bytes.data();
    reader_->read(inner, &at, batch);
    size_t from = 0;
    for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
      batch->records[i] = lines.line_with(batch->records[i], &from);
    }
    from = 0;
    for (BadRecord &bad : batch->bad) bad.record = lines.line_with(bad.record, &from);
    for (const size_t field : wholes_) {
      std::copy_n(batch->records.begin(), batch->size, batch->fields[field].data());
    }
  }

 private:
  const std::unique_ptr<RecordReader> reader_;
  const AccessWrapper &wrapper_;
  const char terminator_;
  const std::vector<size_t> wholes_;  // fields that are whole records
};

}  // namespace

std::span<const AccessWrapper> wrappers() { return kTable; }
std::span<const AccessWrapper> access_wrappers() { return wrappers().first(kOfAccessLogs); }

Bytes unwrapped(Bytes line, const AccessWrapper &wrapper, Arena *arena) {
  Bytes payload = wrapper.payload(line, arena);
  if (payload.data() == nullptr) return line;
  payload.remove_prefix(std::min(payload.find_first_not_of(' '), payload.size()));
  while (!payload.empty() && (payload.back() == '\n' || payload.back() == '\r')) {
    payload.remove_suffix(1);
  }
  return payload;
}

Result<std::unique_ptr<RecordReader>> make_unwrapping_reader(Dialect dialect,
                                                             std::span<const FieldName> wanted) {
  const AccessWrapper &wrapper = wrappers()[static_cast<size_t>(dialect.wrapper)];
  dialect.wrapper = -1;
  dialect.joins_lines = false;  // each outer line has one record
  Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, wanted);
  if (!reader.is_ok()) return reader;
  std::vector<size_t> wholes;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].number == 0) wholes.push_back(i);
  }
  return std::unique_ptr<RecordReader>(std::make_unique<UnwrappingReader>(
      std::move(*reader), wrapper, dialect.terminator, std::move(wholes)));
}

}  // namespace mrc
