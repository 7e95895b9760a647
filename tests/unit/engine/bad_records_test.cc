#include "engine/inner/bad_records.h"

#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

void take(BadRecords *bad, const Chunk &chunk, i64 at) {
  bad->take(chunk, {chunk.bytes.substr(static_cast<size_t>(at), 1), "odd"});
}

TEST(BadRecords, ForgetThoseBeyondAPosition) {
  const Chunk chunk{"a\nb\nc\nd\n", 0, 100};
  BadRecords bad(true, '\n', "/tmp");
  for (const i64 at : {4, 2, 6}) take(&bad, chunk, at);
  bad.forget_beyond(position_of(0, 104));
  EXPECT_EQ(bad.records().count(), 2);
  bad.forget_beyond(position_of(0, 101));
  EXPECT_EQ(bad.records().count(), 0);
  BadRecords all(false, '\n', "");
  take(&all, chunk, 6);
  all.add(bad);
  EXPECT_EQ(all.records().count(), 1);
}

TEST(BadRecords, AreApartFromBadValues) {
  const Chunk chunk{"a;1\nb;x\nc;y\n", 0, 100};
  BadRecords one(true, '\n', "/tmp"), other(true, '\n', "/tmp");
  one.take_value(chunk, {chunk.bytes.substr(8, 3), "y", "no number"});
  other.take_value(chunk, {chunk.bytes.substr(4, 3), "x", "no number"});
  other.count_used(3);
  one.add(other);
  EXPECT_EQ(one.records().count(), 0);
  EXPECT_EQ(one.values().count(), 2);
  EXPECT_EQ(one.values().first_position(), position_of(0, 104));
  EXPECT_EQ(one.used(), 3);
  EXPECT_TRUE(one.any());
}

// Of one record, the field that is looked at first.
TEST(BadRecords, NameTheFirstValueOfTheFirstRecord) {
  const TemporaryFolder folder;
  folder.write("in", "a;1;1\nb;x;y\n");
  const Source source{.path = folder.path("in"), .end = 12};
  const Chunk chunk{"a;1;1\nb;x;y\n", 0, 0};
  BadRecords bad(false, '\n', "");
  const Bytes record = chunk.bytes.substr(6, 5);
  bad.take_value(chunk, {record, "x", "field 2 is not a number"});
  bad.take_value(chunk, {record, "y", "field 3 is not a number"});
  EXPECT_EQ(bad.values().describe_first({&source, 1}, {}),
            folder.path("in") + ":2: field 2 is not a number: x");
}

}  // namespace
}  // namespace mrc
