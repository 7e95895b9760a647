#include "input/input.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace mrc {
namespace {

Source source_of(const std::string &path) {
  Result<Source> source = examine(path);
  EXPECT_TRUE(source.is_ok());
  return *source;
}

// Whether this kernel tells at all: containers may forbid it.
bool told(const std::vector<i64> &nodes) { return nodes[0] >= 0; }

TEST(PageNodes, AreThoseOfMemoryForWhatWasJustWritten) {
  TemporaryFolder folder;
  const Source source = source_of(folder.write("f", std::string(5 << 20, 'x')));
  std::vector<i64> offsets;
  for (i64 at = 0; at < source.end; at += 5000) offsets.push_back(at);  // more than one batch
  const std::vector<i64> nodes = page_nodes(source, offsets);
  ASSERT_EQ(nodes.size(), offsets.size());
  if (!told(nodes)) GTEST_SKIP() << "move_pages tells nothing here";
  for (i64 node : nodes) {
    EXPECT_GE(node, 0);
    EXPECT_TRUE(std::filesystem::exists("/sys/devices/system/node/node" + std::to_string(node)));
  }
}

TEST(PageNodes, AreUnknownForHolesAndBehindTheEnd) {
  TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(4096, 'x'));
  ASSERT_EQ(truncate(path.c_str(), 1 << 20), 0);
  Source source = source_of(path);
  ASSERT_EQ(truncate(path.c_str(), 8192), 0);  // must not raise SIGBUS
  const std::vector<i64> nodes = page_nodes(source, {0, 500000, 1000000});
  EXPECT_EQ(nodes[1], -1);
  EXPECT_EQ(nodes[2], -1);
}

TEST(PageNodes, AreUnknownWhereNothingCanBeMapped) {
  TemporaryFolder folder;
  EXPECT_EQ(page_nodes({.path = folder.path("none"), .end = 100}, {0, 50}),
            (std::vector<i64>{-1, -1}));
  EXPECT_EQ(page_nodes({.path = "/dev/null", .stream = true}, {0}), (std::vector<i64>{-1}));
  EXPECT_EQ(page_nodes({.path = "/dev/null", .end = 100}, {0}), (std::vector<i64>{-1}));
  EXPECT_EQ(page_nodes(source_of(folder.write("f", "x")), {}), std::vector<i64>());
}

// What is only on disk stays there: asking must not read.
TEST(PageNodes, DoNotReadWhatIsNotInMemory) {
  char path[] = "/var/tmp/mrc-test-XXXXXX";
  int fd = mkstemp(path);
  ASSERT_GE(fd, 0);
  const std::string text(1 << 20, 'x');
  ASSERT_EQ(write(fd, text.data(), text.size()), std::ssize(text));
  fsync(fd);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  const std::vector<i64> first = page_nodes(source_of(path), {0, 500000});
  const std::vector<i64> second = page_nodes(source_of(path), {0, 500000});
  EXPECT_EQ(first, second);
  close(fd);
  unlink(path);
}

}  // namespace
}  // namespace mrc
