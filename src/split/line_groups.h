// Records of several lines: a line that does not begin a record continues the previous one.
#pragma once

#include "base/int.h"

#include <functional>

namespace mrc {

// Tells the first lines of a source's records from the others. Thread safe.
struct LineGroups {
  // Number of bytes of a line that decide whether it begins a record. May be over-read by kPadding
  // bytes.
  static constexpr i64 kHead = 1024;

  std::function<bool(Bytes head)> begins;  // empty: each line begins a record
  char terminator = '\n';

  explicit operator bool() const { return begins != nullptr; }

  // Result of a search: a byte that ends a record, or else null and the start of the bytes not
  // searched yet.
  struct Found {
    const char *cut = nullptr;
    const char *rest = nullptr;
  };
  // Finds the first byte of [begin, limit) that ends a record. May look at bytes up to `end`; the
  // search stops if these do not decide. With `at_end`, the input ends at `end`. REQUIRES: more
  // than kHead bytes from `begin` to `end`, unless `at_end`
  Found first(const char *begin, const char *limit, const char *end, bool at_end) const;
  // Returns the last byte of [begin, end) that surely ends a record, or null.
  const char *last(const char *begin, const char *end) const;
  // Returns the start of the record that contains this line, but at least `least`. REQUIRES: the
  // record is in memory, up to `end`
  const char *begin_of(const char *line, const char *least, const char *end) const;

 private:
  // Tells whether a record begins at `line`; unknown: [line, end) is too short.
  enum class Verdict { begins, goes_on, unknown };
  Verdict look(const char *line, const char *end, bool at_end) const;
};

}  // namespace mrc
