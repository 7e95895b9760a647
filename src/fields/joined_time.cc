#include "fields/inner/joined_time.h"

#include "fields/inner/named_formats.h"
#include "kinds/timestamp.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

constexpr const char *kDateField = "date", *kTimeField = "time";
// Fields for the zone of a time.
constexpr const char *kZones[] = {"tz", "timezone", "time_zone", "zone"};

bool is_missing(Bytes value) { return value.empty() || value == "-"; }

bool is_time_field(const FieldName &name) { return name.number == -1 && name.text == kTimeField; }

// Writes offsets such as +2, -7:00 and UTC+0200 as +0200. Returns other zones as they are.
Bytes zone_text(Bytes zone, Arena *arena) {
  Bytes text = zone;
  if (text.starts_with("UTC") || text.starts_with("GMT")) text.remove_prefix(3);
  if (!text.starts_with('+') && !text.starts_with('-')) return zone;
  std::string digits;
  for (const char c : text.substr(1)) {
    if (is_digit(c)) digits += c;
    if (!is_digit(c) && c != ':') return zone;
  }
  if (digits.size() < 3) digits += "00";
  if (digits.size() == 3) digits.insert(0, "0");
  return digits.size() == 4 ? arena->copy(std::string(text.substr(0, 1)) + digits) : zone;
}

// Returns a time with its zone; the time if the zone is missing.
Bytes with_zone(Bytes time, Bytes zone, Arena *arena) {
  return is_missing(time) || is_missing(zone) ? time
                                              : join_time(time, zone_text(zone, arena), arena);
}

// The inner reader also reads the date and the zone, as the last of its fields.
class JoinedTimeReader : public RecordReader {
 public:
  JoinedTimeReader(std::unique_ptr<RecordReader> reader, std::vector<size_t> times, bool has_date,
                   bool has_zone)
      : reader_(std::move(reader)),
        times_(std::move(times)),
        has_date_(has_date),
        has_zone_(has_zone) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    reader_->read(chunk, next, batch);
    std::vector<RecordBatch::Column> &fields = batch->fields;
    const size_t zone = fields.size() - 1, date = zone - has_zone_;
    Arena *arena = &batch->unescaped;
    for (const size_t time : times_) {
      for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
        Bytes &value = fields[time][i];
        if (has_date_) value = join_time(fields[date][i], value, arena);
        if (has_zone_) value = with_zone(value, fields[zone][i], arena);
      }
    }
    if (has_zone_) fields.pop_back();
    if (has_date_) fields.pop_back();
  }

  bool joins_lines() const override { return reader_->joins_lines(); }
  bool begins(Bytes head) const override { return reader_->begins(head); }

 private:
  const std::unique_ptr<RecordReader> reader_;
  const std::vector<size_t> times_;  // columns of the times
  const bool has_date_, has_zone_;
};

// Returns the timestamp that is all of the text; one without a shape if there is none.
Timestamp whole_timestamp(Bytes text) {
  const Timestamp found = find_timestamp(text);
  return found.size == std::ssize(text) ? found : Timestamp();
}

}  // namespace

bool is_time_of(Bytes date, Bytes clock) {
  const std::string both = std::string(date) + " " + std::string(clock);
  const TimeShape joined = whole_timestamp(both).shape;
  return whole_timestamp(clock).shape == TimeShape::clock && joined != TimeShape::none &&
         joined != TimeShape::clock;
}

namespace {

// True if the time lacks a zone and has one together with this one.
bool lacks_zone(Bytes time, Bytes zone) {
  using Zone = Timestamp::Zone;
  Arena arena;
  const Timestamp alone = whole_timestamp(time);
  return has_date(alone.shape) && alone.zone == Zone::unsaid &&
         whole_timestamp(with_zone(time, zone, &arena)).zone != Zone::unsaid;
}

// True if nine tenths of the first records that have both fields fit, and one has both.
bool most_records(const Dialect &dialect, const char *first, const char *second,
                  const InputHead &input, bool (*fit)(Bytes, Bytes)) {
  if (!has_name(dialect.names, first) || !has_name(dialect.names, second)) return false;
  const std::vector<FieldName> wanted = {{first}, {second}};
  const std::unique_ptr<RecordBatch> batch = first_records(dialect, wanted, input);
  if (batch == nullptr) return false;
  i64 present = 0, agreeing = 0;
  for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
    const Bytes a = batch->fields[0][i], b = batch->fields[1][i];
    if (is_missing(a) || is_missing(b)) continue;
    ++present;
    agreeing += fit(a, b);
  }
  return present > 0 && agreeing * 10 >= present * 9;
}

// A zone beside a time that is one value may be that of something else, unless firewalls write it.
bool times_may_have_zone(const Dialect &dialect) {
  const LineFormat &format = *dialect.format;
  return dialect.joins_time || &format == &LineFormat::logfmt ||
         (format.row != nullptr && format.row->kind == &kLogfmtLogKind);
}

}  // namespace

Bytes join_time(Bytes date, Bytes clock, Arena *arena) {
  if (is_missing(date)) return clock;
  if (is_missing(clock)) return date;
  const size_t size = date.size() + 1 + clock.size();
  const char *between = date.data() + date.size();
  if (between + 1 == clock.data() && *between == ' ') return {date.data(), size};
  char *copy = reinterpret_cast<char *>(arena->alloc(static_cast<i64>(size) + 1 + kPadding));
  *copy++ = '"';  // see is_json_string()
  std::memcpy(copy, date.data(), date.size());
  copy[date.size()] = ' ';
  std::memcpy(copy + date.size() + 1, clock.data(), clock.size());
  std::memset(copy + size, 0, kPadding);
  return {copy, size};
}

void set_joined_time(const InputHead &input, Dialect *dialect) {
  const std::vector<std::string> &asked = input.spec.named;
  if (!input.spec.names_fields || (!asked.empty() && !has_name(asked, kTimeField))) return;
  dialect->joins_time = most_records(*dialect, kDateField, kTimeField, input, is_time_of);
  if (!times_may_have_zone(*dialect)) return;
  const auto *zone = std::ranges::find_if(kZones, [&](const char *name) {
    return most_records(*dialect, kTimeField, name, input, lacks_zone);
  });
  if (zone != std::end(kZones)) dialect->zone = *zone;
}

Result<std::unique_ptr<RecordReader>> make_joined_time_reader(Dialect dialect,
                                                              std::span<const FieldName> wanted) {
  const bool has_date = std::exchange(dialect.joins_time, false);
  const std::string zone = std::exchange(dialect.zone, "");
  std::vector<FieldName> all(wanted.begin(), wanted.end());
  std::vector<size_t> times;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_time_field(all[i])) times.push_back(i);
  }
  if (times.empty()) return make_reader(dialect, wanted);
  if (has_date) all.push_back({kDateField});
  if (!zone.empty()) all.push_back({zone});
  Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, all);
  if (!reader.is_ok()) return reader;
  return std::unique_ptr<RecordReader>(std::make_unique<JoinedTimeReader>(
      std::move(*reader), std::move(times), has_date, !zone.empty()));
}

}  // namespace mrc
