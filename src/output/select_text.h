// The text of `mrc select`: prints selected records.
#pragma once

#include "fields/kind.h"
#include "map/map.h"
#include "map/transform.h"
#include "output/output.h"

#include <memory>

namespace mrc {

// The kind of a key, which decides how JSON shows its values.
struct SelectedKey {
  ValueKind kind = ValueKind::unknown;  // numbers and booleans are not strings
  bool is_read = false;  // a field of the record: not computed or a bucket, not of a table
};

struct SelectSpec {
  // The keys are the fields to print; none: the whole record, unchanged. There are no values.
  FieldsSpec fields;
  // Uses format (with field_text), header, raw, terminal and terminator. The header of whole
  // records is that of the first input, if it has one.
  RowShape shape;
  std::vector<SelectedKey> known = {};  // of the keys; may be shorter
  bool all_text = false;                // print all values as strings in JSON
  i64 of_all = INT64_MAX;               // limit: the first records
  i64 last = INT64_MAX;                 // limit: the last of those
  bool reversed = false;                // print the last one first
};

std::unique_ptr<Transformer> make_select(SelectSpec spec);

}  // namespace mrc
