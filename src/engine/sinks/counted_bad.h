// What is bad of the records of a part of the input, counted on its way.
#pragma once

#include "map/map.h"

#include <utility>

namespace mrc {

struct CountedBad : BadRecordSink {
  explicit CountedBad(BadRecordSink *the_sink) : sink(*the_sink) {}

  void take(const Chunk &chunk, const BadRecord &bad) override {
    ++records;
    sink.take(chunk, bad);
  }
  void take_value(const Chunk &chunk, const BadField &bad) override {
    ++values;
    sink.take_value(chunk, bad);
  }
  void count_used(i64 used) override { sink.count_used(used); }
  // Adds to what is covered, and begins anew.
  template <typename Part>
  void move_to(Part *part) {
    part->bad_records += std::exchange(records, 0);
    part->bad_values += std::exchange(values, 0);
  }

  BadRecordSink &sink;
  i64 records = 0, values = 0;
};

}  // namespace mrc
