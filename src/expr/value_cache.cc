#include "expr/value_cache.h"

#include "expr/computed_field.h"

#include <algorithm>

namespace mrc {
namespace {

// Computes the records that no use before has asked for, and copies those that this one wants.
// `kEntry` and `kValues` choose the form: numbers or texts.
template <typename Values, typename Column, auto kEntry, auto kValues>
class NamedValues : public Values {
 public:
  NamedValues(std::shared_ptr<const ComputedField> of, std::vector<i64> fields)
      : of_(std::move(of)), fields_(std::move(fields)) {}
  void fill(const FilterInput &input, const Bits &wanted, Column *out) const override {
    std::vector<size_t> columns;
    for (const i64 field : fields_) columns.push_back(input.columns[static_cast<size_t>(field)]);
    const FilterInput own{input.batch, columns, input.arena, input.bad, input.cache};
    if (input.cache == nullptr) return kValues(*of_).fill(own, wanted, out);
    auto *entry = (input.cache->*kEntry)(of_.get());
    if (entry->column == nullptr) entry->column = new_column<Column>(input.arena);
    const Bits missing = without(wanted, entry->done);
    const bool is_done = std::ranges::all_of(missing.words, [](u64 word) { return word == 0; });
    if (!is_done) kValues(*of_).fill(own, missing, entry->column);
    for (size_t w = 0; w < Bits::kWords; ++w) entry->done.words[w] |= wanted.words[w];
    for_wanted(wanted, [&](size_t i) { (*out)[i] = (*entry->column)[i]; });
  }

 private:
  std::shared_ptr<const ComputedField> of_;
  std::vector<i64> fields_;  // its fields among those of the expression that names it
};

const NumberValues &numbers_of(const ComputedField &field) { return *field.numbers(); }
const TextValues &texts_of(const ComputedField &field) { return field.texts(); }

}  // namespace

NumbersPtr make_named_numbers(std::shared_ptr<const ComputedField> of, std::vector<i64> fields) {
  using Named = NamedValues<NumberValues, NumberColumnOf, &ValueCache::numbers, numbers_of>;
  return std::make_unique<Named>(std::move(of), std::move(fields));
}
TextsPtr make_named_texts(std::shared_ptr<const ComputedField> of, std::vector<i64> fields) {
  using Named = NamedValues<TextValues, TextColumnOf, &ValueCache::texts, texts_of>;
  return std::make_unique<Named>(std::move(of), std::move(fields));
}

}  // namespace mrc
