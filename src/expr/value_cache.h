// Values of fields that have a name and are computed: once for each batch, however many expressions
// use them.
#pragma once

#include "expr/evaluate.h"

#include <memory>
#include <unordered_map>

namespace mrc {

class ComputedField;

// The values that have been computed for one batch. Not thread safe; cleared with the batch's
// arena.
class ValueCache {
 public:
  template <typename Column>
  struct Entry {
    Column *column = nullptr;
    Bits done;
  };

  Entry<NumberColumnOf> *numbers(const ComputedField *of) { return &numbers_[of]; }
  Entry<TextColumnOf> *texts(const ComputedField *of) { return &texts_[of]; }
  void clear() {
    numbers_.clear();
    texts_.clear();
  }

 private:
  std::unordered_map<const ComputedField *, Entry<NumberColumnOf>> numbers_;
  std::unordered_map<const ComputedField *, Entry<TextColumnOf>> texts_;
};

// Values of a computed field for an expression that names it. `fields`: where those that it looks
// at are among the fields of that expression.
NumbersPtr make_named_numbers(std::shared_ptr<const ComputedField> of, std::vector<i64> fields);
TextsPtr make_named_texts(std::shared_ptr<const ComputedField> of, std::vector<i64> fields);

}  // namespace mrc
