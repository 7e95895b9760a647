// A number in one word has its scale in the lowest bits. Turned by these bits, numbers of
// one scale are as near to each other as their digits are, which the list's differences
// want. In the end nothing is sorted: the number of a rank is selected, in linear time.
#include "combine/quantiles.h"

#include "base/varint.h"
#include "combine/value_list.h"
#include "combine/wide_sums.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr int kScaleBits = 5;
u64 turned(Number number) { return std::rotr(number, kScaleBits); }
Number turned_back(u64 word) { return std::rotl(word, kScaleBits); }

ValueList *list(State *state) { return reinterpret_cast<ValueList *>(state); }
const ValueList *list(const State *state) { return reinterpret_cast<const ValueList *>(state); }

Number keep_wide(const WideNumber &number, Arena *arena) {
  auto *kept = new_zeroed<WideNumber>(arena);
  *kept = number;
  return as_number(*kept);
}

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Number number = values.at(i, part.value);
    if (!is_number(number)) continue;
    if (!is_narrow(number)) number = keep_wide(wide_number(number), arena);
    list(states[i] + part.offset)->add(turned(number), arena);
  }
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    list(into[i] + part.offset)->merge(list(from[i] + part.offset), arena);
  }
}

std::vector<Number> numbers_of(const ValueList &values) {
  std::vector<Number> numbers;
  values.collect(&numbers);
  for (u64 &word : numbers) word = turned_back(word);
  return numbers;
}

bool is_flat(const ValueList &values) {
  return values.count == 0 || (values.tail == nullptr && is_narrow(turned_back(values.last)));
}

// How many are narrow, these as differences, and the others one by one, all ascending.
void save(const Part &part, const State *state, std::string *out) {
  const ValueList &values = *list(state + part.offset);
  if (is_flat(values)) return;
  std::vector<Number> numbers = numbers_of(values);
  const auto wide =
      std::partition(numbers.begin(), numbers.end(), [](Number n) { return is_narrow(n); });
  std::sort(numbers.begin(), wide, [](Number a, Number b) { return turned(a) < turned(b); });
  std::sort(wide, numbers.end(), [](Number a, Number b) { return compare_numbers(a, b) < 0; });
  append_varint(static_cast<u64>(wide - numbers.begin()), out);
  u64 before = 0;
  for (auto number = numbers.begin(); number < wide; ++number) {
    append_varint(turned(*number) - before, out);
    before = turned(*number);
  }
  for (auto number = wide; number < numbers.end(); ++number) {
    save_wide_number(wide_number(*number), out);
  }
}

void load(const Part &part, State *state, Bytes saved, Arena *arena) {
  ValueList *values = list(state + part.offset);
  u64 word = 0;
  for (u64 narrow = take_varint(&saved); narrow > 0; --narrow) {
    word += take_varint(&saved);
    values->add(word, arena);
  }
  while (!saved.empty()) {  // those that are wide
    values->add(turned(keep_wide(load_wide_number(&saved), arena)), arena);
  }
}

// Brings narrow numbers to one scale, where their words order as they do; false, and
// nothing changed, if there are others or if it does not fit.
bool align_scales(std::vector<Number> *numbers) {
  i64 most = 0;
  for (Number number : *numbers) {
    if (!is_narrow(number)) return false;
    most = std::max(most, scale_of(number));
  }
  constexpr i64 kLimit = i64{1} << 58;
  auto aligned = [&](Number number, i64 *digits) {
    const i64 by = static_cast<i64>(power_of_ten(most - scale_of(number)));
    return !__builtin_mul_overflow(digits_of(number), by, digits) && *digits < kLimit &&
           *digits >= -kLimit;
  };
  i64 digits;
  for (Number number : *numbers) {
    if (!aligned(number, &digits)) return false;
  }
  for (Number &number : *numbers) {
    aligned(number, &digits);
    number = make_number(digits, most);
  }
  return true;
}

// Numbers out of which some are to be found by their rank, from 0.
class Selection {
 public:
  explicit Selection(const ValueList &values)
      : numbers_(numbers_of(values)), aligned_(align_scales(&numbers_)) {}

  Figure at(u64 rank) {
    const auto place = numbers_.begin() + static_cast<i64>(rank);
    if (aligned_) {
      std::nth_element(numbers_.begin(), place, numbers_.end(), [](Number a, Number b) {
        return static_cast<i64>(a) < static_cast<i64>(b);
      });
    } else {
      std::nth_element(numbers_.begin(), place, numbers_.end(),
                       [](Number a, Number b) { return compare_numbers(a, b) < 0; });
    }
    return Figure::of(*place);
  }

 private:
  std::vector<Number> numbers_;
  bool aligned_;
};

}  // namespace

const Reducer kNumberList = make_reducer<add, merge, save, load>(sizeof(ValueList));

u64 nearest_rank(u64 n, const ColumnStyle &style) {
  const auto part = static_cast<unsigned __int128>(n) * static_cast<u64>(style.numerator);
  const auto whole = static_cast<u64>(style.denominator);
  const auto rank = static_cast<u64>((part + whole - 1) / whole);
  return rank == 0 ? 0 : rank - 1;
}

Figure quantile_of(const State *own, const ColumnStyle &style) {
  const ValueList &values = *list(own);
  if (values.count == 0) return {};
  return Selection(values).at(nearest_rank(values.count, style));
}

Figure median_of(const State *own) {
  const ValueList &values = *list(own);
  if (values.count == 0) return {};
  Selection selection(values);
  const Figure lower = selection.at((values.count - 1) / 2);
  if (values.count % 2 == 1) return lower;
  return Figure::midpoint(lower, selection.at(values.count / 2));
}

}  // namespace mrc
