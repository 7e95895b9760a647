#include "output/output.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

class WritingRows : public testing::Test {
 protected:
  void add_rows(u64 rows) {
    for (u64 i = 0; i < rows; ++i) {
      store_.add(0, std::to_string(i), reinterpret_cast<const State *>(&i));
    }
    formatter_ = make_formatter({.key = {{{"key"}}}, .header = true}, layout_, {.state_bytes = 8});
  }
  Status write(const std::string &path, i64 workers) {
    Result<std::unique_ptr<OutputFile>> file = OutputFile::open(path);
    if (!file.is_ok()) return file.status();
    WorkerPool pool(workers);
    Rows all;
    all.append(store_.rows());
    const std::unique_ptr<RowSource> rows = rows_in_memory(std::move(all), 8192);
    Result<WrittenRows> written =
        write_rows(rows.get(), formatter_.get(), file->get(), &pool, INT64_MAX);
    if (!written.is_ok()) return written.status();
    EXPECT_EQ(written->shown, store_.rows().size());
    return (*file)->commit();
  }

  TemporaryFolder folder_;
  StateLayout layout_{count_aggregation()};
  RowStore store_{RowLayout{.state_bytes = 8}};
  std::unique_ptr<Formatter> formatter_;
};

TEST_F(WritingRows, WritesThemInOrderWhoeverFormatsThem) {
  add_rows(100000);
  std::string expected;
  formatter_->header(&expected);
  formatter_->rows(store_.rows(), &expected);
  for (i64 workers : {1, 2, 3, 16}) {
    Status status = write(folder_.path("out"), workers);
    ASSERT_TRUE(status.is_ok()) << status.message();
    EXPECT_TRUE(folder_.read("out") == expected) << workers;
  }
}

TEST_F(WritingRows, WritesWholeBlocksAndOneRowMore) {
  for (u64 more : {0, 1, 8191, 1, 8190, 1, 1}) {  // up to 0, 1, 8192, 8193, 16383, ...
    add_rows(more);
    std::string expected;
    formatter_->header(&expected);
    formatter_->rows(store_.rows(), &expected);
    ASSERT_TRUE(write(folder_.path("out"), 3).is_ok());
    EXPECT_TRUE(folder_.read("out") == expected) << store_.rows().size();
  }
}

TEST_F(WritingRows, StopsAtTheFirstError) {
  add_rows(100000);
  for (i64 workers : {1, 4}) {
    Status status = write("/dev/full", workers);
    ASSERT_FALSE(status.is_ok());
    EXPECT_EQ(status.message(), "/dev/full: cannot write: No space left on device");
  }
}

}  // namespace
}  // namespace mrc
