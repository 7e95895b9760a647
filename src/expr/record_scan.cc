#include "expr/record_scan.h"

#include <algorithm>

namespace mrc {

void WantedFields::add(const FieldName &name) {
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
}

size_t WantedFields::column(const FieldName &name) const {
  return static_cast<size_t>(std::ranges::find(names_, name) - names_.begin());
}

std::vector<FieldName> WantedFields::names() const {
  std::vector<FieldName> all = names_;
  if (filter_) std::ranges::copy(filter_->fields(), std::back_inserter(all));
  return all;
}

RecordScan::RecordScan(WantedFields wanted, const InputReaders &readers, BadRecordSink *bad)
    : wanted_(std::move(wanted)), readers_(readers), bad_(bad) {
  batch_.fields.resize(wanted_.names().size());
}

i64 RecordScan::read(const Chunk &chunk, const RecordReader &reader, const char **next) {
  batch_.clear();
  reader.read(chunk, next, &batch_);
  for (const BadRecord &bad : batch_.bad) bad_->take(chunk, bad);
  select();
  return batch_.size + std::ssize(batch_.bad);
}

void RecordScan::select() {
  batch_.selected = 0;
  if (wanted_.filter() == nullptr) {
    for (; batch_.selected < batch_.size; ++batch_.selected) {
      batch_.selection[static_cast<size_t>(batch_.selected)] = static_cast<u16>(batch_.selected);
    }
    return;
  }
  const Filter::Selection wanted = wanted_.filter()->select(batch_, wanted_.first_of_filter());
  for (size_t i = 0; i < static_cast<size_t>(batch_.size); ++i) {
    batch_.selection[static_cast<size_t>(batch_.selected)] = static_cast<u16>(i);
    batch_.selected += wanted[i];
  }
}

}  // namespace mrc
