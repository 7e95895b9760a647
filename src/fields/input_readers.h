// The readers of a job's inputs, one for each dialect among them.
#pragma once

#include "fields/lookup.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// A plan has those of inputs that can be looked at beforehand. Each run has a copy, to which
// workers add those of streams.
class InputReaders {
 public:
  // All readers are asked for the same fields, unless want() says otherwise. The tables in which
  // fields are looked up must outlive the readers.
  InputReaders(i64 sources, std::vector<FieldName> wanted, std::span<const Lookup> lookups = {});
  InputReaders(const InputReaders &planned);
  InputReaders &operator=(const InputReaders &) = delete;

  // Asks other fields of one input. `most_fields`: a record with more is malformed; 0: any number
  // is right. REQUIRES: before set()
  void want(i64 source, std::vector<FieldName> names, i64 most_fields) {
    others_[source] = {std::move(names), most_fields};
  }
  // Says how an input is read, once. Any thread.
  Status set(i64 source, const Dialect &dialect);
  // The reader of an input; null if there is none.
  const RecordReader *of(i64 source) const {
    const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
    return entry == nullptr ? nullptr : entry->reader.get();
  }
  // The same for its dialect.
  const Dialect *dialect(i64 source) const {
    const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
    return entry == nullptr ? nullptr : &entry->dialect;
  }

  // The first input that has a header, as far as inputs are known; -1: none.
  i64 first_with_header() const;

  // All different dialects, in the order in which they were set.
  std::vector<Dialect> dialects() const;

 private:
  struct Entry {
    Dialect dialect;
    std::vector<FieldName> wanted;
    std::shared_ptr<const RecordReader> reader;
  };

  std::vector<FieldName> wanted_;
  std::span<const Lookup> lookups_;
  struct Own {
    std::vector<FieldName> wanted;
    i64 most_fields;
  };
  std::map<i64, Own> others_;  // by source
  std::vector<std::atomic<const Entry *>> by_source_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;  // they stay where they are
};

}  // namespace mrc
