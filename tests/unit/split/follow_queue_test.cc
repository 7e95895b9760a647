#include "split/follow_queue.h"

#include "support/temporary_folder.h"
#include "support/wait.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace mrc {
namespace {

using std::string;

class FollowQueues : public testing::Test {
 protected:
  ~FollowQueues() override { stop(); }

  // Begins to follow the inputs, by so many workers.
  void follow(const std::vector<string> &paths, int workers = 2) {
    QueueSpec there{.sources = {},
                    .splits = {},
                    .cuts = CutBytes("\n"),
                    .complain = [this](const Source &, const Status &what) {
                      std::lock_guard lock(mutex_);
                      complaints_.push_back(what.message());
                    }};
    for (const string &path : paths) {
      Result<Source> source = examine(path);
      ASSERT_TRUE(source.is_ok());
      source->followed = true;
      source->stream = source->stream && !std::filesystem::is_regular_file(path);
      there.sources.push_back(*source);
    }
    there.splits = plan_splits(there.sources, 10);
    FollowSpec spec{.cuts = CutBytes("\n"),
                    .terminator = '\n',
                    .begin =
                        [this](i64 source, Bytes head) {
                          std::lock_guard lock(mutex_);
                          heads_[source] += head;
                          return format_;
                        },
                    .wants_more = [this](Bytes head) { return std::ssize(head) < least_head_; },
                    .note = [](const string &) {},
                    .idle = [this] { ++idle_calls_; }};
    queue_ = std::make_unique<FollowQueue>(std::move(there), std::move(spec));
    workers_ = workers;
    for (int i = 0; i < workers; ++i) {
      threads_.emplace_back([this, i] { read(i); });
    }
  }
  void end_input() {
    queue_->end_input();
    join();
  }
  void stop() {
    if (queue_) queue_->cancel();
    join();
  }
  void join() {
    for (std::thread &thread : threads_) thread.join();
    threads_.clear();
  }
  // Waits for the text of a source.
  void expect_text(i64 source, const string &expected) {
    const bool is_there =
        wait_until("the text of a source", [&] { return text(source) == expected; });
    if (!is_there) {
      EXPECT_EQ(text(source), expected);
    }
  }
  string text(i64 source) {
    std::lock_guard lock(mutex_);
    return texts_[source];
  }
  void append(const string &text, const string &name) const {
    std::ofstream(folder_.path(name), std::ios::app) << text;
  }

  TemporaryFolder folder_;
  FollowedFormat format_;
  i64 least_head_ = 0;
  std::unique_ptr<FollowQueue> queue_;
  std::atomic<i64> idle_calls_{0};
  std::mutex mutex_;
  std::map<i64, string> heads_;  // by source
  std::map<i64, string> texts_;  // of records that have arrived
  std::vector<string> complaints_;
  std::vector<i64> numbers_;  // of units that have arrived
  i64 units_there_ = 0;
  int workers_ = 0;

 private:
  void read(i64 worker) {
    const auto reader = queue_->make_reader(worker);
    for (;;) {
      const Result<std::optional<Unit>> unit = reader->claim();
      ASSERT_TRUE(unit.is_ok());
      if (!*unit) return;
      std::lock_guard lock(mutex_);
      if (!(*unit)->arrived) {
        ++units_there_;
        // With several workers, others may be faster with what has arrived.
        EXPECT_TRUE(workers_ > 1 || numbers_.empty()) << "what was there comes first";
      } else {
        numbers_.push_back((*unit)->number);
      }
      while (const std::optional<Chunk> chunk = *reader->next()) {
        if (!(*unit)->arrived) continue;
        EXPECT_EQ(chunk->offset, (*unit)->begin);
        arrived_[(*unit)->number] = {chunk->source, string(chunk->bytes)};
      }
      texts_.clear();
      for (const auto &[number, each] : arrived_) texts_[each.first] += each.second;
    }
  }

  std::vector<std::thread> threads_;
  std::map<i64, std::pair<i64, string>> arrived_;  // by number
};

TEST_F(FollowQueues, HandOutWhatWasThereAndThenWhatArrives) {
  const string path = folder_.write("log", "0123456\n0123456\n0123456\n");
  follow({path}, 1);
  append("a\nb", "log");
  expect_text(0, "a\n");
  append("c\nd\n", "log");
  expect_text(0, "a\nbc\nd\n");
  EXPECT_GE(units_there_, 2);
  EXPECT_GT(idle_calls_, 0);
  append("end", "log");
  end_input();
  EXPECT_EQ(text(0), "a\nbc\nd\nend\n") << "it is a record then, and has an end";
}

TEST_F(FollowQueues, NumberUnitsInTheOrderOfArrival) {
  std::vector<string> paths;
  for (const char *name : {"a", "b", "c"}) paths.push_back(folder_.write(name, "there\n"));
  follow(paths, 4);
  std::map<i64, string> expected;
  for (int i = 0; i < 300; ++i) {
    const string line = std::to_string(i) + "\n";
    append(line, string(1, "abc"[i % 3]));
    expected[i % 3] += line;
    if (i % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  for (const auto &[source, lines] : expected) expect_text(source, lines);
  end_input();
  std::ranges::sort(numbers_);
  for (size_t i = 0; i < numbers_.size(); ++i) EXPECT_EQ(numbers_[i], i);
}

TEST_F(FollowQueues, HandOutRecordsLongerThanABlock) {
  const string path = folder_.write("log", "there\n");
  follow({path});
  const string record(3000000, 'x');
  append(record, "log");
  append(record + "\nshort\n", "log");
  expect_text(0, record + record + "\nshort\n");
}

TEST_F(FollowQueues, WaitForTheRecordsThatTellTheFormat) {
  least_head_ = 6;
  const string path = folder_.write("log", "");
  follow({path});
  append("ab\n", "log");
  append("cd\ne", "log");
  expect_text(0, "ab\ncd\n");
  EXPECT_EQ(heads_[0], "ab\ncd\n");
  append("f\n", "log");
  expect_text(0, "ab\ncd\nef\n");
  EXPECT_EQ(heads_[0], "ab\ncd\n") << "it is asked for once";
}

TEST_F(FollowQueues, LookAtWhatThereIsIfTheInputEndsBeforeItsFormatIsKnown) {
  least_head_ = 100;
  const string path = folder_.write("log", ""), none = folder_.write("none", "");
  follow({path, none});
  append("ab\nc", "log");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  end_input();
  EXPECT_EQ(text(0), "ab\nc\n");
  EXPECT_EQ(heads_[0], "ab\nc");
  EXPECT_EQ(heads_.count(1), 1);
}

TEST_F(FollowQueues, CutQuotedRecordsWhereTheyEnd) {
  format_.quotes.emplace();
  const string path = folder_.write("log", "there,1\n");
  follow({path});
  append("a,\"b\n", "log");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(text(0), "");
  append("c\"\n\"d", "log");
  expect_text(0, "a,\"b\nc\"\n");
  append("\"\n", "log");
  expect_text(0, "a,\"b\nc\"\n\"d\"\n");
}

TEST_F(FollowQueues, CutRecordsOfSeveralLinesWhereTheNextOneBegins) {
  format_.groups = {[](Bytes head) { return head.starts_with('#'); }, '\n'};
  const string path = folder_.write("log", "#1\n");
  follow({path}, 1);
  append("#2\na\nb\n", "log");
  append("c\n#", "log");
  append("3\n", "log");
  expect_text(0, "#2\na\nb\nc\n");
  append("x\n#4\n#5", "log");
  expect_text(0, "#2\na\nb\nc\n#3\nx\n");
  end_input();
  expect_text(0, "#2\na\nb\nc\n#3\nx\n#4\n#5\n");
}

TEST_F(FollowQueues, HandOutTheLastOfThemAfterAWhile) {
  format_.groups = {[](Bytes head) { return head.starts_with('#'); }, '\n'};
  const string path = folder_.write("log", "#1\n");
  follow({path}, 1);
  append("#2\na\n", "log");
  expect_text(0, "#2\na\n");
}

TEST_F(FollowQueues, PassOverTheHeaderOfANewGeneration) {
  format_ = {.quotes = CsvBytes(), .has_header = true};
  const string path = folder_.write("log", "\xEF\xBB\xBF\"a\nb\",c\n1,2\n");
  follow({path});
  std::filesystem::rename(path, folder_.path("log.1"));
  append("\xEF\xBB\xBF\"a\nb\",c\n3,4\n", "log");
  expect_text(0, "3,4\n");
  std::filesystem::resize_file(path, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  append("\"a\nb\",c\n", "log");
  append("5,6\n", "log");
  expect_text(0, "3,4\n5,6\n");
  std::filesystem::rename(path, folder_.path("log.2"));
  append("a,c\n7,8\n", "log");
  expect_text(0, "3,4\n5,6\na,c\n7,8\n");
}

TEST_F(FollowQueues, EndWithTheirPipes) {
  const string one = folder_.path("one"), other = folder_.path("other");
  ASSERT_EQ(mkfifo(one.c_str(), 0600), 0);
  ASSERT_EQ(mkfifo(other.c_str(), 0600), 0);
  follow({one, other});
  const int second = open(other.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(write(second, "a\nb", 3), 3);
  expect_text(1, "a\n");
  close(second);
  expect_text(1, "a\nb\n");
  const int first = open(one.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(write(first, "c", 1), 1);
  close(first);
  join();
  EXPECT_EQ(text(0), "c\n");
}

TEST_F(FollowQueues, LeaveInputsOfWhichNoMoreIsWanted) {
  const string one = folder_.write("one", ""), other = folder_.write("other", "");
  follow({one, other});
  append("a\n", "one");
  expect_text(0, "a\n");
  queue_->skip(0);
  append("b\n", "one");
  append("c\n", "other");
  expect_text(1, "c\n");
  queue_->skip(1);
  join();
  EXPECT_EQ(text(0), "a\n");
}

TEST_F(FollowQueues, DoNotHandOutWhatHasArrivedIfWhatWasThereIsNotRead) {
  const string path = folder_.write("log", "1\n2\n3\n");
  follow({path}, 0);
  append("4\n", "log");
  queue_->end_input();
  const auto reader = queue_->make_reader(0);
  const Result<std::optional<Unit>> unit = reader->claim();
  EXPECT_TRUE(unit.is_ok() && !*unit);
}

TEST_F(FollowQueues, ReadWhatWasThereUnderAnotherName) {
  string lines;
  for (int i = 0; i < 1000; ++i) lines += std::to_string(i) + "\n";
  const string path = folder_.write("log", lines);
  follow({path}, 0);
  std::filesystem::rename(path, folder_.path("log.1"));
  append("new\n", "log");
  const auto reader = queue_->make_reader(0);
  string read;
  while (read.size() < lines.size() + 4) {
    const Result<std::optional<Unit>> unit = reader->claim();
    ASSERT_TRUE(unit.is_ok() && *unit);
    while (const std::optional<Chunk> chunk = *reader->next()) read += chunk->bytes;
  }
  EXPECT_EQ(read, lines + "new\n");
  EXPECT_TRUE(complaints_.empty());
}

}  // namespace
}  // namespace mrc
