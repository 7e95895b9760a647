// What map says of each record beside its key, in words.
#pragma once

#include "expr/expr.h"

namespace mrc {

// One word of each record, for reducers to read.
struct ValueColumn {
  enum class Kind {
    position,  // of the record (record.h)
    number,    // Number (base/number.h)
    text,      // as MRC_TEXT of the plugin interface; borrowed from the batch
    integer,   // of the plugin interface: MRC_INTEGER; a fraction is no integer
    real,      // the same: MRC_REAL, the nearest double
  } kind = Kind::position;
  FieldExpr expr;  // of what, but for positions

  bool is_number() const { return kind != Kind::position && kind != Kind::text; }
  bool operator==(const ValueColumn &other) const {
    return kind == other.kind && expr.text == other.expr.text && expr.field == other.expr.field;
  }
};

}  // namespace mrc
