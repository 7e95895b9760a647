// The readers of a job's inputs, one for each dialect.
#pragma once

#include "fields/lookup.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// A plan has the readers of inputs that can be examined beforehand. Each run has a copy, to which
// workers add the readers of streams.
class InputReaders {
 public:
  // All readers get the same fields, unless want() says otherwise. The lookup tables must outlive
  // the readers.
  InputReaders(i64 sources, std::vector<FieldName> wanted, std::span<const Lookup> lookups = {});
  InputReaders(const InputReaders &planned);
  InputReaders &operator=(const InputReaders &) = delete;

  // Sets the fields of one input. A record with more than `most_fields` fields is malformed; 0: no
  // limit. REQUIRES: called before set()
  void want(i64 source, std::vector<FieldName> names, i64 most_fields) {
    others_[source] = {std::move(names), most_fields};
  }
  // Sets the dialect of an input, once. Any thread may call it.
  Status set(i64 source, const Dialect &dialect);
  // Returns the reader of an input; null if there is none.
  const RecordReader *of(i64 source) const {
    const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
    return entry == nullptr ? nullptr : entry->reader.get();
  }
  // Returns the dialect of an input; null if there is none.
  const Dialect *dialect(i64 source) const {
    const Entry *entry = by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
    return entry == nullptr ? nullptr : &entry->dialect;
  }

  // Returns the first known input that has a header; -1: none.
  i64 first_with_header() const;

  // Returns all distinct dialects, in the order in which they were set.
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
  std::deque<Entry> entries_;  // a deque, so that entries never move
};

}  // namespace mrc
