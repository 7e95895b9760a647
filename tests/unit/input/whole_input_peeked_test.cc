#include "base/int.h"
#include "input/whole_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

namespace mrc {
namespace {

std::string all_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(PeekedInput, LeavesInAPipeWhatItShows) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string text = "one\ntwo\n";
  ASSERT_EQ(write(ends[1], text.data(), text.size()), std::ssize(text));
  close(ends[1]);
  {
    const PeekedInput peeked(ends[0]);
    ASSERT_TRUE(peeked.path());
    EXPECT_EQ(all_of(*peeked.path()), text);
  }
  std::array<char, 64> rest;
  EXPECT_EQ(read(ends[0], rest.data(), rest.size()), std::ssize(text));
  close(ends[0]);
}

TEST(PeekedInput, ShowsWhatAFullPipeHas) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string text(static_cast<size_t>(fcntl(ends[1], F_GETPIPE_SZ)), 'x');
  ASSERT_EQ(write(ends[1], text.data(), text.size()), std::ssize(text));
  const PeekedInput peeked(ends[0]);  // the writer is still there
  ASSERT_TRUE(peeked.path());
  EXPECT_EQ(all_of(*peeked.path()), text);
  close(ends[0]);
  close(ends[1]);
}

TEST(PeekedInput, ShowsAnEmptyPipeThatIsClosed) {
  std::array<int, 2> ends;
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[1]);
  const PeekedInput peeked(ends[0]);
  EXPECT_EQ(peeked.path() ? all_of(*peeked.path()) : "", "");
  close(ends[0]);
}

TEST(PeekedInput, IsNothingWhereThereIsNoFileAndNoPipe) {
  EXPECT_FALSE(PeekedInput(-1).path());
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_FALSE(PeekedInput(null).path());
  close(null);
}

}  // namespace
}  // namespace mrc
