// join: two inputs become one, by keys that their records have in common.
#pragma once

#include "base/status.h"
#include "expr/expr.h"
#include "expr/record_scan.h"
#include "output/output.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Which records are printed: pairs; pairs, and what of LEFT has no partner; the same of both
// sides; records of LEFT without a partner; records of LEFT that have one.
enum class JoinKind { inner, left, full, anti, semi };

// Its numbers are those of the inputs, and of the bit SIDE in stored records.
enum Side : size_t { kLeft = 0, kRight = 1 };

// What users say of one input.
struct JoinInput {
  FormatSpec format = {};
  std::vector<FieldExpr> keys = {};                   // as many as the other side has
  std::optional<std::vector<FieldExpr>> fields = {};  // to print; unset: all but the keys
  std::shared_ptr<const Filter> filter = {};          // null: all records are wanted
};

struct JoinSpec {
  JoinKind kind = JoinKind::inner;
  bool stable = false;  // rows are in the order of LEFT; else in that of the keys
  std::array<JoinInput, 2> inputs;

  bool prints_right() const { return kind != JoinKind::anti && kind != JoinKind::semi; }
  // Whether all fields of a side are printed, so that it has to be known which there are.
  bool prints_all(Side side) const {
    return !inputs[side].fields && (side == kLeft || prints_right());
  }
  // Whether records of a side are printed that have no partner, as those without a key.
  bool keeps(Side side) const {
    if (side == kRight) return kind == JoinKind::full;
    return kind != JoinKind::inner && kind != JoinKind::semi;
  }
};

// What is read of one side, once its fields are known.
struct JoinSide {
  std::vector<FieldExpr> keys, fields;
  std::shared_ptr<const Filter> filter;
  bool is_lines = false;  // a record is one field, the line

  WantedFields wanted() const;
};

// A join whose inputs have been looked at. Immutable.
struct Join {
  JoinSpec spec;
  std::array<JoinSide, 2> sides;
};

// The fields to print of an input, of which the dialect is known, or needs not be: null. An error:
// the dialect does not say which there are. `name`: of the input, for messages.
Result<JoinSide> join_side(const JoinSpec &spec, Side side, const Dialect *dialect,
                           const std::string &name);

// The names of its columns, each once: of those with one name, the second is called a_2, the third
// a_3, as members of JSON are.
std::vector<std::string> join_columns(const Join &join);

// Parses "FIELD", or "FIELD=FIELD" for keys whose names differ, separated by commas.
Status parse_join_keys(std::string_view text, const Clock &clock, JoinSpec *spec);

}  // namespace mrc
