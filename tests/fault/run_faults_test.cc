// Runs on a disk that is full: a clear error, and nothing lost that was written.
#include "store/store.h"
#include "support/run_bytes.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

namespace mrc {
namespace {

using std::string;

// A limit on the size of files stands for the full disk.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_ = {};
};

Payload many_records() {
  Payload payload({});
  for (u64 i = 0; i < 1000; ++i) payload.add({.hash = i, .key = std::to_string(i)});
  return payload;
}

TEST(FullTmpdir, IsAnErrorThatNamesIt) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::temporary(folder.path("."));
  ASSERT_TRUE(file.is_ok());
  const Payload payload = many_records();
  RunWriter writer(&*file, {});
  ASSERT_TRUE(writer.add_block(payload.info(), payload.bytes()).is_ok());
  {
    const SmallDisk full(30000);
    const Status status = writer.add_block(payload.info(), payload.bytes());
    ASSERT_FALSE(status.is_ok());
    EXPECT_EQ(status.message(), folder.path(".") +
                                    ": File too large while spilling; free space there or choose "
                                    "another tmpdir");
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST(FullTmpdir, LosesNothingAndTheBlockMayBeAddedAgain) {
  TemporaryFolder folder;
  Result<RunFile> file = RunFile::temporary(folder.path("."));
  ASSERT_TRUE(file.is_ok());
  const Payload payload = many_records();
  RunWriter writer(&*file, {});
  for (rlim_t limit : {rlim_t{0}, rlim_t{100}, rlim_t{20000}}) {
    const SmallDisk full(limit);
    EXPECT_FALSE(writer.add_block(payload.info(), payload.bytes()).is_ok());
    EXPECT_EQ(writer.bytes(), 0);
  }
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(writer.add_block(payload.info(), payload.bytes()).is_ok());
    const SmallDisk full(static_cast<rlim_t>(writer.bytes()) + 5);
    EXPECT_FALSE(writer.add_block(payload.info(), payload.bytes()).is_ok());
  }
  ASSERT_TRUE(writer.finish().is_ok());
  EXPECT_EQ(read_all(all_bytes(*file)), "");
  EXPECT_EQ(RunReader::open(&*file)->totals().records, 2000);
}

TEST(FullDisk, LeavesNoHalfOfACreatedRun) {
  TemporaryFolder folder;
  const Payload payload = many_records();
  {
    Result<RunFile> file = RunFile::create(folder.path("run"));
    ASSERT_TRUE(file.is_ok());
    const SmallDisk full(1000);
    RunWriter writer(&*file, {});
    EXPECT_EQ(writer.add_block(payload.info(), payload.bytes()).message(),
              folder.path("run") + ": cannot write: File too large");
  }
  EXPECT_EQ(folder.files(), 0);
}

}  // namespace
}  // namespace mrc
