#include "combine/computed_result.h"

#include "base/json_text.h"
#include "combine/figure.h"
#include "expr/evaluate.h"

#include <algorithm>

namespace mrc {
namespace {

using Kind = Expression::Kind;

// Calls use(input) with the results as a batch of one record. `bad`: takes what cannot be computed
// of it, or null.
template <typename Use>
void with_batch(const std::vector<std::string> &results, std::span<const size_t> columns, Use use,
                std::vector<BadValue> *bad = nullptr) {
  thread_local RecordBatch batch;
  batch.clear();
  batch.size = 1;
  batch.fields.resize(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const bool missing = results[i].empty();
    batch.fields[i][0] = missing ? Bytes() : keep_text(results[i], &batch.unescaped);
  }
  use({batch, columns, &batch.unescaped, bad});
}

void append_text(Bytes text, Notation notation, std::string *out) {
  if (notation != Notation::json) {
    out->append(text);
  } else if (text.data() == nullptr) {
    out->append("null");
  } else {
    append_json(text, out);
  }
}

}  // namespace

Expression input_field(const std::string &typed, i64 number) {
  return {.kind = Kind::field, .field = {{typed, number}, nullptr, typed}, .typed = typed};
}

std::optional<Column> find_column(const Aggregation &aggregation, const Expression &named) {
  const auto found = std::ranges::find_if(aggregation.columns, [&](const Column &column) {
    return column.name == named.typed ||
           (named.kind == Kind::field && column.name == named.field.field.text);
  });
  if (found == aggregation.columns.end()) return {};
  return Column{.name = found->name,
                .finish = nullptr,
                .rank = nullptr,
                .same_as = found - aggregation.columns.begin()};
}

ComputedResult::ComputedResult(std::vector<Column> inputs,
                               std::shared_ptr<const ComputedField> computed, NumberStyle style)
    : Formula(std::move(inputs)), computed_(std::move(computed)), style_(style) {
  for (const FieldName &field : computed_->fields()) {
    columns_.push_back(static_cast<size_t>(field.number - 1));
  }
}

Number ComputedResult::number_of(const FilterInput &input) const {
  auto *numbers = new_column<NumberColumnOf>(input.arena);
  computed_->numbers()->fill(input, first_bits(1), numbers);
  return (*numbers)[0];
}

void ComputedResult::finish(const std::vector<std::string> &inputs, Notation notation,
                            std::string *out) const {
  with_batch(inputs, columns_, [&](const FilterInput &input) {
    if (computed_->kind() == ValueKind::number) {
      const Number number = number_of(input);
      const Figure figure = is_number(number) ? Figure::of(number) : Figure();
      return figure.append(notation == Notation::exact ? NumberStyle{} : style_, notation, out);
    }
    TextColumnOf texts;
    computed_->texts().fill(input, first_bits(1), &texts);
    append_text(texts[0], notation, out);
  });
}

u64 ComputedResult::rank(const std::vector<std::string> &inputs) const {
  u64 rank = 0;
  with_batch(inputs, columns_, [&](const FilterInput &input) {
    if (computed_->numbers() == nullptr) return;
    const Number number = number_of(input);
    if (is_number(number)) rank = Figure::of(number).rank();
  });
  return rank;
}

std::string ComputedResult::fault(const std::vector<std::string> &inputs) const {
  std::vector<BadValue> bad;
  std::string reason;
  const auto look = [&](const FilterInput &input) {
    TextColumnOf texts;
    computed_->texts().fill(input, first_bits(1), &texts);
    if (bad.empty() || texts[0].data() != nullptr) return;
    reason = bad[0].reason;
    if (!bad[0].value.empty()) reason.append(": ").append(bad[0].value);
  };
  with_batch(inputs, columns_, look, &bad);
  return reason;
}

Column computed_column(std::string name, std::vector<Column> inputs,
                       std::shared_ptr<const ComputedField> computed, NumberStyle style) {
  Column shown{.name = std::move(name), .finish = nullptr, .rank = nullptr};
  shown.text = computed->kind() == ValueKind::text;
  shown.formula = std::make_shared<ComputedResult>(std::move(inputs), std::move(computed), style);
  return shown;
}

}  // namespace mrc
