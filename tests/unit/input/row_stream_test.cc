#include "input/row_stream.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

// Rows whose first value is their number; then an error, if there is one.
class CountedRows : public RowStream {
 public:
  CountedRows(RowWriter writer, int rows, Status end)
      : RowStream(std::move(writer)), rows_(rows), end_(std::move(end)) {}

 private:
  Result<bool> add_rows(RowWriter *to) override {
    if (next_ == rows_) return end_.is_ok() ? Result<bool>(false) : end_;
    const string number = std::to_string(next_++);
    for (const size_t column : to->columns()) {
      to->add(column,
              column == 0   ? Bytes(number)
              : column == 1 ? Bytes("a\tb")
                            : Bytes(),
              column == 0);
    }
    to->end_row();
    return true;
  }

  const int rows_;
  const Status end_;
  int next_ = 0;
};

// Reads so many bytes at a time. An error is the end of the text.
string read_all(RowStream *stream, i64 size) {
  string text, block(static_cast<size_t>(size), '\0');
  for (;;) {
    const Result<i64> got = stream->read(block.data(), size);
    if (!got.is_ok()) return text + got.status().message();
    if (*got == 0) return text;
    text.append(block, 0, static_cast<size_t>(*got));
  }
}

const std::vector<string> kColumns = {"n", "t", "m"};

TEST(RowStream, HasTheWantedColumnsInTheirPlaces) {
  for (const i64 size : {1, 3, 100}) {
    CountedRows all(RowWriter(kColumns, {}), 2, Status::ok());
    EXPECT_EQ(read_all(&all, size), "0\ta\\tb\t\\N\n1\ta\\tb\t\\N\n");
    CountedRows some(RowWriter(kColumns, {.wanted = {false, true, false}}), 1, Status::ok());
    EXPECT_EQ(read_all(&some, size), "\ta\\tb\n");
  }
}

TEST(RowStream, WritesObjectsForWholeRecords) {
  CountedRows rows(RowWriter(kColumns, {.are_objects = true}), 1, Status::ok());
  EXPECT_EQ(read_all(&rows, 10), "{\"n\":0,\"t\":\"a\\tb\",\"m\":null}\n");
}

TEST(RowStream, FailsAfterTheRowsBeforeTheFailure) {
  CountedRows rows(RowWriter(kColumns, {.wanted = {true, false, false}}), 2, Status::error("!"));
  EXPECT_EQ(read_all(&rows, 1), "0\n1\n!");
}

}  // namespace
}  // namespace mrc
