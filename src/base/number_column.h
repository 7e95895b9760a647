// Numbers of one column: as a rule they are written alike.
//
// Finding the point is what parsing a number costs, so a column remembers how many decimal
// places the last number had. Up to eight characters become a word whose last byte is the last
// one. With the expected point taken out by an exclusive or, its byte is 0 and the others are
// digits, or the guess was wrong: one test for everything.
#pragma once

#include "base/number.h"

namespace mrc {

// parse_number() out of line.
Number parse_longer_number(Bytes text, Arena *wide);

// One for each column and worker. What was read before changes only the time that it takes.
class NumberColumn {
 public:
  // As parse_number(). REQUIRES: text.data() is not null
  MRC_INLINE Number parse(Bytes text, Arena *wide) {
    using namespace number_words;
    const u64 negative = *text.data() == '-';
    const u64 more = text.size() - 1 - negative;  // characters but one
    if (more >= 8) return parse_longer_number(text, wide);
    // Shifted by what is missing to eight bytes.
    u64 word = load_digits(text.data() + negative) << (56 - 8 * more);
    if (!is_expected(word) && !expect_like(word)) return parse_longer_number(text, wide);
    word ^= point_;
    const u64 before = word & before_point_;
    word = (word ^ before) | before << 8;
    const i64 sign = -static_cast<i64>(negative);
    return make_number((value_of(word) ^ sign) - sign, 0) | scale_;
  }

 private:
  MRC_INLINE bool is_expected(u64 word) const {
    word ^= point_;
    return (((word + limits_) | word) & number_words::kBytes * 0x80) == 0;
  }

  // Expects the point where it is in `word`, if that is a number of digits.
  MRC_INLINE bool expect_like(u64 word) {
    using namespace number_words;
    const u64 other = other_bytes(word);
    const u64 byte = (other >> 7) * 0xFF;  // what is no digit, if that is one byte
    if ((other & (other - 1)) != 0 || other == u64{0x80} << 56) return false;
    if (((word ^ kBytes * ('.' ^ '0')) & byte) != 0) return false;
    scale_ = other == 0 ? 0 : static_cast<u64>(std::countl_zero(other)) / 8;
    point_ = byte & kBytes * ('.' ^ '0');
    before_point_ = other == 0 ? 0 : (other >> 7) - 1;
    limits_ = kBytes * 0x76 | (byte & kBytes * 0x7F);
    return true;
  }

  u64 scale_ = 0;         // of the number before
  u64 point_ = 0;         // what makes the byte of its point 0 in a word of digits
  u64 before_point_ = 0;  // the bytes before that one
  // What takes any larger byte beyond 127: than 9, but than 0 where the point is.
  u64 limits_ = number_words::kBytes * 0x76;
};

}  // namespace mrc
