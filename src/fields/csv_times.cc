// CSV without a header, as devices and mail servers write logs: the first column of times is named
// time.
#include "fields/csv.h"
#include "fields/input_head.h"
#include "fields/timestamp.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kMostColumns = 100;

using Column = RecordBatch::Column;

bool is_date(Bytes value) {
  const Timestamp time = find_timestamp(value);
  return time.size == std::ssize(value) && has_date(time.shape);
}

i64 count_if(const RecordBatch &batch, i64 column, bool (*fits)(Bytes)) {
  const Column &values = batch.fields[static_cast<size_t>(column)];
  return std::count_if(values.data(), values.data() + batch.size, fits);
}

}  // namespace

std::optional<Dialect> with_time_named(const Dialect &dialect, const InputHead &input) {
  std::vector<FieldName> wanted;
  for (i64 number = 1; number <= kMostColumns; ++number) wanted.push_back({"", number});
  const std::unique_ptr<RecordBatch> batch = first_records(dialect, wanted, input);
  if (batch == nullptr || batch->size == 0) return std::nullopt;
  const auto is_there = [](Bytes value) { return value.data() != nullptr; };
  i64 columns = 0, time = -1;
  for (i64 i = 0; i < kMostColumns && count_if(*batch, i, is_there) > 0; ++i, ++columns) {
    if (time < 0 && count_if(*batch, i, is_date) * 10 >= batch->size * 9) time = i;
  }
  if (time < 0 || columns == kMostColumns) return std::nullopt;
  Dialect named = dialect;
  named.names.resize(static_cast<size_t>(columns));
  named.names[static_cast<size_t>(time)] = "time";
  return named;
}

}  // namespace mrc
