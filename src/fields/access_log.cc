// One pass of the vector kernels lists quotes and line ends, and each line is split at its quotes
// (access_log.h). Only wanted fields are extracted. The front is split as well unless it is like
// "192.0.2.1 - -". A line that does not parse gets a second look: blank lines are skipped, byte
// order marks where inputs were joined are removed, and lines inside other logs are unwrapped
// (wrapper.h).
#include "fields/inner/access_log.h"

#include "fields/inner/log_words.h"
#include "fields/line_reader.h"
#include "fields/recognize.h"
#include "fields/wrapper.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Fields in the order of the log, followed by derived ones.
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
  forwarded,
  kFields
};
constexpr std::array<const char *, kFields> kAccessNames = {
    "ip",       "ident",  "user",  "time",    "request", "method", "path", "query",
    "protocol", "status", "bytes", "referer", "agent",   "host",   "port", "forwarded"};

constexpr const char *kNoFront = "expected ip, ident and user in front of [time]";
constexpr const char *kNoWrapEnd = "no closing quote of the record, which begins with a quote";

// A line on the slow path, with its front split.
struct OddLine {
  QuotedLine quotes;
  AccessLine line;
  AccessFront front;
  const char *wrapper = nullptr;  // name of the wrapper around the line, or null
};

constexpr i64 kMostWrappers = 3;

// Parses a line, or the line wrapped in it. Returns null, or the reason why neither is an access
// line.
const char *parse_odd_line(Bytes text, i64 layers, Arena *arena, OddLine *odd) {
  odd->quotes = find_quotes(text);
  const char *reason = parse_access_line(odd->quotes, &odd->line);
  if (reason == nullptr && split_front(odd->line.front, &odd->front)) return nullptr;
  if (reason == nullptr) reason = kNoFront;
  if (layers == 0) return reason;
  if (text.starts_with('"')) reason = kNoWrapEnd;
  for (const AccessWrapper &wrapper : access_wrappers()) {
    Bytes payload = wrapper.payload(text, arena);
    if (payload.data() == nullptr) continue;
    payload.remove_prefix(std::min(payload.find_first_not_of(' '), payload.size()));
    reason = parse_odd_line(payload, layers - 1, arena, odd);
    if (reason != nullptr) continue;
    odd->wrapper = wrapper.name;
    return nullptr;
  }
  return reason;
}
const char *parse_odd_line(Bytes text, Arena *arena, OddLine *odd) {
  return parse_odd_line(without_byte_order_mark(text), kMostWrappers, arena, odd);
}

class AccessLogReader : public RecordReader {
 public:
  AccessLogReader(const Dialect &dialect, Projection projection)
      : dialect_(dialect), projection_(std::move(projection)) {
    column_.fill(-1);
    for (const WantedField &one : projection_.fields()) {
      column_[static_cast<size_t>(one.field)] = one.column;
    }
    wants_front_ = wants_any({ident, user, host, port, forwarded});
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

  // Fills in the line and returns the place of its terminator.
  MRC_INLINE const char *next_line(const char *begin, const char *end, SeparatorCursor *cursor,
                                   QuotedLine *line) const {
    line->begin = begin;
    for (;;) {
      const char *at = cursor->next();
      if (at == end || *at == dialect_.terminator) {
        const Bytes text = line_of(begin, at, end, dialect_.terminator);
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
    if (reason != nullptr) [[unlikely]]
      return take_odd(line.text(), batch);
    const Bytes usual_ip = find_usual_ip(parsed.front);
    if (usual_ip.data() == nullptr) [[unlikely]]
      return take_other_front(line, parsed, batch);
    const FieldRow row = next_row(batch);
    if (wants_front_) {
      put_front(split_usual_front(parsed.front, usual_ip), row);
    } else {
      put_if(ip, usual_ip, row);
    }
    put(line, parsed, row);
    close_record(batch, line.text(), nullptr);
  }

  // `parsed` is passed by value so that the caller can keep it in registers.
  __attribute__((noinline)) void take_other_front(const QuotedLine &line, AccessLine parsed,
                                                  RecordBatch *batch) const {
    AccessFront front;
    if (!split_front(parsed.front, &front)) return take_odd(line.text(), batch);
    put_front(front, next_row(batch));
    put(line, parsed, next_row(batch));
    close_record(batch, line.text(), nullptr);
  }

  __attribute__((noinline)) void take_odd(Bytes text, RecordBatch *batch) const {
    if (is_blank_line(text)) return;
    OddLine odd;
    const char *reason = parse_odd_line(text, &batch->unescaped, &odd);
    if (reason == nullptr) {
      put_front(odd.front, next_row(batch));
      put(odd.quotes, odd.line, next_row(batch));
    }
    close_record(batch, text, reason);
  }

  static MRC_INLINE FieldRow next_row(RecordBatch *batch) {
    return {batch->fields.data(), static_cast<size_t>(batch->size)};
  }

  // Puts the wanted fields, except those of the front.
  MRC_INLINE void put(const QuotedLine &line, const AccessLine &parsed, FieldRow row) const {
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

  void put_front(const AccessFront &parts, FieldRow row) const {
    put_if(ip, parts.ip, row);
    put_if(ident, parts.ident, row);
    put_if(user, parts.user, row);
    put_if(host, parts.host, row);
    put_if(port, parts.port, row);
    put_if(forwarded, parts.forwarded, row);
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

Result<std::unique_ptr<RecordReader>> make_access_log_reader(const Dialect &dialect,
                                                             std::span<const FieldName> wanted) {
  Result<Projection> projection = Projection::resolve(dialect, wanted, kFields);
  if (!projection.is_ok()) return projection.status();
  return std::make_unique<AccessLogReader>(dialect, std::move(*projection));
}

Status name_access_fields(const InputHead &, Dialect *dialect) {
  dialect->names = access_log_fields();
  return Status::ok();
}

// All three formats are read alike, so their records count together. The dialect is named after the
// most frequent one.
std::optional<Dialect> recognize_access_log(const InputHead &input,
                                            const std::vector<Bytes> &records) {
  constexpr std::array kShapes = {&LineFormat::combined, &LineFormat::common, &LineFormat::vhost};
  std::array<i64, kShapes.size()> counts{};
  i64 agreeing = 0, wrapped = 0, other = 0;
  const char *wrapper = nullptr;
  for (Bytes record : records) {
    const std::optional<AccessShape> shape = access_log_shape(record);
    if (!shape) continue;
    ++agreeing;
    other += !shape->has_status;
    ++counts[static_cast<size_t>(std::ranges::find(kShapes, shape->format) - kShapes.begin())];
    if (shape->wrapper == nullptr) continue;
    ++wrapped;
    wrapper = shape->wrapper;
  }
  if (other > 0 && other * 20 >= agreeing) return std::nullopt;  // such as bytes before the status
  const auto most = std::ranges::max_element(counts) - counts.begin();
  std::optional<Dialect> dialect =
      accept(*kShapes[static_cast<size_t>(most)], agreeing, input, records);
  if (!dialect) return std::nullopt;
  if (wrapped * 2 > agreeing) {
    dialect->reason += fmt::format(", {} unwrapped ({})", wrapped, wrapper);
  }
  return dialect;
}

constexpr LineFormat access_format(const char *name,
                                   decltype(LineFormat::recognize) recognize = nullptr) {
  return {.name = name,
          .make_reader = make_access_log_reader,
          .complete = name_access_fields,
          .recognize = recognize,
          .one_line = true,
          .kinds =
              "ip:address ident:text user:text time:time request:text method:text path:text "
              "query:text protocol:text status:number bytes:number referer:text agent:text "
              "host:text port:number forwarded:text"};
}

}  // namespace

constinit const LineFormat LineFormat::combined = access_format("combined", recognize_access_log);
constinit const LineFormat LineFormat::common = access_format("common");
constinit const LineFormat LineFormat::vhost = access_format("vhost");

std::vector<std::string> access_log_fields() { return {kAccessNames.begin(), kAccessNames.end()}; }

std::optional<AccessShape> access_log_shape(Bytes text) {
  OddLine odd;
  Arena arena;
  if (is_blank_line(text) || parse_odd_line(text, &arena, &odd) != nullptr) return std::nullopt;
  const bool is_combined = agent_of(odd.quotes, odd.line.rest).data() != nullptr;
  const LineFormat *format = !odd.front.host.empty() ? &LineFormat::vhost
                             : is_combined           ? &LineFormat::combined
                                                     : &LineFormat::common;
  const Bytes status = odd.line.status;
  const bool is_unanswered = status == "-" || status == "000";
  return AccessShape{format, odd.wrapper, is_unanswered || may_be_status(status)};
}

}  // namespace mrc
