#include "map/map.h"

#include "unit/map/collected_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// Every spec there is: what MapSpec can say.
std::vector<MapSpec> all_specs() {
  std::vector<MapSpec> specs;
  for (bool fold : {false, true}) {
    for (char terminator : {'\n', '\0'}) {
      specs.push_back({MapSpec::Records::lines, Words::word, terminator, fold});
    }
    for (Words words : {Words::alpha, Words::word, Words::blank}) {
      specs.push_back({MapSpec::Records::words, words, '\n', fold});
    }
  }
  return specs;
}

std::vector<std::string> keys_of(const MapSpec &spec, Bytes text, i64 offset) {
  const PaddedText padded(text);
  CollectedKeys sink;
  Emitter emitter(&sink, sink.seed());
  make_mapper(spec, best_scanner())->map({padded.text(), 0, offset}, &emitter);
  return sink.sorted();
}

TEST(MapSpec, CutsLinesAtTheirTerminatorOnly) {
  MapSpec spec{.records = MapSpec::Records::lines};
  EXPECT_EQ(spec.cut_bytes(), "\n");
  spec.terminator = '\0';
  EXPECT_EQ(spec.cut_bytes(), Bytes("\0", 1));
}

TEST(MapSpec, CutsWordsAtNoByteThatMayBeInsideOne) {
  for (Words words : {Words::alpha, Words::word, Words::blank}) {
    const Bytes cuts = MapSpec{.words = words}.cut_bytes();
    EXPECT_NE(cuts.find(' '), Bytes::npos);
    EXPECT_NE(cuts.find('\n'), Bytes::npos);
    for (char c : cuts) {
      EXPECT_LT(static_cast<u8>(c), 0x80);
      EXPECT_FALSE(std::isalnum(c) || c == '_' || c == '\'') << c;
    }
  }
}

// What the split stage relies on: cut anywhere it may, and the keys are the same.
TEST(Mapper, EmitsTheSameKeysWhereverTheInputIsCut) {
  for (u64 round = 0; round < 60; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::string text =
        random_text(&random,
                    {"a", "B", "it's", "'", "\u2019", " ", "\n", "\r\n", "\t", "-", "\u00e9",
                     "\xE2", "\xEF\xBB\xBF", "1", "_", std::string(1, '\0'), "\x7F"},
                    80);
    for (const MapSpec &spec : all_specs()) {
      const std::vector<std::string> whole = keys_of(spec, text, 0);
      for (size_t cut = 1; cut < text.size(); ++cut) {
        if (spec.cut_bytes().find(text[cut - 1]) == Bytes::npos) continue;
        std::vector<std::string> parts = keys_of(spec, Bytes(text).substr(0, cut), 0);
        for (const std::string &key : keys_of(spec, Bytes(text).substr(cut), static_cast<i64>(cut)))
          parts.push_back(key);
        std::sort(parts.begin(), parts.end());
        ASSERT_EQ(parts, whole) << "cut " << cut << " of " << testing::PrintToString(text);
      }
    }
  }
}

}  // namespace
}  // namespace mrc
