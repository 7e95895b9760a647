#include "reduce/inner/run_sorter.h"

#include <algorithm>

namespace mrc {

void RunSorter::begin(Partition) {
  records_.clear();
  places_.clear();
}

void RunSorter::take(const std::byte *begin, const std::byte *end) {
  const i64 bytes = end - begin;
  std::byte *copy = records_.alloc(bytes + kRecordSlack);
  std::copy_n(begin, bytes, copy);
  end = copy + bytes;
  for (const std::byte *at = copy; at < end; at = next_record(at)) {
    places_.push_back({load<u64>(at), at});
  }
}

i64 RunSorter::used_bytes() const {
  return records_.used() + std::ssize(places_) * static_cast<i64>(sizeof(Place));
}

void RunSorter::end(Partition, OverflowBuffer *to) {
  std::ranges::sort(places_, {}, &Place::hash);
  StoredRecord record;
  for (const Place &place : places_) {
    read_record(place.record, shape_, &record);
    to->append(record);
  }
}

}  // namespace mrc
