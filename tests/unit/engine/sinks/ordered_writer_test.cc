#include "engine/sinks/ordered_writer.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

namespace mrc {
namespace {

class OrderedWriting : public testing::Test {
 protected:
  void open(i64 share, i64 workers, TransformTerms terms = {}) {
    file_ = std::move(*OutputFile::open(folder_.path("out")));
    kept_.emplace(terms, 3);
    writer_.emplace(share, workers, std::vector<bool>{true, false, true}, &*kept_, file_.get());
  }
  static Unit unit_of(i64 number, i64 source = 0, bool last = false) {
    return {.source = source, .number = number, .last = last};
  }
  static TransformedText text_of(const std::string &text) {
    TransformedText made;
    for (char c : text) {
      made.text += c;
      ++made.records;
      ++made.lines;
      made.ends.push_back(std::ssize(made.text));
    }
    return made;
  }
  void finish(const Unit &unit, TransformedText text) {
    EXPECT_TRUE(writer_->finish(unit, &text).is_ok());
    EXPECT_EQ(text.text, "");
  }
  std::string written() {
    EXPECT_TRUE(file_->commit().is_ok());
    return folder_.read("out");
  }

  TemporaryFolder folder_;
  std::unique_ptr<OutputFile> file_;
  std::optional<KeptRecords> kept_;
  std::optional<OrderedWriter> writer_;
};

TEST_F(OrderedWriting, PutsUnitsInOrder) {
  open(1000, 2);
  finish(unit_of(2), text_of("ef"));
  finish(unit_of(1), text_of("cd"));
  TransformedText early = text_of("g");
  EXPECT_TRUE(writer_->add(unit_of(3), &early).is_ok());
  EXPECT_EQ(early.text, "g") << "it is not its turn";
  finish(unit_of(0), text_of("ab"));
  EXPECT_TRUE(writer_->add(unit_of(3), &early).is_ok());
  EXPECT_EQ(early.text, "") << "it is";
  finish(unit_of(3), text_of("h"));
  EXPECT_EQ(written(), "abcdefgh");
  EXPECT_EQ(kept_->of_source(0), 8);
}

TEST_F(OrderedWriting, CutsOffWhatIsTooMuch) {
  open(1000, 1, {.of_each = 3, .of_all = 5});
  finish(unit_of(1), text_of("cde"));
  finish(unit_of(0), text_of("ab"));
  finish(unit_of(2, 0, true), text_of("f"));
  EXPECT_EQ(kept_->room(0), 0);
  EXPECT_FALSE(kept_->is_full());
  finish(unit_of(0, 2, true), text_of("uvwx"));
  EXPECT_TRUE(kept_->is_full());
  EXPECT_EQ(written(), "abcuv");
}

TEST_F(OrderedWriting, TellsWhereTheLastRecordIsOnceNoMoreIsWanted) {
  open(1000, 1, {.of_all = 4});
  TransformedText first = text_of("ab"), second = text_of("cde");
  first.positions = {10, 20};
  second.positions = {30, 40, 50};
  finish(unit_of(1), second);
  EXPECT_EQ(kept_->last_position(), ~u64{0});
  finish(unit_of(0), first);
  EXPECT_EQ(kept_->last_position(), 40u);
  EXPECT_EQ(written(), "abcd");
}

TEST_F(OrderedWriting, WritesTextThatHasNoRecord) {
  open(1000, 1);
  TransformedText header;
  header.text = "names\n";
  finish(unit_of(0), header);
  finish(unit_of(1), text_of("a"));
  EXPECT_EQ(written(), "names\na");
  EXPECT_EQ(kept_->all(), 1);
}

TEST_F(OrderedWriting, NumbersLinesFromThoseBefore) {
  open(1000, 1);
  auto numbered = [&](i64 lines, const std::vector<i64> &chosen) {
    TransformedText text;
    for (i64 line : chosen) {
      text.text += '<';
      text.inserts.push_back({std::ssize(text.text), line});
      text.text += '>';
      ++text.records;
    }
    text.lines = lines;
    return text;
  };
  finish(unit_of(0, 2), numbered(1, {0}));
  finish(unit_of(1, 0, true), numbered(5, {1, 4}));
  finish(unit_of(0), numbered(10, {9}));
  finish(unit_of(1, 2), {});
  finish(unit_of(2, 2, true), numbered(2, {1}));
  EXPECT_EQ(written(), "<10><12><15><1><3>");
}

TEST_F(OrderedWriting, NamesInputsAsTheyAreCalledNow) {
  open(1000, 1);
  writer_->name_inputs(
      [](i64 source, std::string *text) { *text += "in" + std::to_string(source); });
  TransformedText text = text_of(":a;:b");
  text.inserts = {{0, TransformedText::Insert::kName}, {0, 6}, {3, TransformedText::Insert::kName}};
  finish(unit_of(0, 0, true), {});
  finish(unit_of(0, 2), text);
  EXPECT_EQ(written(), "in27:a;in2:b");
}

TEST_F(OrderedWriting, GoesOnAfterWhatIsWritten) {
  open(1000, 1);
  writer_->go_on_after(
      {.source = 2, .lines = 40, .has_header = true, .has_record = false, .held = "names\n"});
  finish(unit_of(0, 0, true), {});
  TransformedText text = text_of("a");
  text.header = "other names\n";
  finish(unit_of(0, 2), text);
  EXPECT_EQ(written(), "names\na");
  open(1000, 1);
  writer_->go_on_after({.source = 0, .lines = 40, .has_record = true});
  TransformedText numbered;
  numbered.records = numbered.lines = 1;
  numbered.inserts = {{0, 0}};
  finish(unit_of(0), numbered);
  EXPECT_EQ(written(), "41");
}

// Where no text is made, records are counted in their order nevertheless.
TEST_F(OrderedWriting, CountsRecordsWithoutText) {
  open(1000, 1, {.text = false, .of_each = 3});
  TransformedText two, more;
  two.records = 2;
  more.records = 4;
  finish(unit_of(1), more);
  finish(unit_of(0), two);
  EXPECT_EQ(kept_->of_source(0), 3);
  EXPECT_EQ(kept_->all(), 3);
  EXPECT_EQ(written(), "");
}

TEST_F(OrderedWriting, LetsGoWhoeverWaitsWhenItIsStopped) {
  open(0, 1);
  std::thread waits([&] {
    TransformedText text = text_of("b");
    EXPECT_TRUE(writer_->finish(unit_of(1), &text).is_ok());
  });
  writer_->stop();
  waits.join();
  EXPECT_EQ(written(), "");
}

// Any share, none included: everything is written, in order, and no worker waits for ever.
TEST_F(OrderedWriting, EndsWithAnyNumberOfWorkersAndAnyShare) {
  for (i64 share : {0, 1, 100, 100000}) {
    for (i64 workers : {1, 2, 7}) {
      open(share, workers);
      constexpr i64 kUnits = 500;
      std::atomic<i64> next{0};
      std::vector<std::thread> threads;
      for (i64 worker = 0; worker < workers; ++worker) {
        threads.emplace_back([&, worker] {
          std::mt19937_64 random(static_cast<u64>(worker));
          for (i64 unit; (unit = next++) < kUnits;) {
            TransformedText text;
            for (u64 pieces = random() % 4; pieces > 0; --pieces) {
              text.text += std::to_string(unit) + "\n";
              ++text.records;
              ASSERT_TRUE(writer_->add(unit_of(unit), &text).is_ok());
            }
            ASSERT_TRUE(writer_->finish(unit_of(unit), &text).is_ok());
          }
        });
      }
      for (std::thread &thread : threads) thread.join();
      std::istringstream lines(written());
      i64 before = 0, records = 0;
      for (i64 unit; lines >> unit; before = unit) {
        EXPECT_GE(unit, before);
        ++records;
      }
      EXPECT_EQ(records, kept_->all());
      EXPECT_GT(records, kUnits / 2);
    }
  }
}

}  // namespace
}  // namespace mrc
