#include "engine/bad_records.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

void take(BadRecords *bad, const Chunk &chunk, i64 at) {
  bad->take(chunk, {chunk.bytes.substr(static_cast<size_t>(at), 1), "odd"});
}

TEST(BadRecords, ForgetThoseBehindAPosition) {
  const Chunk chunk{"a\nb\nc\nd\n", 0, 100};
  BadRecords bad(true, '\n', "/tmp");
  for (const i64 at : {4, 2, 6}) take(&bad, chunk, at);
  bad.forget_behind(position_of(0, 104));
  EXPECT_EQ(bad.count(), 2);
  bad.forget_behind(position_of(0, 101));
  EXPECT_EQ(bad.count(), 0);
  BadRecords all(false, '\n', "");
  take(&all, chunk, 6);
  all.add(bad);
  EXPECT_EQ(all.count(), 1);
}

}  // namespace
}  // namespace mrc
