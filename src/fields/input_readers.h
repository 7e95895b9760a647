// The readers of a job's inputs, one for each dialect among them.
#pragma once

#include "fields/fields.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace mrc {

// Filled while the job is planned, as far as inputs can be looked at beforehand, and by
// workers when the first block of a stream arrives.
class InputReaders {
 public:
  // All readers are asked for the same fields.
  InputReaders(i64 sources, std::vector<FieldName> wanted);

  // Says how an input is read, once. Any thread.
  Status set(i64 source, const Dialect &dialect);
  // The reader of an input; waits until set() or give_up() has been called.
  // Null: given up.
  const RecordReader *of(i64 source) const;
  // The same, null if there is none yet.
  const RecordReader *known(i64 source) const {
    return by_source_[static_cast<size_t>(source)].load(std::memory_order_acquire);
  }
  // Nobody need wait any more.
  void give_up();

  // All different dialects, in the order in which they were set.
  std::vector<Dialect> dialects() const;

 private:
  struct Entry {
    Dialect dialect;
    std::unique_ptr<RecordReader> reader;
  };

  std::vector<FieldName> wanted_;
  std::vector<std::atomic<const RecordReader *>> by_source_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Entry> entries_;
  bool given_up_ = false;
};

}  // namespace mrc
