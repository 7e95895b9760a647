// Runs of counted numbers, as workers spill them.
#pragma once

#include "reduce/run_merger.h"
#include "support/temporary_folder.h"
#include "unit/reduce/totalled.h"

#include <gtest/gtest.h>

namespace mrc {

class SpilledRuns : public testing::Test {
 protected:
  static constexpr int kBits = 2;
  using Buffers = std::vector<std::unique_ptr<OverflowBuffer>>;

  OverflowSpec overflow_spec() const {
    OverflowSpec spec;
    spec.shape.state_bytes = 8;
    spec.partition_bits = kBits;
    spec.tmpdir = folder_.path(".");
    return spec;
  }
  // One record for each number of [from, to), in memory.
  std::unique_ptr<OverflowBuffer> records(i64 from, i64 to) {
    auto buffer = std::make_unique<OverflowBuffer>(overflow_spec());
    std::vector<Numbered> content;
    for (i64 i = from; i < to; ++i) {
      content.push_back({i, spread(i)});
      ++expected_[NumberedKeys<Key16>::text(i)];
    }
    by_batch(content, 1000,
             [&](const auto &some) { buffer->append_all(*make_batch(&keys_, some)); });
    return buffer;
  }
  std::unique_ptr<OverflowBuffer> run(i64 from, i64 to) {
    auto buffer = records(from, to);
    EXPECT_TRUE(buffer->spill().is_ok());
    buffer->clear(false);
    return buffer;
  }
  // What reduce makes of it.
  Totals reduced(const std::vector<std::unique_ptr<MapOutput>> &outputs) {
    Totalled sink;
    PartitionReducer reducer(outputs, {}, layout_, &arena_);
    for (i64 partition = 0; partition < i64{1} << kBits; ++partition) {
      EXPECT_TRUE(reducer.reduce({partition, kBits}, &sink).is_ok());
    }
    return sink.totals;
  }
  Totals reduced(std::unique_ptr<OverflowBuffer> buffer) {
    std::vector<std::unique_ptr<MapOutput>> outputs;
    outputs.push_back(std::make_unique<MapOutput>(ContainerSpec{}));
    outputs[0]->overflow = std::move(buffer);
    return reduced(outputs);
  }

  const TemporaryFolder folder_;
  StateLayout layout_{count_aggregation()};
  NumberedKeys<Key16> keys_;
  Arena arena_;
  Totals expected_;
};

}  // namespace mrc
