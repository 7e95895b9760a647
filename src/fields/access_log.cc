// One pass of the vector kernels lists quotes and line ends; a line is those of its quotes
// (access_line.h). Only fields that somebody wants are taken out of it. Lines that are not
// as expected get a second look, in the order of what is found in logs: blank lines,
// records wrapped for CSV, byte order marks where inputs were joined.
#include "fields/access_log.h"

#include "fields/access_line.h"
#include "fields/line_reader.h"

namespace mrc {
namespace {

// In the order of the log, then what is derived.
enum Field {
  ip,
  ident,
  user,
  time,
  request,
  method,
  path,
  query,
  protocol,
  status,
  bytes,
  referer,
  agent,
  host,
  port,
  kFields
};
constexpr std::array<const char *, kFields> kNames = {
    "ip",       "ident",  "user",  "time",    "request", "method", "path", "query",
    "protocol", "status", "bytes", "referer", "agent",   "host",   "port"};

constexpr const char *kNoWrapEnd = "no closing quote of the record, which begins with a quote";

// Parses what the scan could not know of. A blank line is no record: *blank.
const char *parse_odd_line(Bytes text, Arena *arena, bool *blank, QuotedLine *line,
                           AccessLine *parsed) {
  *blank = is_blank_line(text);
  if (*blank) return nullptr;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.starts_with('"')) {
    text = unwrap(text, arena);
    if (text.data() == nullptr) return kNoWrapEnd;
  }
  *line = find_quotes(text);
  return parse_access_line(*line, parsed);
}

class AccessLogReader : public RecordReader {
 public:
  AccessLogReader(const Dialect &dialect, Projection projection)
      : dialect_(dialect), projection_(std::move(projection)) {
    column_.fill(-1);
    for (const WantedField &one : projection_.fields()) {
      column_[static_cast<size_t>(one.field)] = one.column;
    }
    wants_front_ = wants_any({ident, user, host, port});
    wants_request_ = wants_any({method, path, query, protocol});
    wants_rest_ = wants_any({referer, agent});
  }

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    projection_.begin(batch);
    const char *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    SeparatorCursor cursor(begin, end, {'"', '"', dialect_.terminator});
    while (begin < end && !is_full(*batch)) {
      QuotedLine line;
      const char *at = next_line(begin, end, &cursor, &line);
      take(line, batch);
      begin = at == end ? end : at + 1;
    }
    *next = begin;
    projection_.finish(batch);
  }

 private:
  bool wants_any(std::initializer_list<Field> fields) const {
    return std::any_of(fields.begin(), fields.end(),
                       [&](Field field) { return column_[field] >= 0; });
  }

  // Fills in the line and returns where its terminator is.
  MRC_INLINE const char *next_line(const char *begin, const char *end, SeparatorCursor *cursor,
                                   QuotedLine *line) const {
    line->begin = begin;
    for (;;) {
      const char *at = cursor->next();
      if (at == end || *at == dialect_.terminator) {
        const Bytes text = trim_record(begin, at, end, dialect_.terminator);
        line->end = text.data() + text.size();
        return at;
      }
      if (at > begin && at[-1] == '\\' && is_escaped(at, begin)) [[unlikely]]
        continue;
      line->add(at);
    }
  }

  MRC_INLINE void take(const QuotedLine &line, RecordBatch *batch) const {
    AccessLine parsed;
    const char *reason = parse_access_line(line, &parsed);
    const bool marked = *line.begin == kByteOrderMark[0];
    if (reason != nullptr || marked) [[unlikely]]
      return take_odd(line.text(), batch);
    put(line, parsed, batch);
    close_record(batch, line.text(), nullptr);
  }

  __attribute__((noinline)) void take_odd(Bytes text, RecordBatch *batch) const {
    QuotedLine line;
    AccessLine parsed;
    bool blank = false;
    const char *reason = parse_odd_line(text, &batch->unescaped, &blank, &line, &parsed);
    if (blank) return;
    if (reason == nullptr) put(line, parsed, batch);
    close_record(batch, text, reason);
  }

  // Puts the fields that are wanted.
  MRC_INLINE void put(const QuotedLine &line, const AccessLine &parsed, RecordBatch *batch) const {
    const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
    if (wants_front_) {
      put_front(parsed.front, row);
    } else if (column_[ip] >= 0) {
      put_ip(parsed.front, row);
    }
    put_if(time, parsed.time, row);
    put_if(request, parsed.request, row);
    if (wants_request_) put_request(parsed.request, row);
    put_if(status, parsed.status, row);
    put_if(bytes, parsed.bytes, row);
    if (wants_rest_) {
      put_if(referer, referer_of(line, parsed.rest), row);
      put_if(agent, agent_of(line, parsed.rest), row);
    }
  }
  MRC_INLINE void put_if(Field field, Bytes value, FieldRow row) const {
    if (column_[field] >= 0) row.put(column_[field], value);
  }

  // "ip - -" is what nearly all lines have; only then the rest need not be looked at.
  MRC_INLINE void put_ip(Bytes front, FieldRow row) const {
    const char *end = front.data() + front.size();
    const char *blank = find_byte(front.data(), end, ' ');
    if (end - blank == 4 && blank[1] == '-') [[likely]]
      return put_if(ip, front.substr(0, front.size() - 4), row);
    put_front(front, row);
  }
  void put_front(Bytes front, FieldRow row) const {
    const AccessFront parts = split_front(front);
    put_if(ip, parts.ip, row);
    put_if(ident, parts.ident, row);
    put_if(user, parts.user, row);
    put_if(host, parts.host, row);
    put_if(port, parts.port, row);
  }
  void put_request(Bytes text, FieldRow row) const {
    const AccessRequest parts = split_request(text);
    put_if(method, parts.method, row);
    put_if(path, parts.path, row);
    put_if(query, parts.query, row);
    put_if(protocol, parts.protocol, row);
  }

  Dialect dialect_;
  Projection projection_;
  std::array<i64, kFields> column_;  // -1: not wanted
  bool wants_front_, wants_request_, wants_rest_;
};

}  // namespace

std::vector<std::string> access_log_fields() { return {kNames.begin(), kNames.end()}; }

Result<std::unique_ptr<RecordReader>> make_access_log_reader(const Dialect &dialect,
                                                             std::span<const FieldName> wanted) {
  Result<Projection> projection = Projection::resolve(dialect, wanted, kFields);
  if (!projection.is_ok()) return projection.status();
  return std::unique_ptr<RecordReader>(
      std::make_unique<AccessLogReader>(dialect, std::move(*projection)));
}

std::optional<RecordFormat> access_log_shape(Bytes text) {
  QuotedLine line;
  AccessLine parsed;
  Arena arena;
  bool blank = false;
  if (parse_odd_line(text, &arena, &blank, &line, &parsed) != nullptr || blank) return std::nullopt;
  if (!split_front(parsed.front).host.empty()) return RecordFormat::vhost;
  return agent_of(line, parsed.rest).data() != nullptr ? RecordFormat::combined
                                                       : RecordFormat::common;
}

}  // namespace mrc
