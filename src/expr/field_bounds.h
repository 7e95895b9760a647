// expr: bounds of the values that a field has in a page, which is a part of an input. By them, a
// condition may tell that it holds for no record of the page.
#pragma once

#include "base/number.h"
#include "kinds/time_text.h"

#include <optional>
#include <span>
#include <string>

namespace mrc {

// The least and the greatest value of one kind. Missing values do not count.
template <typename Value>
struct Extent {
  bool any = false;      // false: there are no values, and `least` and `most` mean nothing
  bool misfits = false;  // some values are not of the kind
  Value least = {}, most = {};
};

// Only narrow numbers (base/number.h).
struct NumberExtent : Extent<Number> {
  // True unless no value equals the number.
  bool may_be(Number number) const {
    return any && compare_numbers(least, number) <= 0 && compare_numbers(number, most) <= 0;
  }
};

// Nanoseconds since 1970, as they are in the context.
struct TimeExtent : Extent<i64> {
  TimeContext context = {};
  TimeNeeds needs = {};  // parts of the context that the values depend on

  // True if another context gives the values the same meaning.
  bool means_same_in(const TimeContext &other) const;
};

// The first bytes of texts: `least` is at most the least text, and all texts are at most `most`,
// followed by any bytes if it is cut.
struct TextExtent : Extent<std::string> {
  static constexpr size_t kPrefix = 24;
  bool is_cut = false;

  // True if all texts are less than `text`, or at most equal to it.
  bool all_below(Bytes text) const;
  bool all_at_most(Bytes text) const;
  // True unless no text equals `text`.
  bool may_be(Bytes text) const { return any && text >= least && !all_below(text); }
};

// An extent is unset if nothing is known about values of the kind.
struct FieldBounds {
  std::optional<NumberExtent> numbers = {};
  std::optional<TimeExtent> times = {};
  std::optional<TextExtent> texts = {};
};

// The effect that a condition may have on a page.
struct Outlook {
  bool holds = true;  // it may hold for a record
  bool notes = true;  // it may note a value that does not fit
};

// Collects bounds. Not thread safe.
class BoundsBuilder {
 public:
  // `context`: null: the values are not read as times.
  BoundsBuilder(bool as_numbers, const TimeContext *context, bool as_texts);

  // Takes a value as it is in the record; it may be over-read by kPadding bytes. A missing value
  // has no data().
  MRC_INLINE void add(Bytes value) {
    if (value.data() == nullptr) return;
    if (bounds_.texts) add_text(value);
    if (value.empty() || value == "-") return;
    if (bounds_.numbers) add_number(value);
    if (bounds_.times) add_time(value);
  }
  // Returns the bounds of all values since the last call.
  FieldBounds take();

 private:
  void add_number(Bytes value);
  void add_time(Bytes value);
  void add_text(Bytes value);

  FieldBounds bounds_, empty_;
  NumberColumn column_;
};

}  // namespace mrc
