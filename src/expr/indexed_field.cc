#include "expr/indexed_field.h"

#include "base/make_error.h"
#include "expr/inner/clock.h"

#include <algorithm>

namespace mrc {
namespace {

IndexedField read_by(ValueKind kind, const FieldExpr &of, const Clock &clock) {
  IndexedField field{.name = of.field};
  if (kind == ValueKind::time) {
    field.times = make_time_context(clock, of);
    field.zone = clock.zone;
    return field;
  }
  field.as_texts = true;
  field.as_numbers =
      kind == ValueKind::number || kind == ValueKind::duration || kind == ValueKind::unknown;
  return field;
}

}  // namespace

Result<std::vector<IndexedField>> parse_indexed_fields(std::string_view text, const Clock &clock) {
  const Result<std::vector<FieldExpr>> parsed = parse_fields(text, clock);
  if (!parsed.is_ok()) return parsed.status();
  std::vector<IndexedField> fields;
  for (const FieldExpr &each : *parsed) {
    if (each.field.number == 0) return make_error("{}: it is the whole record", each.text);
    if (each.bucket && !each.bucket->is_value()) {
      return make_error("{}: values are indexed, and not their buckets; name the field only",
                        each.text);
    }
    const ValueKind kind =
        each.bucket ? each.bucket->kind() : kind_of_field({.field = each.field}, clock).kind;
    const bool is_known =
        std::ranges::find(fields, each.field, &IndexedField::name) != fields.end();
    if (is_known) return make_error("{}: the field is named twice", each.text);
    fields.push_back(read_by(kind, each, clock));
  }
  return fields;
}

}  // namespace mrc
