#include "fields/input_readers.h"

#include <algorithm>
#include <unordered_map>

namespace mrc {

InputReaders::InputReaders(i64 sources, std::vector<FieldName> wanted,
                           std::span<const Lookup> lookups)
    : wanted_(std::move(wanted)), lookups_(lookups), by_source_(static_cast<size_t>(sources)) {}

InputReaders::InputReaders(const InputReaders &planned)
    : InputReaders(std::ssize(planned.by_source_), planned.wanted_, planned.lookups_) {
  std::lock_guard lock(planned.mutex_);
  others_ = planned.others_;
  std::unordered_map<const Entry *, const Entry *> copies;
  for (const Entry &entry : planned.entries_) copies[&entry] = &entries_.emplace_back(entry);
  for (size_t source = 0; source < by_source_.size(); ++source) {
    if (const Entry *entry = planned.by_source_[source]) by_source_[source] = copies[entry];
  }
}

Status InputReaders::set(i64 source, const Dialect &as_found) {
  std::lock_guard lock(mutex_);
  const auto own = others_.find(source);
  const std::vector<FieldName> &wanted = own == others_.end() ? wanted_ : own->second.wanted;
  Dialect dialect = as_found;
  if (own != others_.end()) dialect.most_fields = own->second.most_fields;
  // Dialects that differ only in `reason` share a reader.
  auto same = [&](const Entry &entry) {
    Dialect other = dialect;
    other.reason = entry.dialect.reason;
    return entry.dialect == other && entry.wanted == wanted;
  };
  auto found = std::find_if(entries_.begin(), entries_.end(), same);
  if (found == entries_.end()) {
    Result<std::unique_ptr<RecordReader>> reader = make_lookup_reader(dialect, wanted, lookups_);
    if (!reader.is_ok()) return reader.status();
    entries_.push_back({dialect, wanted, std::move(*reader)});
    found = std::prev(entries_.end());
  }
  by_source_[static_cast<size_t>(source)].store(&*found, std::memory_order_release);
  return Status::ok();
}

i64 InputReaders::first_with_header() const {
  const i64 sources = std::ssize(by_source_);
  for (i64 source = 0; source < sources; ++source) {
    const Dialect *of_source = dialect(source);
    if (of_source != nullptr && of_source->header) return source;
  }
  return -1;
}

std::vector<Dialect> InputReaders::dialects() const {
  std::lock_guard lock(mutex_);
  std::vector<Dialect> all;
  for (const Entry &entry : entries_) all.push_back(entry.dialect);
  return all;
}

}  // namespace mrc
