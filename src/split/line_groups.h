// Records of several lines: a line that does not begin one belongs to the record before it.
#pragma once

#include "base/int.h"

#include <functional>

namespace mrc {

// How the records of one source begin. Thread safe.
struct LineGroups {
  // As much of a line tells whether it begins a record. It may be over-read by kPadding bytes.
  static constexpr i64 kHead = 1024;

  std::function<bool(Bytes head)> begins;  // empty: each line does
  char terminator = '\n';

  explicit operator bool() const { return begins != nullptr; }

  // What a search has found: a byte that ends a record; else null, and what is not searched yet.
  struct Found {
    const char *cut = nullptr;
    const char *rest = nullptr;
  };
  // The first byte of [begin, limit) that ends a record. Bytes up to `end` may be looked at, and
  // if that does not tell, the search ends. `at_end`: there are no more. REQUIRES: more than kHead
  // bytes follow `begin`, unless there are no more
  Found first(const char *begin, const char *limit, const char *end, bool at_end) const;
  // The last one of [begin, end) of which that is sure; null: there is none.
  const char *last(const char *begin, const char *end) const;
  // Where the record begins that has this line, though not before `least`. REQUIRES: all of it is
  // there, up to `end`
  const char *begin_of(const char *line, const char *least, const char *end) const;

 private:
  // Whether a record begins at `line`; unset: [line, end) is too short to tell.
  enum class Verdict { begins, goes_on, unknown };
  Verdict look(const char *line, const char *end, bool at_end) const;
};

}  // namespace mrc
