// A number in one word has its scale in the lowest bits. Rotated by these bits, words of numbers of
// one scale differ as their digits do, which keeps the list's differences small. Nothing is sorted
// in the end: the number of a rank is selected in linear time.
#include "base/sort_words.h"
#include "base/varint.h"
#include "combine/inner/reducers.h"
#include "combine/inner/wide_sums.h"
#include "combine/value_list.h"
#include "combine/value_runs.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace mrc {
namespace {

constexpr int kScaleBits = 5;
u64 turned(Number number) { return std::rotr(number, kScaleBits); }
Number turned_back(u64 word) { return std::rotl(word, kScaleBits); }

constexpr u64 kWordsAtOnce = 4096;  // loaded into memory of their own

struct NumberList {
  ValueList kept;          // in memory
  SpilledValues *spilled;  // null if no numbers are on disk
};

NumberList *list(State *state) { return reinterpret_cast<NumberList *>(state); }
const NumberList *list(const State *state) { return reinterpret_cast<const NumberList *>(state); }

void add(const Part &part, State *const *states, ValueRows values, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    Number number = values.at(i, part.value);
    if (!is_number(number)) continue;
    if (!is_narrow(number)) number = keep_wide(wide_number(number), arena);
    list(states[i] + part.offset)->kept.add(turned(number), arena);
  }
}

void take_spilled(SpilledValues *spilled, NumberList *into) {
  if (spilled == nullptr) return;
  into->spilled == nullptr ? void(into->spilled = spilled) : into->spilled->add(*spilled);
}

void merge(const Part &part, State *const *into, State *const *from, i64 n, Arena *arena) {
  for (i64 i = 0; i < n; ++i) {
    NumberList *to = list(into[i] + part.offset), *other = list(from[i] + part.offset);
    to->kept.merge(&other->kept, arena);
    take_spilled(other->spilled, to);
  }
}

// Brings narrow numbers to one scale, where words order as the numbers do. Returns false, and
// changes nothing, if there are wide numbers or the common scale does not fit.
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

bool is_less_aligned(Number a, Number b) { return static_cast<i64>(a) < static_cast<i64>(b); }
bool is_less(Number a, Number b) { return compare_numbers(a, b) < 0; }

std::vector<Number> numbers_of(const ValueList &values) {
  std::vector<Number> numbers;
  values.collect(&numbers);
  for (u64 &word : numbers) word = turned_back(word);
  return numbers;
}

// Sorts numbers. Aligned ones compare as their words do, as signed integers.
void sort_numbers(bool aligned, std::vector<Number> *numbers) {
  constexpr u64 kSign = u64{1} << 63;
  if (!aligned) return std::sort(numbers->begin(), numbers->end(), is_less);
  for (u64 &word : *numbers) word ^= kSign;
  sort_words(numbers);
  for (u64 &word : *numbers) word ^= kSign;
}

// Sorts numbers and yields them in order.
class SortedNumbers : public ValueStream {
 public:
  explicit SortedNumbers(std::vector<Number> numbers)
      : numbers_(std::move(numbers)), aligned_(align_scales(&numbers_)) {
    sort_numbers(aligned_, &numbers_);
  }

  bool next(CountedValue *value) override {
    if (next_ == numbers_.size()) return false;
    *value = {{}, numbers_[next_], 0};
    for (; next_ < numbers_.size() && is_equal(value->number, numbers_[next_]); ++next_) {
      ++value->count;
    }
    return true;
  }

 private:
  bool is_equal(Number a, Number b) const { return aligned_ ? a == b : !is_less(a, b); }

  std::vector<Number> numbers_;
  bool aligned_;
  size_t next_ = 0;
};

// Writes runs, each of no more numbers than may be sorted at a time.
void write_runs(const ValueList &values, ValueRuns *runs, SpilledValues *spilled) {
  const i64 most = runs->most_finished() / static_cast<i64>(sizeof(Number));
  values.collect_in_parts(most, [&](std::vector<u64> *part) {
    for (u64 &word : *part) word = turned_back(word);
    SortedNumbers numbers(std::move(*part));
    spilled->add(runs->write(&numbers, false));
  });
}

void spill(ValueRuns *runs, NumberList *numbers) {
  if (numbers->spilled == nullptr) numbers->spilled = runs->make_spilled();
  write_runs(numbers->kept, runs, numbers->spilled);
  numbers->kept = {};
}

i64 bytes_of(const ValueList &values) { return static_cast<i64>(values.count * sizeof(Number)); }

bool is_flat(const NumberList &numbers) {
  const ValueList &values = numbers.kept;
  if (numbers.spilled != nullptr) return false;
  return values.count == 0 || (values.end == nullptr && is_narrow(turned_back(values.last)));
}

// Saves the count of narrow numbers, their differences, and the wide numbers, all ascending.
void save_numbers(std::vector<Number> numbers, std::string *out) {
  const auto wide_at =
      std::partition(numbers.begin(), numbers.end(), [](Number n) { return is_narrow(n); });
  std::vector<Number> wide(wide_at, numbers.end());
  numbers.erase(wide_at, numbers.end());
  for (u64 &word : numbers) word = turned(word);
  sort_words(&numbers);
  std::sort(wide.begin(), wide.end(), is_less);
  append_varint(numbers.size(), out);
  u64 before = 0;
  for (const u64 word : numbers) append_varint(word - std::exchange(before, word), out);
  for (const Number number : wide) save_wide_number(wide_number(number), out);
}

// Returns the numbers in memory and on disk, for a saved state that must outlive the runs.
std::vector<Number> all_numbers(const NumberList &list) {
  std::vector<Number> numbers = numbers_of(list.kept);
  const std::unique_ptr<ValueStream> spilled = list.spilled->owner()->read(list.spilled->merged());
  for (CountedValue value; spilled->next(&value);) {
    numbers.insert(numbers.end(), value.count, value.number);
  }
  return numbers;
}

// Saves the names of runs, possibly none, and the numbers in memory.
void save_list(const Part &part, const State *state, std::string *out) {
  const NumberList &numbers = *list(state + part.offset);
  if (is_flat(numbers)) return;
  if (part.runs == nullptr && numbers.spilled != nullptr) {
    out->push_back('\0');
    return save_numbers(all_numbers(numbers), out);
  }
  SpilledValues all(part.runs);
  if (numbers.spilled != nullptr) all.add(*numbers.spilled);
  const bool large = part.runs != nullptr && bytes_of(numbers.kept) > part.runs->most_saved();
  if (large) write_runs(numbers.kept, part.runs, &all);
  all.save(out);
  save_numbers(large ? std::vector<Number>() : numbers_of(numbers.kept), out);
}

// Loads a list. Numbers that do not fit in memory go to runs.
void load_list(const Part &part, State *state, Bytes saved, Arena *arena) {
  NumberList *numbers = list(state + part.offset);
  *numbers = {};
  saved.front() == 0 ? saved.remove_prefix(1)
                     : void(numbers->spilled = part.runs->load_spilled(&saved));
  const bool is_much = part.runs != nullptr && part.runs->is_much(saved);
  Arena parts;  // has the numbers between two runs
  const auto relieve = [&] {
    if (!is_much || bytes_of(numbers->kept) <= part.runs->most_finished()) return;
    spill(part.runs, numbers);
    parts.clear();
  };
  Arena *const memory = is_much ? &parts : arena;
  std::vector<u64> words;
  u64 left = take_varint(&saved), before = 0;
  while (left > 0) {
    words.resize(std::min(left, kWordsAtOnce));
    left -= words.size();
    for (u64 &word : words) word = before += take_varint(&saved);
    numbers->kept.add_all(words, memory);
    relieve();
  }
  while (!saved.empty()) {  // wide numbers
    numbers->kept.add(turned(keep_wide(load_wide_number(&saved), memory)), memory);
    relieve();
  }
  if (is_much && numbers->kept.count > 0) spill(part.runs, numbers);
}

// Selects numbers by their rank, from 0. Selecting may move numbers to disk, but does not change
// them.
class Selection {
 public:
  explicit Selection(const State *own) {
    auto *numbers = const_cast<NumberList *>(list(own));
    if (numbers->spilled == nullptr) {
      numbers_ = numbers_of(numbers->kept);
      aligned_ = align_scales(&numbers_);
      return;
    }
    runs_ = numbers->spilled->owner();
    if (numbers->kept.count > 0) spill(runs_, numbers);
    run_ = &numbers->spilled->merged();
  }

  u64 count() const { return run_ != nullptr ? run_->total : numbers_.size(); }

  // Makes at() take constant time for numbers in memory, for callers that select many.
  void sort() {
    sort_numbers(aligned_, &numbers_);
    sorted_ = true;
  }

  Figure at(u64 rank) {
    if (run_ != nullptr) return at_in_run(rank);
    if (sorted_) return Figure::of(numbers_[rank]);
    const auto place = numbers_.begin() + static_cast<i64>(rank);
    aligned_ ? std::nth_element(numbers_.begin(), place, numbers_.end(), is_less_aligned)
             : std::nth_element(numbers_.begin(), place, numbers_.end(), is_less);
    return Figure::of(*place);
  }

 private:
  Figure at_in_run(u64 rank) const {
    const std::vector<u64> &before = run_->total_before;
    const auto block = std::upper_bound(before.begin(), before.end(), rank) - before.begin() - 1;
    const std::unique_ptr<ValueStream> values = runs_->read(*run_, block);
    u64 passed = before[static_cast<size_t>(block)];
    CountedValue value;
    do {
      if (!values->next(&value)) return {};  // the run cannot be read; runs_ has the error
      passed += value.count;
    } while (passed <= rank);
    return Figure::of(value.number);
  }

  ValueRuns *runs_ = nullptr;
  const ValueRun *run_ = nullptr;  // null: the numbers are in memory
  std::vector<Number> numbers_;
  bool aligned_ = false;
  bool sorted_ = false;
};

Figure middle(u64 count, const std::function<Figure(u64 rank)> &at) {
  const Figure lower = at((count - 1) / 2);
  return count % 2 == 1 ? lower : Figure::midpoint(lower, at(count / 2));
}

bool is_smaller(const Figure &a, const Figure &b) { return Figure::difference(a, b).sign() < 0; }

// Selects distances of sorted numbers from a number in their midst. The numbers that are nearest to
// it stand side by side, so the distance of a rank is that of the farther end of such a window, and
// the smallest of all windows of its width. The lower ends come nearer and the upper ends go away
// from window to window, so the smallest is where the upper end begins to be the farther one.
class Distances {
 public:
  Distances(Selection *sorted, Figure from) : sorted_(*sorted), from_(std::move(from)) {}

  Figure at(u64 rank) {
    u64 first = 0, last = sorted_.count() - 1 - rank;
    while (first < last) {
      const u64 window = first + (last - first) / 2;
      if (is_smaller(above(window + rank), below(window))) {
        first = window + 1;
      } else {
        last = window;
      }
    }
    const Figure at_first = farther(first, rank);
    if (first == 0) return at_first;
    const Figure before = farther(first - 1, rank);
    return is_smaller(before, at_first) ? before : at_first;
  }

 private:
  Figure below(u64 rank) { return Figure::difference(from_, sorted_.at(rank)); }
  Figure above(u64 rank) { return Figure::difference(sorted_.at(rank), from_); }
  Figure farther(u64 window, u64 rank) {
    const Figure lower = below(window), upper = above(window + rank);
    return is_smaller(lower, upper) ? upper : lower;
  }

  Selection &sorted_;
  const Figure from_;
};

}  // namespace

const Reducer kNumberList = make_reducer<add, merge, save_list, load_list>(sizeof(NumberList));

u64 nearest_rank(u64 n, const ColumnStyle &style) {
  const auto part = static_cast<unsigned __int128>(n) * static_cast<u64>(style.numerator);
  const auto whole = static_cast<u64>(style.denominator);
  const auto rank = static_cast<u64>((part + whole - 1) / whole);
  return rank == 0 ? 0 : rank - 1;
}

void bound_numbers(const Part &part, State *state) {
  NumberList *numbers = list(state + part.offset);
  if (bytes_of(numbers->kept) > part.runs->most_finished()) spill(part.runs, numbers);
}

Figure quantile_of(const State *own, const ColumnStyle &style) {
  Selection selection(own);
  if (selection.count() == 0) return {};
  return selection.at(nearest_rank(selection.count(), style));
}

// REQUIRES: the denominator is a power of ten
Figure interpolated_quantile_of(const State *own, const ColumnStyle &style) {
  Selection selection(own);
  if (selection.count() == 0) return {};
  const auto way =
      static_cast<unsigned __int128>(selection.count() - 1) * static_cast<u64>(style.numerator);
  const auto whole = static_cast<u64>(style.denominator);
  const auto below = static_cast<u64>(way / whole), rest = static_cast<u64>(way % whole);
  const Figure lower = selection.at(below);
  if (rest == 0) return lower;
  i64 places = 0;
  while (power_of_ten(places) < style.denominator) ++places;
  return Figure::between(lower, selection.at(below + 1), rest, places);
}

Figure median_of(const State *own) {
  Selection selection(own);
  if (selection.count() == 0) return {};
  return middle(selection.count(), [&](u64 rank) { return selection.at(rank); });
}

Figure median_deviation_of(const State *own) {
  Selection selection(own);
  const u64 count = selection.count();
  if (count == 0) return {};
  selection.sort();
  Distances distances(&selection, middle(count, [&](u64 rank) { return selection.at(rank); }));
  return middle(count, [&](u64 rank) { return distances.at(rank); });
}

u64 count_of_numbers(const State *own) {
  const NumberList &numbers = *list(own);
  const u64 on_disk = numbers.spilled == nullptr ? 0 : numbers.spilled->merged().total;
  return numbers.kept.count + on_disk;
}

// Numbers from the disk are borrowed until the next one is read.
void each_number(const State *own, const TakeNumbers &take) {
  const NumberList &numbers = *list(own);
  if (numbers.kept.count > 0) take(numbers_of(numbers.kept));
  if (numbers.spilled == nullptr) return;
  const std::unique_ptr<ValueStream> spilled =
      numbers.spilled->owner()->read(numbers.spilled->merged());
  constexpr u64 kMostAtOnce = 1024;  // a number may be there a billion times
  std::vector<Number> equal;
  for (CountedValue value; spilled->next(&value);) {
    equal.assign(std::min(value.count, kMostAtOnce), value.number);
    for (u64 left = value.count; left > 0; left -= std::min(left, kMostAtOnce)) {
      take(std::span(equal).first(std::min(left, kMostAtOnce)));
    }
  }
}

std::unique_ptr<ValueStream> numbers_in_order(const State *own) {
  auto *numbers = const_cast<NumberList *>(list(own));
  if (numbers->spilled == nullptr)
    return std::make_unique<SortedNumbers>(numbers_of(numbers->kept));
  ValueRuns *runs = numbers->spilled->owner();
  if (numbers->kept.count > 0) spill(runs, numbers);
  return runs->read(numbers->spilled->merged());
}

}  // namespace mrc
