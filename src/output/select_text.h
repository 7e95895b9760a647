// What is printed of the records that are selected: the text of `mrc select`.
#pragma once

#include "fields/kind.h"
#include "map/map.h"
#include "map/transform.h"
#include "output/output.h"

#include <memory>

namespace mrc {

// The kind of a key, by which JSON writes its values.
struct SelectedKey {
  ValueKind kind = ValueKind::unknown;  // numbers and truth are not strings
  bool is_read = false;  // a field of the record: not computed, no bucket, of no table
};

struct SelectSpec {
  // The keys are what is printed of each record; none: the whole record, as it was. There
  // are no values.
  FieldsSpec fields;
  // Of it: format (one with field_text), header, raw, terminal and terminator. The header of
  // whole records is that of the first input, if it has one.
  RowShape shape;
  std::vector<SelectedKey> known = {};  // of the keys; may be fewer
  bool all_text = false;                // in JSON all values are strings
  i64 of_all = INT64_MAX;               // records, the first ones
  i64 last = INT64_MAX;                 // of these, the last ones
  bool reversed = false;                // the last one comes first
};

std::unique_ptr<Transformer> make_select(SelectSpec spec);

}  // namespace mrc
