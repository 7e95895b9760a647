#include "map/emitter.h"

#include "unit/map/collected_keys.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(Emitter, SortsKeysIntoTheirClassesByLength) {
  CollectedKeys sink;
  Emitter emitter(&sink, sink.seed());
  const PaddedText text(std::string(200, 'k'));
  std::vector<std::string> expected;
  for (u64 size : {0, 1, 15, 16, 31, 32, 200}) {
    emitter.emit<Fold::none>(text.text().data(), size);
    expected.push_back(std::string(size, 'k'));
  }
  EXPECT_EQ(sink.batches(), 0);
  emitter.flush();
  EXPECT_EQ(sink.keys(), expected);  // the classes come in order
  EXPECT_EQ(sink.batches(), 3);
}

TEST(Emitter, HandsOnNothingTwice) {
  CollectedKeys sink;
  Emitter emitter(&sink, sink.seed());
  emitter.flush();
  EXPECT_EQ(sink.batches(), 0);
  const PaddedText text("key");
  emitter.emit<Fold::none>(text.text().data(), 3);
  emitter.flush();
  emitter.flush();
  EXPECT_EQ(sink.keys(), std::vector<std::string>{"key"});
}

TEST(Emitter, TakesAFullBatchOfEachClass) {
  for (u64 size : {5, 20, 50}) {
    CollectedKeys sink;
    Emitter emitter(&sink, sink.seed());
    const PaddedText text(std::string(2000, 'k'));
    for (int round = 0; round < 3; ++round) {
      for (i64 i = 0; i < Batch<Key16>::kCapacity; ++i) {
        emitter.emit<Fold::all>(text.text().data() + i % 100, size);
      }
      emitter.flush();
    }
    EXPECT_EQ(sink.keys().size(), 3u * 1024);
    EXPECT_EQ(sink.batches(), 3);
  }
}

TEST(Emitter, FoldsLongKeysInACopy) {
  for (size_t size = 32; size < 50; ++size) {
    std::string key, folded;
    for (size_t i = 0; i < size; ++i) {
      key.push_back("AbZ[@\xC1"[i % 6]);
      folded.push_back("abz[@\xC1"[i % 6]);
    }
    CollectedKeys sink;
    Emitter emitter(&sink, sink.seed());
    const PaddedText text(key, 'X', size % 8);
    emitter.emit<Fold::all>(text.text().data(), size);
    emitter.emit<Fold::none>(text.text().data(), size);
    emitter.flush();
    EXPECT_EQ(sink.keys(), (std::vector<std::string>{folded, key}));
    EXPECT_EQ(text.text(), key);
  }
}

}  // namespace
}  // namespace mrc
