#include "expr/value_cache.h"

#include "expr/computed_field.h"

#include <algorithm>

namespace mrc {
namespace {

// Computes the records that no use before has asked for, and copies those that this one wants.
template <typename Column, typename Entry, typename Values>
void fill_named(const Values &values, const FilterInput &input, const Bits &wanted, Entry *entry,
                Column *out) {
  if (entry->column == nullptr) entry->column = new_column<Column>(input.arena);
  const Bits missing = without(wanted, entry->done);
  const bool is_done = std::ranges::all_of(missing.words, [](u64 word) { return word == 0; });
  if (!is_done) values.fill(input, missing, entry->column);
  for (size_t w = 0; w < Bits::kWords; ++w) entry->done.words[w] |= wanted.words[w];
  for_wanted(wanted, [&](size_t i) { (*out)[i] = (*entry->column)[i]; });
}

// The fields of a computed field among those of the expression that names it.
class Places {
 public:
  explicit Places(std::vector<i64> fields) : fields_(std::move(fields)) {}
  std::vector<size_t> columns(const FilterInput &input) const {
    std::vector<size_t> columns;
    for (const i64 field : fields_) columns.push_back(input.columns[static_cast<size_t>(field)]);
    return columns;
  }

 private:
  std::vector<i64> fields_;
};

class NamedNumbers : public NumberValues {
 public:
  NamedNumbers(std::shared_ptr<const ComputedField> of, std::vector<i64> fields)
      : of_(std::move(of)), places_(std::move(fields)) {}
  void fill(const FilterInput &input, const Bits &wanted, NumberColumnOf *out) const override {
    const std::vector<size_t> columns = places_.columns(input);
    const FilterInput own{input.batch, columns, input.arena, input.bad, input.cache};
    if (input.cache == nullptr) return of_->numbers()->fill(own, wanted, out);
    fill_named(*of_->numbers(), own, wanted, input.cache->numbers(of_.get()), out);
  }

 private:
  std::shared_ptr<const ComputedField> of_;
  Places places_;
};

class NamedTexts : public TextValues {
 public:
  NamedTexts(std::shared_ptr<const ComputedField> of, std::vector<i64> fields)
      : of_(std::move(of)), places_(std::move(fields)) {}
  void fill(const FilterInput &input, const Bits &wanted, TextColumnOf *out) const override {
    const std::vector<size_t> columns = places_.columns(input);
    const FilterInput own{input.batch, columns, input.arena, input.bad, input.cache};
    if (input.cache == nullptr) return of_->texts().fill(own, wanted, out);
    fill_named(of_->texts(), own, wanted, input.cache->texts(of_.get()), out);
  }

 private:
  std::shared_ptr<const ComputedField> of_;
  Places places_;
};

}  // namespace

NumbersPtr make_named_numbers(std::shared_ptr<const ComputedField> of, std::vector<i64> fields) {
  return std::make_unique<NamedNumbers>(std::move(of), std::move(fields));
}
TextsPtr make_named_texts(std::shared_ptr<const ComputedField> of, std::vector<i64> fields) {
  return std::make_unique<NamedTexts>(std::move(of), std::move(fields));
}

}  // namespace mrc
