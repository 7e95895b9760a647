#include "input/inner/window.h"

#include "record.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace mrc {
namespace {

class WindowOf : public testing::TestWithParam<IoMode> {
 protected:
  void open(size_t size) {
    std::mt19937_64 random(1);
    text_.clear();
    for (size_t i = 0; i < size; ++i) text_.push_back(static_cast<char>(random()));
    source_ = {.path = folder_.write("in", text_), .end = static_cast<i64>(size)};
    Result<InputFile> file = InputFile::open(source_);
    ASSERT_TRUE(file.is_ok());
    window_.reset();
    file_ = std::move(*file);
    window_ = open_window(GetParam(), source_, file_, &buffer_);
  }

  // What the window shows must be the file's bytes, as many as there are.
  void expect_view(i64 begin, i64 end) {
    Result<Bytes> view = window_->view(begin, end);
    ASSERT_TRUE(view.is_ok());
    const i64 size = static_cast<i64>(text_.size());
    const i64 from = std::min(begin, size), to = std::min(end, size);
    ASSERT_TRUE(*view ==
                Bytes(text_).substr(static_cast<size_t>(from), static_cast<size_t>(to - from)))
        << begin << " to " << end << " of " << size;
    if (view->empty()) return;
    u8 padding = 0;  // readable, whatever it is
    for (i64 i = 0; i < kPadding; ++i) padding |= static_cast<u8>(view->data()[view->size() + i]);
    EXPECT_GE(padding, 0);
    EXPECT_TRUE(window_->verify().is_ok());
  }

  TemporaryFolder folder_;
  std::string text_;
  Source source_;
  InputFile file_;
  Pages buffer_;
  std::unique_ptr<Window> window_;
};

TEST_P(WindowOf, MovesForward) {
  open(100000);
  for (i64 step : {1000, 4096, 7777}) {
    for (i64 at = 0; at < 100000; at += step) expect_view(at, at + 3 * step);
  }
}

TEST_P(WindowOf, MovesBackward) {
  open(100000);
  for (i64 at = 99999; at >= 0; at -= 3333) expect_view(at, at + 5000);
  expect_view(0, 100000);
}

TEST_P(WindowOf, EndsWhereTheFileEnds) {
  for (size_t size : {1, 4095, 4096, 4097, 12288}) {
    open(size);
    const i64 end = static_cast<i64>(size);
    expect_view(0, end);
    expect_view(0, end + 1);
    expect_view(end - 1, end + 5000);
    expect_view(end, end + 10);
    expect_view(end + 1, end + 10);
    expect_view(end + 100000, end + 200000);
    expect_view(0, end);
  }
}

TEST_P(WindowOf, GrowsWithTheView) {
  open(3 << 20);
  for (i64 size = 1; size < 5 << 20; size *= 3) expect_view(5, 5 + size);
  expect_view(7, 8);
}

TEST_P(WindowOf, ShowsNothingOfNothing) {
  open(100);
  expect_view(0, 0);
  expect_view(50, 50);
}

TEST_P(WindowOf, GoesAnywhere) {
  for (u64 round = 0; round < 20; ++round) {
    const u64 seed = first_seed() + round;
    SCOPED_TRACE("MRC_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    open(1 + random() % 40000);
    for (int i = 0; i < 50; ++i) {
      const i64 begin = static_cast<i64>(random() % 45000);
      expect_view(begin, begin + static_cast<i64>(random() % (i % 2 == 0 ? 300 : 30000)));
    }
  }
}

// The kernel copies faster to the same place in a cache line.
TEST_P(WindowOf, GivesEachByteItsPlaceInACacheLine) {
  open(100000);
  const char *last = nullptr;
  for (i64 at = 0; at < 90000; at += 3001) {
    const Result<Bytes> view = window_->view(at, at + 5000);
    ASSERT_TRUE(view.is_ok());
    if (last != nullptr) {
      EXPECT_EQ((view->data() - last - 3001) % 64, 0) << at;
    }
    last = view->data();
  }
}

TEST_P(WindowOf, AsksForAtLeastAPageAtATime) {
  open(1);
  EXPECT_GE(window_->stride(), 4096);
}

INSTANTIATE_TEST_SUITE_P(Io, WindowOf, testing::Values(IoMode::read, IoMode::mmap),
                         [](const auto &mode) {
                           return mode.param == IoMode::read ? "read" : "mmap";
                         });

TEST(MappedWindow, MovesOverALargeFilePieceByPiece) {
  TemporaryFolder folder;
  std::mt19937_64 random(first_seed());
  std::string text;
  for (int i = 0; i < 300000; ++i) text.push_back(static_cast<char>(random()));
  const Source source{.path = folder.write("in", text), .end = std::ssize(text)};
  Result<InputFile> file = InputFile::open(source);
  ASSERT_TRUE(file.is_ok());
  MappedWindow window(source, *file, 16384);
  for (int i = 0; i < 500; ++i) {
    const i64 begin = static_cast<i64>(random() % text.size());
    for (i64 at = begin; at < begin + 50000; at += 5000) {
      const i64 end = std::min(at + 1 + static_cast<i64>(random() % 30000), std::ssize(text));
      if (at >= end) continue;
      const Result<Bytes> view = window.view(at, end);
      ASSERT_TRUE(view.is_ok());
      ASSERT_TRUE(*view ==
                  Bytes(text).substr(static_cast<size_t>(at), static_cast<size_t>(end - at)));
    }
  }
  EXPECT_TRUE(window.verify().is_ok());
}

TEST(MappedWindow, EndsEarlierIfItsFileBecameShorter) {
  TemporaryFolder folder;
  const i64 size = i64{4} << 20, left = i64{3} << 20;
  const Source source{.path = folder.write("in", std::string(size, 'x')), .end = size};
  Result<InputFile> file = InputFile::open(source);
  ASSERT_TRUE(file.is_ok());
  MappedWindow window(source, *file);
  ASSERT_EQ(std::ssize(*window.view(0, 100000)), 100000);
  ASSERT_EQ(truncate(source.path.c_str(), left), 0);
  for (i64 at = 100000; at < size; at += 100000) {
    const Bytes view = *window.view(at, at + 100000);
    EXPECT_EQ(view, std::string(std::clamp<i64>(left - at, 0, 100000), 'x')) << at;
  }
  EXPECT_TRUE(window.verify().is_ok());
}

TEST(MappedWindow, NoticesThatItsFileWasTruncated) {
  TemporaryFolder folder;
  const Source source{.path = folder.write("in", std::string(100000, 'x')), .end = 100000};
  Result<InputFile> file = InputFile::open(source);
  ASSERT_TRUE(file.is_ok());
  // A thread of its own: a torn mapping is noted by thread, for good.
  std::thread([&] {
    MappedWindow window(source, *file);
    Bytes view = *window.view(50000, 100000);
    ASSERT_EQ(truncate(source.path.c_str(), 10), 0);
    EXPECT_TRUE(window.verify().is_ok());
    EXPECT_EQ(view[49999], '\0');
    Status torn = window.verify();
    ASSERT_FALSE(torn.is_ok());
    EXPECT_NE(torn.message().find("was truncated from 100000 to 10 bytes"), std::string::npos)
        << torn.message();
  }).join();
}

TEST(MappedWindow, ShowsAllOfItsFile) {
  TemporaryFolder folder;
  const Source source{.path = folder.write("in", std::string(100000, 'x')), .end = 100000};
  const Result<InputFile> file = InputFile::open(source);
  ASSERT_TRUE(file.is_ok());
  std::thread([&] {
    MappedWindow window(source, *file);
    const Bytes all = *window.all();
    EXPECT_EQ(all, std::string(100000, 'x'));
    ASSERT_EQ(truncate(source.path.c_str(), 10), 0);
    EXPECT_EQ(all[99999], '\0');
    EXPECT_FALSE(window.verify().is_ok());
  }).join();
}

}  // namespace
}  // namespace mrc
