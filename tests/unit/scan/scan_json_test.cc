#include "scan/scan.h"
#include "unit/map/padded_text.h"
#include "unit/scan/naive_json_scan.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

i64 json_place(const char *found, Bytes text) {
  return found == nullptr ? -1 : found - text.data();
}

bool is_state(JsonState found, JsonState naive) {
  return found.mode == naive.mode && found.depth == naive.depth &&
         std::min<i64>(found.low, 0) == std::min<i64>(naive.low, 0);
}

// The values that end before the first brace that leaves a negative depth.
bool is_right_until_closed(const JsonScanner &scanner, JsonState before, Bytes text, Bytes shown) {
  const NaiveJsonScan naive = naive_json_scan(before, text, true);
  const bool none = naive.ends.empty(), closes = naive.state.low < 0;
  const char *begin = shown.data(), *end = begin + shown.size();
  const JsonSkim last = skim_until_closed(scanner.last_end, before, begin, end);
  const JsonSkim first = skim_until_closed(scanner.first_end, before, begin, end);
  return json_place(last.end, shown) == (none ? -1 : naive.ends.back()) &&
         json_place(first.end, shown) == (none ? -1 : naive.ends.front()) &&
         (closes ? last.state == closed_json() : is_state(last.state, naive.state));
}

// The lowest depth is kept only on demand, and nothing else depends on it.
bool is_right_without_low(const JsonScanner &scanner, JsonState before, Bytes shown) {
  const char *begin = shown.data(), *end = begin + shown.size();
  const JsonState unkept{before.mode, before.depth, -JsonState::kNeverClosed};
  const auto is_same = [&](JsonSkim a, JsonSkim b) {
    return a.end == b.end && a.state.mode == b.state.mode && a.state.depth == b.state.depth;
  };
  return is_same({scanner.pass(before, begin, end)}, {scanner.pass(unkept, begin, end)}) &&
         is_same(scanner.last_end(before, begin, end), scanner.last_end(unkept, begin, end)) &&
         is_same(scanner.first_end(before, begin, end), scanner.first_end(unkept, begin, end));
}

bool is_right(const JsonScanner &scanner, JsonState before, Bytes text) {
  // Braces and quotes past the end do not count.
  const PaddedText padded(text, text.size() % 2 == 0 ? '"' : '}');
  const Bytes shown = padded.text();
  const char *begin = shown.data(), *end = begin + shown.size();
  const NaiveJsonScan naive = naive_json_scan(before, text);
  const JsonSkim last = scanner.last_end(before, begin, end);
  const JsonSkim first = scanner.first_end(before, begin, end);
  const bool none = naive.ends.empty();
  return scanner.pass(before, begin, end) == naive.state && is_state(last.state, naive.state) &&
         json_place(last.end, shown) == (none ? -1 : naive.ends.back()) &&
         json_place(first.end, shown) == (none ? -1 : naive.ends.front()) &&
         (!none || is_state(first.state, naive.state)) &&
         is_right_until_closed(scanner, before, text, shown) &&
         is_right_without_low(scanner, before, shown);
}

bool expect_right_json(Bytes text) {
  for (const JsonScanner *scanner : runnable_json_scanners()) {
    for (u8 mode = 0; scanner != nullptr && mode < kJsonModes; ++mode) {
      for (const i64 depth : {-1, 0, 1, 3}) {
        if (is_right(*scanner, {mode, depth}, text)) continue;
        ADD_FAILURE() << scanner->name << " mode " << int{mode} << " depth " << depth << " "
                      << testing::PrintToString(std::string(text));
        return false;
      }
    }
  }
  return true;
}

TEST(ScanJson, KnowsEveryShortText) {
  const Bytes alphabet = "\"\\\n{}[]x";
  for (size_t size = 1; size <= 4; ++size) {
    std::string text(size, '"');
    for (size_t number = 0; number < size_t{1} << (3 * size); ++number) {
      for (size_t i = 0; i < size; ++i) text[i] = alphabet[number >> (3 * i) & 7];
      ASSERT_TRUE(expect_right_json(text));
    }
  }
}

TEST(ScanJson, IsTheSameAtEveryPlaceOfABlock) {
  for (const char *text : {R"({"a":"}\"","b":[{}]},{"c":1})", "\\\\\"}\"", "{\"open\n}", "]}{"}) {
    for (size_t before = 0; before <= 130; ++before) {
      for (const char *filler : {"x", "\"", "\\", "\n", "{}", "{"}) {
        std::string all;
        while (all.size() < before) all += filler;
        ASSERT_TRUE(expect_right_json(all + text + "d,e"));
      }
    }
  }
}

TEST(ScanJson, IsRightForRandomText) {
  const std::vector<std::string> calm = {"{\"a\":1}", ",", "\n", "[", "]", "\"}\\\"\"", "  "};
  const std::vector<std::string> wild = {"\"", "\\", "\n", "{", "}", "[", "]", "a", "\\\\\\"};
  for (u64 round = 0; round < 400; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto &pieces = round % 2 == 0 ? calm : wild;
    ASSERT_TRUE(expect_right_json(random_text(&random, pieces, 1 + random() % 700)));
  }
}

}  // namespace
}  // namespace mrc
