// The index of JSON without simdjson finds what simdjson finds. It is compiled here under
// another name, since a build has one of the two.
#define JsonIndex PlainJsonIndex
#include "fields/json_index_plain.cc"
#undef JsonIndex

#include "support/seed.h"
#include "unit/fields/json_tokens.h"

#include <gtest/gtest.h>

#include <random>

namespace mrc {
namespace {

void expect_same(const std::string &text) {
  std::string padded = text + std::string(64, '"');
  const Bytes bytes(padded.data(), text.size());
  PlainJsonIndex plain;
  const JsonTokens found = find_tokens(&plain, bytes), expected = tokens_of_this_build(bytes);
  EXPECT_EQ(found.failure, expected.failure) << testing::PrintToString(text);
  EXPECT_EQ(found.places, expected.places) << testing::PrintToString(text);
  EXPECT_EQ(found.strings, expected.strings) << testing::PrintToString(text);
}

TEST(JsonIndexWithoutSimdjson, FindsTheSameTokens) {
  for (const char *text : {"",
                           " ",
                           "{}",
                           "{\"a\":1}",
                           "[1, 2.5e3,true]",
                           "\"open",
                           "\"\t\"",
                           "\"\\\"\"",
                           "\\\"a\"",
                           "\"a\"b",
                           "ab\"c\"",
                           "\"\xff\"",
                           "\xc3",
                           "{\"a\":\"\\u00e9\\ud83d\\ude00\\n\"}",
                           "\"\\ud83d\"",
                           "\"\\udc00\"",
                           "\"\\ud83d\\u0041\"",
                           "\"\\q\"",
                           "\"\\u12g4\"",
                           "\"\\\\\"",
                           "{\"a\":1}\n{\"b\":[]}\r\n",
                           "nul",
                           "\"\\u0000\""}) {
    expect_same(text);
  }
}

TEST(JsonIndexWithoutSimdjson, FindsTheSameInRandomText) {
  const std::vector<std::string> pieces = {
      "{",  "}",    "[",     "]",    ":",      ",",     "\"",   "\\", "\\\\", "a",    "1",
      " ",  "\n",   "\"a\"", "\\n",  "\\u00",  "\\ud8", "3d",   "\\", "\\u",  "dc00", "\xc3\xa9",
      "\t", "\xff", "true",  "-1e5", "\"k\":", "\\\"",  "\r\n", "/",  "0",    "\x7f", "some text"};
  std::mt19937_64 random(first_seed());
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (u64 n = random() % 40; n > 0; --n) text += pieces[random() % pieces.size()];
    expect_same(text);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace mrc
