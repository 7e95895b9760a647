#include "plugin/own_splits.h"

#include "support/compress.h"
#include "support/next_chunk.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <thread>

namespace mrc {
namespace {

using std::string;

// What split() does, acquire() and release() have seen: one test at a time.
std::vector<mrc_split> wanted;
std::vector<string> seen;
i64 acquired, released;

int split(void *, mrc_inputs inputs, mrc_splits *splits) {
  seen.clear();
  for (size_t i = 0; i < inputs.count; ++i) {
    const mrc_input &input = inputs.at[i];
    seen.push_back(string(input.name) + ":" + string(input.bytes.data, input.bytes.size));
  }
  for (const mrc_split &each : wanted) mrc_add_split(splits, each);
  return 0;
}
int acquire(void *, const mrc_split *of, mrc_text *bytes) {
  EXPECT_EQ(bytes->data, nullptr);
  if (of->tag == 13) return plugin_host()->fail("no thirteenth");
  ++acquired;
  *bytes = {strdup("acquired"), 8};
  return 0;
}
void release(void *, const mrc_split *, mrc_text bytes) {
  EXPECT_EQ(string(bytes.data, bytes.size), "acquired");
  free(const_cast<char *>(bytes.data));
  ++released;
}

class OwnSplitsTest : public testing::Test {
 protected:
  OwnSplitsTest() {
    wanted.clear();
    acquired = released = 0;
    job_.size = sizeof job_;
    job_.name = "job";
    job_.shape = MRC_SPLITS;
    job_.split = split;
  }
  ~OwnSplitsTest() override { forget_plugin_failure(); }

  void open(const std::vector<string> &paths) {
    const std::vector<string> none;
    opened_ = *PluginSession::open(
        PluginJob(std::make_shared<Plugin>(), job_, std::move(*Settings::parse(job_, none))));
    for (const string &path : paths) {
      const i64 argument = &path - paths.data();
      if (path == "-" && argument > 0) continue;  // standard input, named again
      sources_.push_back(*examine(path));
      sources_.back().argument = argument;
    }
    Result<std::unique_ptr<OwnSplits>> splits =
        OwnSplits::open(*opened_, sources_, std::ssize(paths));
    status_ = splits.status();
    if (splits.is_ok()) splits_ = std::move(*splits);
  }
  string begin_error() {
    forget_plugin_failure();
    const Status status = splits_->begin_round();
    return status.is_ok() ? "" : status.message();
  }
  // "NUMBER INPUT+OFFSET tag TAG: BYTES" of all that is left.
  std::vector<string> read_all() {
    OwnSplits::Reader reader(splits_.get());
    std::vector<string> all;
    for (;;) {
      Result<std::optional<Chunk>> chunk = next_chunk(&reader);
      if (!chunk.is_ok()) {
        all.push_back("!" + chunk.status().message());
        return all;
      }
      if (!*chunk) return all;
      const Chunk &it = **chunk;
      EXPECT_NE(it.bytes.data(), nullptr) << "an empty text is not none";
      for (i64 i = 0; i < kPadding && job_.acquire == nullptr; ++i) {
        padding_ += it.bytes.data()[std::ssize(it.bytes) + i];
      }
      all.push_back(std::to_string(it.split) + " " + std::to_string(it.source) + "+" +
                    std::to_string(it.offset) + " tag " + std::to_string(it.tag) + ": " +
                    string(it.bytes));
    }
  }

  TemporaryFolder folder_;
  mrc_job job_{};
  std::shared_ptr<PluginSession> opened_;
  std::vector<Source> sources_;
  std::unique_ptr<OwnSplits> splits_;
  Status status_ = Status::ok();
  int padding_ = 0;
};

TEST_F(OwnSplitsTest, AreReadInTheirOrder) {
  const string a = folder_.write("a", "0123456789"), b = folder_.write("b", ""),
               c = folder_.write("c.gz", deflated("packed", IGZIP_GZIP));
  wanted = {{2, 1, 4, 7}, {0, 3, 5, -1}, {0, 0, 10, 0}, {0, 10, 10, 5}, {1, 0, 0, 2}, {0, 4, 5, 0}};
  open({a, b, c});
  ASSERT_EQ(begin_error(), "");
  EXPECT_EQ(seen, (std::vector<string>{a + ":0123456789", b + ":", c + ":packed"}));
  EXPECT_EQ(splits_->size(), 6);
  const std::vector<string> expected = {
      "0 2+1 tag 7: ack", "1 0+3 tag -1: 34", "2 0+0 tag 0: 0123456789",
      "3 0+10 tag 5: ",   "4 1+0 tag 2: ",    "5 0+4 tag 0: 4"};
  EXPECT_EQ(read_all(), expected);
  EXPECT_EQ(read_all(), std::vector<string>()) << "each is claimed once";
  ASSERT_EQ(begin_error(), "");
  EXPECT_EQ(read_all(), expected) << "in the next round, too";
}

TEST_F(OwnSplitsTest, MayBeNone) {
  open({folder_.write("a", "text")});
  EXPECT_EQ(begin_error(), "");
  EXPECT_EQ(read_all(), std::vector<string>());
}

TEST_F(OwnSplitsTest, AreClaimedOnceByAllThreads) {
  const string text(10000, 'x');
  for (i64 i = 0; i < 10000; ++i) wanted.push_back({0, i, i + 1, i});
  open({folder_.write("a", text)});
  ASSERT_EQ(begin_error(), "");
  std::atomic<i64> tags{0}, count{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      OwnSplits::Reader reader(splits_.get());
      for (Result<std::optional<Chunk>> chunk = next_chunk(&reader); *chunk;
           chunk = next_chunk(&reader)) {
        tags += (**chunk).tag;
        ++count;
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(count, 10000);
  EXPECT_EQ(tags, 10000 * 9999 / 2);
}

TEST_F(OwnSplitsTest, EndWhenTheyAreCancelled) {
  wanted.assign(5, {0, 0, 1, 0});
  open({folder_.write("a", "text")});
  ASSERT_EQ(begin_error(), "");
  splits_->cancel();
  EXPECT_EQ(read_all(), std::vector<string>());
}

TEST_F(OwnSplitsTest, AreAcquiredAndReleasedByTheJob) {
  job_.acquire = acquire;
  job_.release = release;
  wanted = {{0, 0, 0, 1}, {0, 1, 3, 2}};
  open({folder_.write("a", "text")});
  ASSERT_EQ(begin_error(), "");
  EXPECT_EQ(read_all(), (std::vector<string>{"0 0+0 tag 1: acquired", "1 0+1 tag 2: acquired"}));
  EXPECT_EQ(splits_->split(1).end, 3) << "map gets it as it was made";
  EXPECT_EQ(acquired, 2);
  EXPECT_EQ(released, 2);
  wanted = {{0, 0, 0, 1}, {0, 0, 0, 13}, {0, 0, 0, 3}};
  ASSERT_EQ(begin_error(), "");
  EXPECT_EQ(read_all().back(),
            "!plugin : job job: acquire: no thirteenth (" + folder_.path("a") + ", byte 0)");
  EXPECT_EQ(released, 3) << "what is not acquired is not released";
}

TEST_F(OwnSplitsTest, HaveToLieInTheirInput) {
  open({folder_.write("a", "text")});
  const string of = "plugin : job job: split: split 0 has bytes ";
  wanted = {{0, 0, 5, 0}};
  EXPECT_EQ(begin_error(), of + "0 to 5 of input 0; there are 1 inputs, and this one has 4 bytes");
  wanted = {{0, 3, 2, 0}};
  EXPECT_TRUE(begin_error().starts_with(of + "3 to 2 of input 0;"));
  wanted = {{0, -1, 2, 0}};
  EXPECT_TRUE(begin_error().starts_with(of + "-1 to 2 of input 0;"));
  wanted = {{1, 0, 0, 0}};
  EXPECT_EQ(begin_error(), of + "0 to 0 of input 1; there are 1 inputs");
  wanted = {{0, 0, 4, 0}, {-1, 0, 0, 0}};
  EXPECT_NE(begin_error().find("split 1 has bytes 0 to 0 of input -1;"), string::npos);
}

TEST_F(OwnSplitsTest, CannotDoWithoutAnInput) {
  const string path = folder_.write("a", "text");
  sources_.push_back(*examine(path));
  std::filesystem::remove(path);
  open({});
  ASSERT_FALSE(status_.is_ok());
  EXPECT_EQ(status_.message(), path + ": No such file or directory");
}

TEST_F(OwnSplitsTest, OfAFileThatShrinksAreAnError) {
  const string path = folder_.write("a", string(100000, 'x'));
  wanted = {{0, 90000, 100000, 0}};
  open({path});
  ASSERT_EQ(begin_error(), "");
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(read_all(), std::vector<string>{"!" + path + ": was truncated while it was read"});
}

}  // namespace
}  // namespace mrc
