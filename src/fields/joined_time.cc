#include "fields/inner/joined_time.h"

#include "kinds/timestamp.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

constexpr const char *kDate = "date", *kTime = "time";

bool is_missing(Bytes value) { return value.empty() || value == "-"; }

bool is_time(const FieldName &name) { return name.number == -1 && name.text == kTime; }

// The inner reader also reads the date, as the last of its fields.
class JoinedTimeReader : public RecordReader {
 public:
  JoinedTimeReader(std::unique_ptr<RecordReader> reader, std::vector<size_t> times)
      : reader_(std::move(reader)), times_(std::move(times)) {}

  void read(const Chunk &chunk, const char **next, RecordBatch *batch) const override {
    reader_->read(chunk, next, batch);
    const RecordBatch::Column &dates = batch->fields.back();
    for (const size_t field : times_) {
      RecordBatch::Column &values = batch->fields[field];
      for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
        values[i] = join_time(dates[i], values[i], &batch->unescaped);
      }
    }
    batch->fields.pop_back();
  }

  bool joins_lines() const override { return reader_->joins_lines(); }
  bool begins(Bytes head) const override { return reader_->begins(head); }

 private:
  const std::unique_ptr<RecordReader> reader_;
  const std::vector<size_t> times_;  // columns of the times
};

}  // namespace

bool is_time_of(Bytes date, Bytes clock) {
  const std::string both = std::string(date) + " " + std::string(clock);
  const auto shape = [](Bytes text) {
    const Timestamp found = find_timestamp(text);
    return found.size == std::ssize(text) ? found.shape : TimeShape::none;
  };
  const TimeShape joined = shape(both);
  return shape(clock) == TimeShape::clock && joined != TimeShape::none &&
         joined != TimeShape::clock;
}

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

bool has_split_time(const Dialect &dialect, const InputHead &input) {
  const std::vector<std::string> &asked = input.spec.named;
  const bool may_ask = input.spec.names_fields && (asked.empty() || has_name(asked, kTime));
  if (!may_ask || !has_name(dialect.names, kDate) || !has_name(dialect.names, kTime)) return false;
  const std::vector<FieldName> wanted = {{kDate}, {kTime}};
  const std::unique_ptr<RecordBatch> batch = first_records(dialect, wanted, input);
  if (batch == nullptr) return false;
  i64 present = 0, agreeing = 0;
  for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
    const Bytes date = batch->fields[0][i], clock = batch->fields[1][i];
    if (is_missing(date) || is_missing(clock)) continue;
    ++present;
    agreeing += is_time_of(date, clock);
  }
  return present > 0 && agreeing * 10 >= present * 9;
}

Result<std::unique_ptr<RecordReader>> make_joined_time_reader(Dialect dialect,
                                                              std::span<const FieldName> wanted) {
  dialect.joins_time = false;
  std::vector<FieldName> all(wanted.begin(), wanted.end());
  std::vector<size_t> times;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_time(all[i])) times.push_back(i);
  }
  if (times.empty()) return make_reader(dialect, wanted);
  all.push_back({kDate});
  Result<std::unique_ptr<RecordReader>> reader = make_reader(dialect, all);
  if (!reader.is_ok()) return reader;
  return std::unique_ptr<RecordReader>(
      std::make_unique<JoinedTimeReader>(std::move(*reader), std::move(times)));
}

}  // namespace mrc
