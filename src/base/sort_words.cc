// LSD radix sort: one pass for each digit, the lowest first, into places that are counted before.
// Digits in which all words agree are skipped. Each pass keeps the order of equal digits, so that
// in the end all digits are in order.
#include "base/sort_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace mrc {
namespace {

constexpr int kDigitBits = 8;
constexpr size_t kDigitsOfSize = size_t{1} << kDigitBits;
constexpr size_t kFew = 128;  // for fewer words, comparing is faster than counting

u64 bits_that_differ(const std::vector<u64> &words) {
  u64 differ = 0;
  for (const u64 word : words) differ |= word ^ words.front();
  return differ;
}

void deal(const std::vector<u64> &from, int shift, std::vector<u64> *to) {
  const auto digit = [shift](u64 word) { return word >> shift & (kDigitsOfSize - 1); };
  std::array<size_t, kDigitsOfSize> places = {};
  for (const u64 word : from) ++places[digit(word)];
  size_t before = 0;
  for (size_t &place : places) before += std::exchange(place, before);
  for (const u64 word : from) (*to)[places[digit(word)]++] = word;
}

}  // namespace

void sort_words(std::vector<u64> *words) {
  const auto compare = [words] { std::sort(words->begin(), words->end()); };
  if (words->size() < kFew) return compare();
  const u64 differ = bits_that_differ(*words);
  int passes = 0;
  for (int shift = 0; shift < 64; shift += kDigitBits)
    passes += (differ >> shift & (kDigitsOfSize - 1)) != 0;
  // A pass costs about as much per word as two comparisons, and std::sort compares each word about
  // log2(n) times.
  if (2 * passes > static_cast<int>(std::bit_width(words->size()))) return compare();
  std::vector<u64> dealt(words->size());
  for (int shift = 0; shift < 64; shift += kDigitBits) {
    if ((differ >> shift & (kDigitsOfSize - 1)) == 0) continue;
    deal(*words, shift, &dealt);
    words->swap(dealt);
  }
}

}  // namespace mrc
