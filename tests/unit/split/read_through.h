// Reads all of a queue with several readers in turn, and looks at every chunk.
#pragma once

#include "split/split_queue.h"
#include "support/next_chunk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mrc {

struct Passage {
  i64 source;
  i64 offset;
  std::string text;
};

struct ReadThrough {
  std::map<i64, std::string> texts;  // by source; its chunks, put together
  std::vector<Passage> chunks;       // by source and offset
  std::vector<std::string> complaints;
  i64 bytes = 0;  // as the readers count
};

inline std::vector<Source> examined(const std::vector<std::string> &paths) {
  std::vector<Source> sources;
  for (const std::string &path : paths) {
    Result<Source> source = examine(path);
    EXPECT_TRUE(source.is_ok()) << path;
    if (source.is_ok()) sources.push_back(*source);
  }
  return sources;
}

inline ReadThrough read_through(const std::vector<Source> &sources, i64 split_bytes, IoMode mode,
                                size_t readers = 2, const CutBytes &cuts = CutBytes("\n"),
                                ScannedCuts *scanned = nullptr, const LineGroups &groups = {}) {
  ReadThrough all;
  SplitQueue queue(
      {.sources = sources,
       .splits = plan_splits(sources, split_bytes),
       .cuts = cuts,
       .complain = [&](const Source &,
                       const Status &what) { all.complaints.push_back(what.message()); },
       .scanned = scanned,
       .groups = [&](i64) { return groups; },
       .io = mode});
  std::vector<std::unique_ptr<ChunkReader>> reading;
  for (size_t i = 0; i < readers; ++i) {
    reading.push_back(std::make_unique<ChunkReader>(&queue));
  }
  for (size_t turn = 0; !reading.empty(); ++turn) {
    const size_t i = turn % reading.size();
    Result<std::optional<Chunk>> chunk = next_chunk(reading[i].get());
    EXPECT_TRUE(chunk.is_ok());
    if (!chunk.is_ok() || !*chunk) {
      all.bytes += reading[i]->counts().bytes;
      reading.erase(reading.begin() + static_cast<i64>(i));
      continue;
    }
    const Bytes bytes = (*chunk)->bytes;
    EXPECT_FALSE(bytes.empty());
    // The promise of kPadding, for a sanitizer or a page fault to check.
    u8 padding = 0;
    for (i64 k = 0; k < kPadding; ++k) padding ^= static_cast<u8>(bytes.data()[bytes.size() + k]);
    EXPECT_GE(padding, 0);
    all.chunks.push_back({(*chunk)->source, (*chunk)->offset, std::string(bytes)});
  }
  std::sort(all.chunks.begin(), all.chunks.end(), [](const Passage &a, const Passage &b) {
    return std::pair(a.source, a.offset) < std::pair(b.source, b.offset);
  });
  for (const Passage &chunk : all.chunks) {
    std::string *text = &all.texts[chunk.source];
    const i64 begin = sources[static_cast<size_t>(chunk.source)].begin;
    EXPECT_EQ(chunk.offset, begin + static_cast<i64>(text->size()));
    *text += chunk.text;
  }
  return all;
}

// All chunks but the last of a source end after a cut byte.
inline void expect_whole_records(const ReadThrough &all, Bytes cut_bytes = "\n") {
  for (size_t i = 0; i < all.chunks.size(); ++i) {
    const bool last =
        i + 1 == all.chunks.size() || all.chunks[i + 1].source != all.chunks[i].source;
    if (last) continue;
    EXPECT_NE(cut_bytes.find(all.chunks[i].text.back()), Bytes::npos)
        << testing::PrintToString(all.chunks[i].text.substr(0, 100));
  }
}

}  // namespace mrc
