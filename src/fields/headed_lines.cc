// Lines below headers that name their fields, as in the W3C's extended format, which IIS,
// CloudFront and other programs write, and in logs of Zeek:
//
//   #Fields: date time c-ip cs-method          #fields<tab>ts<tab>uid<tab>id.orig_h
//   2024-05-01 10:00:00 192.0.2.1 GET          1714557600.1<tab>C8Fq1<tab>192.0.2.1
//
// Lines that begin with # are not records. There may be headers in the middle, with other fields: a
// record is read by the last header before it. The dialect of a file has all of its headers and
// their places (HeaderScan), so that a chunk may begin anywhere. The dialect of a stream has those
// of the first bytes; if these differ, chunks are cut only above headers. A later header that the
// dialect does not have is a bad record, because the records below it may have the wrong names.
//
// Quoted values lose their quotes. If a header has both date and time, `time` is both together.
#include "base/text.h"
#include "fields/headers.h"
#include "fields/inner/joined_time.h"
#include "fields/inner/make_line_reader.h"
#include "fields/inner/named_formats.h"
#include "scan/vector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

// The whole head is searched, because headers may come late.
constexpr size_t kMostLinesOfHead = 100000;

// The columns for the values of a header's fields.
struct Layout {
  std::vector<i64> columns;  // column by position; -1: not wanted
  i64 time_column = -1;      // column of date and time together
  i64 date = -1, time = -1;  // positions of these two
  i64 status = -1, client = -1;
};

using Values = std::array<Bytes, kMostHeadedFields>;

// Splits a record into values.
class ValueCutter {
 public:
  explicit ValueCutter(char separator) : separator_(separator) {}

  // Returns the number of values, or kMostHeadedFields + 1 if there are more than fit.
  MRC_INLINE size_t cut(Bytes line, Values *values) const {
    const char *p = line.data(), *end = p + line.size();
    size_t size = 0;
    for (;;) {
      if (separator_ == ' ') {
        while (p < end && *p == ' ') ++p;
        if (p == end) return size;
      }
      if (size == kMostHeadedFields) return size + 1;
      const char *stop = p < end && *p == '"' ? end_of_quoted(p, end) : nullptr;
      const bool quoted = stop != nullptr;
      if (!quoted) stop = find_byte(p, end, separator_);
      (*values)[size++] = quoted ? Bytes(p + 1, static_cast<size_t>(stop - p - 2))
                                 : Bytes(p, static_cast<size_t>(stop - p));
      if (stop == end) return size;
      p = stop + 1;
    }
  }

 private:
  // Returns the end of a quoted value, after the closing quote, which a separator or the end of the
  // line follows; null if the quote is an ordinary byte.
  const char *end_of_quoted(const char *p, const char *end) const {
    for (const char *at = p + 1;;) {
      at = find_byte(at, end, '"');
      if (at == end) return nullptr;
      ++at;
      if (at == end || *at == separator_) return at;
    }
  }

  char separator_;
};

void put(const Values &values, const Layout &layout, FieldRow row, Arena *arena) {
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    if (layout.columns[i] >= 0) row.put(layout.columns[i], values[i]);
  }
  if (layout.time_column < 0) return;
  const Bytes date = values[static_cast<size_t>(layout.date)];
  const Bytes clock = values[static_cast<size_t>(layout.time)];
  row.put(layout.time_column, date == "-" ? date : join_time(date, clock, arena));
}

// `names` are the dialect's, to which the positions of the wanted fields refer.
Layout layout_of_header(const HeaderNames &header, const HeaderNames &names,
                        const std::vector<WantedField> &wanted, const NamedFormat &row) {
  Layout layout;
  layout.columns.assign(header.size(), -1);
  layout.date = position_of(header, "date");
  layout.time = position_of(header, "time");
  layout.status = position_of(header, "sc-status");
  layout.client = position_of(header, "c-ip");
  const bool has_both = layout.date >= 0 && layout.time >= 0;
  for (const WantedField &one : wanted) {
    const std::string &name = names[static_cast<size_t>(one.field)];
    const i64 position = find_field(header, name, row);
    if (name == "time" && has_both) {
      layout.time_column = one.column;
    } else if (position >= 0) {
      layout.columns[static_cast<size_t>(position)] = one.column;
    }
  }
  return layout;
}

// True if the status and the client are what their names say: a line of another log may have as
// many fields.
MRC_INLINE bool may_be_values(const Values &values, const Layout &layout) {
  const auto is_dash = [](Bytes value) { return value.size() == 1 && value[0] == '-'; };
  if (layout.status >= 0) {
    const Bytes status = values[static_cast<size_t>(layout.status)];
    if (!is_digits(status) && !is_dash(status)) return false;
  }
  if (layout.client < 0) return true;
  const Bytes client = values[static_cast<size_t>(layout.client)];
  for (const char each : client) {
    if (each == '.' || each == ':') return true;
  }
  return is_dash(client);
}

class HeadedReader : public RecordReader {
 public:
  HeadedReader(const Dialect &dialect, Projection projection)
      : dialect_(dialect),
        row_(*dialect.format->row),
        projection_(std::move(projection)),
        cutter_(dialect.delimiter.value_or(' ')) {
    for (PlacedHeader &header : headers_of(dialect)) {
      layouts_.push_back(layout_of_header(header.names, dialect.names, projection_.fields(), row_));
      headers_.push_back(std::move(header));
    }
  }

  // Aligned, because counting took a third more time if the loop over values began elsewhere in its
  // cache lines.
  __attribute__((aligned(64))) void read(const Chunk &chunk, const char **next,
                                         RecordBatch *batch) const override {
    projection_.begin(batch);
    const char t = dialect_.terminator, *end = chunk.bytes.data() + chunk.bytes.size();
    const char *begin = skip_preamble(chunk, *next, dialect_);
    thread_local Passed last;
    size_t header = header_at(chunk.offset + (begin - chunk.bytes.data()));
    if (last.is_before(Passed{this, chunk.source, chunk.offset, begin})) {
      header = last.header;
    } else if (dialect_.joins_lines) {
      find_header({chunk.bytes.data(), begin}, &header);
    }
    SeparatorCursor cursor(begin, end, {t, t, t});
    Values values;  // of one record, but cleared only here
    while (begin < end && !is_full(*batch)) {
      const char *at = cursor.next();
      take(line_of(begin, at, end, t), &header, &values, batch);
      begin = at == end ? end : at + 1;
    }
    *next = begin;
    last = {this, chunk.source, chunk.offset, begin, header};
    projection_.finish(batch);
  }

  bool joins_lines() const override { return dialect_.joins_lines; }
  bool begins(Bytes head) const override { return head.starts_with(row_.mark); }

 private:
  // The end of a read in a chunk, and the header in force there. A chunk takes many reads, and a
  // search for its header in each would go over all of the chunk each time.
  struct Passed {
    const HeadedReader *reader = nullptr;
    i64 source = 0, offset = 0;
    const char *end = nullptr;
    size_t header = 0;

    bool is_before(const Passed &next) const {
      return reader == next.reader && source == next.source && offset == next.offset &&
             end == next.end;
    }
  };
  // Finds the last known header in the text, which begins with a line. Leaves *header alone if
  // there is none.
  void find_header(Bytes text, size_t *header) const {
    for (size_t mark = text.size(); mark > 0;) {
      mark = text.rfind('#', mark - 1);
      if (mark == Bytes::npos) return;
      if (mark > 0 && text[mark - 1] != dialect_.terminator) continue;
      const Bytes line = text.substr(mark);
      const HeaderNames names =
          names_in_header(line.substr(0, line.find(dialect_.terminator)), row_);
      const auto found = std::ranges::find(headers_, names, &PlacedHeader::names);
      if (found == headers_.end()) continue;
      *header = static_cast<size_t>(found - headers_.begin());
      return;
    }
  }
  // Returns the index of the header in force at an offset.
  size_t header_at(i64 offset) const {
    const auto after = std::ranges::upper_bound(headers_, offset, {}, &PlacedHeader::offset);
    return after == headers_.begin() ? 0 : static_cast<size_t>(after - headers_.begin() - 1);
  }

  MRC_INLINE void take(Bytes line, size_t *header, Values *values, RecordBatch *batch) const {
    if (is_blank_line(line)) return;
    const Bytes content = without_byte_order_mark(line);
    if (marked_ ? content.starts_with('#') : !names_in_header(content, row_).empty()) {
      return pass_comment(content, header, batch);
    }
    const FieldRow row{batch->fields.data(), static_cast<size_t>(batch->size)};
    for (const WantedField &field : projection_.fields()) row.put(field.column, Bytes());
    if (layouts_.empty()) return close_record(batch, line, "there is no header above it");
    const Layout &layout = layouts_[*header];
    if (cutter_.cut(content, values) != layout.columns.size()) {
      return close_record(batch, line, "it has another number of fields than the header above it");
    }
    if (!may_be_values(*values, layout)) [[unlikely]]
      return close_record(batch, line, "its status or client is none");
    put(*values, layout, row, &batch->unescaped);
    close_record(batch, line, nullptr);
  }
  void pass_comment(Bytes line, size_t *header, RecordBatch *batch) const {
    const HeaderNames names = names_in_header(line, row_);
    if (names.empty() || (!headers_.empty() && names == headers_[*header].names)) return;
    const auto found = std::ranges::find(headers_, names, &PlacedHeader::names);
    if (found != headers_.end()) {
      *header = static_cast<size_t>(found - headers_.begin());
      return;
    }
    close_record(batch, line,
                 "it is a header that came too late to be known: records below it may have the "
                 "wrong names");
  }

  const Dialect dialect_;
  const NamedFormat &row_;
  const bool marked_ = row_.kind != &kFlowKind;
  const Projection projection_;
  const ValueCutter cutter_;
  std::vector<PlacedHeader> headers_;
  std::vector<Layout> layouts_;  // by header
};

// Two names of one field share a column, and the other field is a copy of it.
Result<std::unique_ptr<RecordReader>> make_headed_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted) {
  const NamedFormat &row = *dialect.format->row;
  std::vector<FieldName> named(wanted.begin(), wanted.end());
  for (const auto &[offset, names] : headers_of(dialect)) {
    const bool joins = position_of(names, "date") >= 0 && position_of(names, "time") >= 0;
    for (FieldName &field : named) {
      if (field.number != -1 || (joins && field.text == "time")) continue;
      const i64 position = find_field(names, field.text, row);
      if (position >= 0) field.text = names[static_cast<size_t>(position)];
    }
  }
  Result<Projection> projection = Projection::resolve(dialect, named, std::ssize(dialect.names));
  if (!projection.is_ok()) return projection.status();
  return std::unique_ptr<RecordReader>(
      std::make_unique<HeadedReader>(dialect, std::move(*projection)));
}

// Reads all headers of the head, and finds the separator of the records. Returns false if there is
// no header.
bool read_headers(const InputHead &input, const NamedFormat &row, Dialect *dialect) {
  dialect->delimiter = ' ';
  for (Bytes line : first_lines(input, kMostLinesOfHead)) {
    if (!line.starts_with('#')) {
      if (line.find('\t') != Bytes::npos) dialect->delimiter = '\t';
      continue;
    }
    const HeaderNames names = names_in_header(line, row);
    if (!names.empty()) add_header(names, line.data() - input.head.data(), dialect);
  }
  add_other_names(dialect);
  // set_headers() undoes this for a file, of which all headers are known.
  dialect->joins_lines = !input.whole && dialect->pattern.find('\n') != std::string::npos;
  return !dialect->pattern.empty();
}

Status complete_headed(const InputHead &input, Dialect *dialect) {
  const NamedFormat &row = *dialect->format->row;
  if (read_headers(input, row, dialect)) return Status::ok();
  const size_t lines = first_lines(input, kMostLinesOfHead).size();
  if (lines == 0) return Status::ok();
  return Status::error(fmt::format("{}: no line of the first {} begins with \"{}\"", row.name,
                                   lines, without_blanks_around(row.mark)));
}

std::optional<Dialect> recognize_headed(const LineFormat &format, const InputHead &input,
                                        const std::vector<Bytes> &records) {
  const NamedFormat &row = *format.row;
  const auto is_header = [&](Bytes line) { return line.starts_with(row.mark); };
  if (std::ranges::none_of(records, is_header)) return std::nullopt;
  Dialect dialect{.format = &format, .terminator = input.spec.terminator};
  if (!read_headers(input, row, &dialect)) return std::nullopt;
  const HeadedReader reader(dialect, {});
  const auto batch = std::make_unique<RecordBatch>();
  const char *next = input.head.data();
  const Bytes seen = input.head.substr(0, input.head.rfind(input.spec.terminator) + 1);
  reader.read(Chunk{input.whole ? input.head : seen}, &next, batch.get());
  const i64 agreeing = batch->size, all = agreeing + std::ssize(batch->bad);
  if (agreeing * 3 < all * 2) return std::nullopt;
  dialect.reason =
      fmt::format("{} of the first {} records have as many fields as a header", agreeing, all);
  return dialect;
}

// A flow log without a header has the fields of version 2.
HeaderNames flow_names(const InputHead &input, const NamedFormat &row) {
  const std::vector<Bytes> first = first_lines(input, 1);
  HeaderNames names = first.empty() ? HeaderNames() : names_in_header(first[0], row);
  return names.empty() ? names_in_header(row.mark, row) : names;
}

Status complete_flow(const InputHead &input, Dialect *dialect) {
  dialect->delimiter = ' ';
  add_header(flow_names(input, *dialect->format->row), 0, dialect);
  add_other_names(dialect);
  return Status::ok();
}

// Recognizes a record of a flow log without a header by its last two fields.
bool is_flow_record(Bytes line) {
  for (Bytes status : {"OK", "NODATA", "SKIPDATA"}) {
    for (Bytes action : {"ACCEPT", "REJECT", "-"}) {
      if (line.ends_with(fmt::format(" {} {}", action, status))) return true;
    }
  }
  return false;
}

std::optional<Dialect> recognize_flow(const LineFormat &format, const InputHead &input,
                                      const std::vector<Bytes> &records) {
  if (records.empty()) return std::nullopt;
  const bool header = !names_in_header(records[0], *format.row).empty();
  std::optional<Dialect> dialect = completed(format, input, "");
  const size_t fields = headers_of(*dialect)[0].names.size();
  const ValueCutter cutter(' ');
  std::array<Bytes, kMostHeadedFields> values;
  const i64 agreeing = std::ranges::count_if(records, [&](Bytes line) {
    return cutter.cut(line, &values) == fields && (header || is_flow_record(line));
  });
  if (agreeing - header < 1 || agreeing * 3 < std::ssize(records) * 2) return std::nullopt;
  dialect->reason =
      fmt::format("{} of the first {} records", agreeing - header, std::ssize(records) - header);
  return dialect;
}

}  // namespace

constinit const NamedKind kFlowKind = {make_headed_reader, complete_flow, recognize_flow};
constinit const NamedKind kHeadedKind = {.make_reader = make_headed_reader,
                                         .complete = complete_headed,
                                         .recognize = recognize_headed,
                                         .alone = false};

}  // namespace mrc
