// Counts the malformed records and values of a part of the input, and passes them on.
#pragma once

#include "engine/inner/complaint.h"
#include "map/map.h"

#include <utility>

namespace mrc {

class CountedBad : public BadRecordSink {
 public:
  CountedBad(BadRecordSink *sink, char terminator)
      : sink_(*sink), none_(terminator), records_(terminator), values_(terminator) {}

  void take(const Chunk &chunk, const BadRecord &bad) override {
    records_.add(chunk, bad.record, bad.reason, bad.record);
    sink_.take(chunk, bad);
  }
  void take_value(const Chunk &chunk, const BadField &bad) override {
    values_.add(chunk, bad.record, bad.reason, bad.value);
    sink_.take_value(chunk, bad);
  }
  void take_field(const FieldName &name, bool is_there) override {
    sink_.take_field(name, is_there);
  }
  void count_used(i64 used) override {
    used_ += used;
    sink_.count_used(used);
  }
  // Adds the counts to the portion and the first faults to its flaws, and starts over.
  void move_to(Portion *portion, KeptFlaws *flaws) {
    portion->bad_records += records_.count();
    portion->bad_values += values_.count();
    if (records_.count() + values_.count() + used_ == 0) return;
    flaws->add({std::exchange(used_, 0), records_.first(), values_.first()});
    records_ = values_ = none_;
  }

 private:
  BadRecordSink &sink_;
  const Complaint none_;
  Complaint records_, values_;
  i64 used_ = 0;
};

}  // namespace mrc
