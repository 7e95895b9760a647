// Running fields, whose values depend on records before the own one. Their values for a chunk are
// computed before its records are read for the job, and are fields of these like any others.
#pragma once

#include "fields/fields.h"

#include <memory>
#include <vector>

namespace mrc {

// The records of a chunk that the job uses, and the values of its running fields for them.
struct RunningValues {
  std::vector<const char *> begins;         // RecordBatch::begin_of() of each record, ascending
  std::vector<std::vector<Bytes>> columns;  // by field; missing values have no data()
};

inline bool is_running(const FieldName &name) { return name.number == kRunningNumber; }
// Returns the fields that the records' reader provides: whole records stand in for running fields.
std::vector<FieldName> without_running(std::vector<FieldName> wanted);

// Makes a reader that takes the running fields among `wanted` from the chunk, and leaves out
// records that the chunk has no values for. Without values, as in a sample, they are missing for
// all records. `fields` has the fields in the order of RunningValues::columns. REQUIRES: the reader
// provides without_running(wanted)
std::unique_ptr<RecordReader> make_running_reader(std::unique_ptr<RecordReader> reader,
                                                  const std::vector<FieldName> &wanted,
                                                  const std::vector<FieldName> &fields);

}  // namespace mrc
