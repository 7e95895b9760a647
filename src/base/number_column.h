// Parses the numbers of one column, which are usually written alike.
//
// Finding the point is most of the cost of parsing a number, so a column remembers how many decimal
// places the last number had. Up to eight characters become a word whose last byte is the last
// character. An exclusive or with the expected point makes its byte 0. If any byte is then not a
// digit, the guess was wrong: one test covers everything.
#pragma once

#include "base/number.h"

namespace mrc {

// parse_number() out of line.
Number parse_longer_number(Bytes text, Arena *wide);

// Each column of each worker has one. Earlier numbers change only the speed.
class NumberColumn {
 public:
  // Does what parse_number() does. REQUIRES: text.data() is not null
  MRC_INLINE Number parse(Bytes text, Arena *wide) {
    using namespace number_words;
    const u64 negative = *text.data() == '-';
    const u64 more = text.size() - 1 - negative;  // number of characters minus 1
    if (more >= 8) return parse_longer_number(text, wide);
    // Shifts out the bytes past the end of the text.
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

  // Expects the next point at the same place as in `word`; false if that is not digits with at most
  // one point.
  MRC_INLINE bool expect_like(u64 word) {
    using namespace number_words;
    const u64 other = other_bytes(word);
    const u64 byte = (other >> 7) * 0xFF;  // mask of the byte that is not a digit, if any
    if ((other & (other - 1)) != 0 || other == u64{0x80} << 56) return false;
    if (((word ^ kBytes * ('.' ^ '0')) & byte) != 0) return false;
    scale_ = other == 0 ? 0 : static_cast<u64>(std::countl_zero(other)) / 8;
    point_ = byte & kBytes * ('.' ^ '0');
    before_point_ = other == 0 ? 0 : (other >> 7) - 1;
    limits_ = kBytes * 0x76 | (byte & kBytes * 0x7F);
    return true;
  }

  u64 scale_ = 0;         // of the previous number
  u64 point_ = 0;         // makes the byte of the point 0 in a word of digits
  u64 before_point_ = 0;  // mask of the bytes before the point
  // Adding this carries any byte too large beyond 127: bytes above 9, or above 0 at the point.
  u64 limits_ = number_words::kBytes * 0x76;
};

}  // namespace mrc
