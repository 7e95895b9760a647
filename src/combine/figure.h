// Results of groups: numbers, exact until they are written, and texts.
#pragma once

#include "base/fraction.h"
#include "base/number.h"
#include "combine/combine.h"

#include <string>
#include <type_traits>

namespace mrc {

// A result: nothing (there were no values), an exact decimal, an exact fraction or its root, or a
// double if the value is known no better.
class Figure {
 public:
  Figure() = default;  // nothing
  static Figure decimal(__int128 digits, i64 scale);
  static Figure decimal(mpz_class digits, i64 scale);
  // REQUIRES: denominator > 0
  static Figure fraction(__int128 numerator, __int128 denominator);
  static Figure fraction(mpz_class numerator, mpz_class denominator);
  // A negative fraction stands for the negative root of its absolute value.
  static Figure root(mpz_class numerator, mpz_class denominator);
  static Figure real(double value);
  static Figure of(Number number);
  // REQUIRES: both have a value, and neither is a root
  static Figure difference(const Figure &a, const Figure &b);
  static Figure midpoint(const Figure &a, const Figure &b) { return between(a, b, 5, 1); }
  // Returns the point at `tenths` * 10^-places of the way from a to b.
  static Figure between(const Figure &a, const Figure &b, u64 tenths, i64 places);
  // 100 * part / whole; nothing if the whole is 0, or one of them is nothing.
  static Figure percent(const Figure &part, const Figure &whole);

  bool is_nothing() const { return kind_ == Kind::nothing; }
  // Returns a number below, at or above 0, as the figure is. REQUIRES: it is not a root
  int sign() const;
  // The nearest double, ties to even. REQUIRES: !is_nothing()
  double nearest() const;
  // Without a style, appends a decimal in full, without trailing zeros, and any other value as the
  // shortest decimal that reads back as its nearest double. Nothing is "" in text and null in JSON.
  void append(const NumberStyle &style, Notation notation, std::string *out) const;
  // Returns the number that append() writes without a style. It lives as long as the arena. Nothing
  // is kNoNumber, and a value beyond all doubles is kBadNumber.
  Number number(Arena *wide) const;
  // Returns a rank that orders figures as their nearest doubles; nothing comes first.
  u64 rank() const;

 private:
  enum class Kind { nothing, decimal, fraction, root, real };

  bool is_small() const { return kind_ != Kind::root && kind_ != Kind::real && !big_; }
  mpz_class numerator() const { return big_ ? big_numerator_ : to_mpz(numerator_); }
  mpz_class denominator() const { return big_ ? big_denominator_ : to_mpz(denominator_); }
  static Figure sum(const Figure &a, const Figure &b, int sign_of_b);
  mpq_class exact() const;
  void append_rounded(i64 places, std::string *out) const;
  void append_exact(std::string *out) const;

  Kind kind_ = Kind::nothing;
  bool big_ = false;  // the numerator and denominator are in big_numerator_ and big_denominator_
  i64 scale_ = 0;     // scale of a decimal, whose denominator is 10^scale
  double real_ = 0;
  __int128 numerator_ = 0, denominator_ = 1;
  mpz_class big_numerator_, big_denominator_;
};

// Columns that show a number of a part's state.

// The user's choices for one column, except the style of numbers. The context of its Column.
struct ColumnStyle {
  i64 most = 0;                        // maximum number of values in a list
  i64 numerator = 0, denominator = 1;  // a quantile's share of the values
  std::string separator = ",";         // of the values of a list
  bool is_keyed = false;               // values follow their sort keys (inner/keyed_values.h)
};

inline const ColumnStyle &style_of(const Column &column) {
  return *static_cast<const ColumnStyle *>(column.context);
}

// Column::finish from a Column::stream.
template <auto kStream>
void finish_stream(const Column &column, const State *own, Notation notation, std::string *out) {
  kStream(column, own, notation, out, nullptr);
}

// Column::figure from a function of the state, and of the style if it takes one.
template <auto kFigure>
Figure shown_figure(const Column &column, const State *own, const State *) {
  if constexpr (std::is_invocable_v<decltype(kFigure), const State *>)
    return kFigure(own);
  else
    return kFigure(own, style_of(column));
}

// Column::rank of columns that are ordered by a count.
template <u64 (*kCountOf)(const State *)>
u64 rank_count(const Column &, const State *own) {
  return kCountOf(own);
}

// Results that are texts.

// Parses a text of a state as a number. The text needs no padding after it. A text longer than 64
// bytes is not a number.
Number number_in(Bytes text, Arena *wide);

// Append a value as plain bytes or as a JSON string; nothing is "" or null.
void append_text(Bytes text, Notation notation, std::string *out);
void append_nothing(Notation notation, std::string *out);

// Ranks numbers by their nearest doubles, before other texts, which are ranked by their first eight
// bytes.
u64 rank_of_text(Bytes text);

}  // namespace mrc
