// Fractions of any size, and the doubles nearest to them.
#pragma once

#include "base/int.h"

#include <gmpxx.h>

namespace mrc {

mpz_class to_mpz(__int128 number);
// Converts words in two's complement, the lowest first.
mpz_class to_mpz(const u64 *words, i64 n);
// Returns base^exponent.
mpz_class power(unsigned long base, i64 exponent);

// Returns the quotient, rounded down. REQUIRES: denominator > 0
mpz_class floor_quotient(const mpz_class &numerator, const mpz_class &denominator);

// Returns the nearest double, ties to even; infinity on overflow. REQUIRES: denominator > 0
double nearest_quotient(const mpz_class &numerator, const mpz_class &denominator);
// Returns the double nearest to the square root of the fraction. REQUIRES: numerator > 0
double nearest_root(const mpz_class &numerator, const mpz_class &denominator);

}  // namespace mrc
