// Sides in many pieces against all of their rows, sorted.
#include "join/merged_sides.h"

#include "support/random.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

namespace mrc {
namespace {

using std::string;
using std::vector;

class NothingBad : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

class MergedSides : public testing::Test {
 protected:
  void SetUp() override {
    join_.spec.kind = JoinKind::full;
    for (JoinSide &side : join_.sides) {
      side.keys.push_back(*parse_field("1", {}));
      side.fields.push_back(*parse_field("2", {}));
    }
    readers_ = std::make_unique<InputReaders>(2, join_.sides[kLeft].wanted().names());
    for (const i64 side : {0, 1}) {
      ASSERT_TRUE(readers_->set(side, {.format = &LineFormat::tsv}).is_ok());
    }
  }

  // Lines that are sorted by their first field, in chunks.
  vector<string> random_chunks(i64 keys) {
    vector<string> lines, chunks;
    for (i64 i = pick(random_, 0, 60); i > 0; --i) {
      const i64 key = pick(random_, 0, keys);
      lines.push_back((key == 0 ? "" : "k" + std::to_string(key)) + "\t");
    }
    std::ranges::sort(lines);
    for (const string &line : lines) {
      if (chunks.empty() || one_in(random_, 3)) chunks.emplace_back();
      chunks.back() += line + std::to_string(pick(random_, 0, 9)) + "\n";
    }
    return chunks;
  }

  // Writes a side to a file and notes its pieces; its rows go to *rows.
  void add_side(Side side, const vector<string> &chunks, MergedSidesSpec *spec, RowStore *rows) {
    SideOrder order(pick(random_, 1, 20));
    SideRecords records(join_.sides[side], *readers_, &bad_),
        again(join_.sides[side], *readers_, &bad_);
    SideWriter writer(side, by_key_, rows);
    string text;
    for (const string &chunk_text : chunks) {
      const string padded = chunk_text + string(kPadding, '\0');
      const Chunk chunk{Bytes(padded).substr(0, chunk_text.size()), static_cast<i64>(side),
                        std::ssize(text)};
      order.add(chunk, true, &records);
      again.each(chunk, [&](const SideRecord &record) {
        writer.add(record);
        return true;
      });
      text += chunk_text;
    }
    const string name = side == kLeft ? "left" : "right";
    folder_.write(name, text);
    spec->sources[side] = *examine(folder_.path(name));
    spec->pieces[side] = order.pieces().value();
  }

  vector<string> sorted(RowStore *rows) {
    sort_range(rows->rows(), by_key_, layout_);
    vector<string> all;
    for (const Row &row : rows->rows()) all.emplace_back(layout_.key(row));
    return all;
  }

  // The rows of all blocks; each key has to be in one of them.
  vector<string> merged(const MergedSidesSpec &spec) {
    const std::unique_ptr<RowSource> source = std::move(*merge_sides(spec));
    most_blocks_ = std::max(most_blocks_, source->blocks());
    vector<string> all;
    std::set<string> before;
    for (i64 block = 0; block < source->blocks(); ++block) {
      std::set<string> keys;
      EXPECT_TRUE(source
                      ->show(block,
                             [&](std::span<const Row> some) {
                               for (const Row &row : some) {
                                 all.emplace_back(layout_.key(row));
                                 keys.emplace(layout_.identity(row));
                               }
                               return true;
                             })
                      .is_ok());
      for (const string &key : keys) EXPECT_TRUE(before.insert(key).second);
    }
    return all;
  }

  Random random_{1};
  TemporaryFolder folder_;
  Join join_;
  const Order by_key_;
  const RowLayout layout_ = join_layout();
  std::unique_ptr<InputReaders> readers_;
  NothingBad bad_;
  i64 most_blocks_ = 0;
};

TEST_F(MergedSides, AreAllRowsInOrder) {
  for (int round = 0; round < 300; ++round) {
    MergedSidesSpec spec{join_, *readers_, {}, {}, pick(random_, 1, 200)};
    RowStore rows(layout_, KeyBytes::copied);
    const i64 keys = one_of<i64>(random_, {1, 5, 40});
    for (const Side side : {kLeft, kRight}) add_side(side, random_chunks(keys), &spec, &rows);
    ASSERT_EQ(merged(spec), sorted(&rows)) << "round " << round;
  }
  EXPECT_GT(most_blocks_, 10);
}

TEST_F(MergedSides, StopWhenNoMoreIsWanted) {
  MergedSidesSpec spec{join_, *readers_, {}, {}, 1};
  RowStore rows(layout_, KeyBytes::copied);
  for (const Side side : {kLeft, kRight}) add_side(side, {"a\t1\n", "b\t1\n"}, &spec, &rows);
  const std::unique_ptr<RowSource> source = std::move(*merge_sides(spec));
  int calls = 0;
  EXPECT_TRUE(source->show(0, [&](std::span<const Row>) { return ++calls == 0; }).is_ok());
  EXPECT_EQ(calls, 1);
}

TEST_F(MergedSides, SayWhenAFileHasChanged) {
  MergedSidesSpec spec{join_, *readers_, {}, {}, 1};
  RowStore rows(layout_, KeyBytes::copied);
  for (const Side side : {kLeft, kRight}) add_side(side, {"a\t1\nb\t1\n"}, &spec, &rows);
  const std::unique_ptr<RowSource> source = std::move(*merge_sides(spec));
  const auto take_all = [](std::span<const Row>) { return true; };
  for (const char *text : {"a\t1\n", "b\t1\na\t1\n"}) {
    folder_.write("right", text);
    const Status status = source->show(0, take_all);
    EXPECT_EQ(status.message(), folder_.path("right") + ": it has changed while it was read");
  }
}

}  // namespace
}  // namespace mrc
