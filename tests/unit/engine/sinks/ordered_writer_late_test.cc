#include "base/setting_name.h"
#include "engine/sinks/ordered_writer.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mrc {
namespace {

// Lines in pieces of several; how they come out.
std::string written(const std::vector<std::string> &lines, const TransformTerms &terms, i64 memory,
                    Random *random) {
  const TemporaryFolder folder;
  LateText late(terms, memory, folder.path("."));
  for (size_t i = 0; i < lines.size();) {
    std::string text;
    std::vector<i64> ends;
    for (i64 n = pick(*random, 0, 5); n > 0 && i < lines.size(); --n) {
      text += lines[i++] + "\n";
      ends.push_back(std::ssize(text));
    }
    if (Status status = late.take(text, ends); !status.is_ok()) return status.message();
  }
  EXPECT_EQ(folder.files(), 0);
  const std::unique_ptr<OutputFile> file = std::move(*OutputFile::open(folder.path("out")));
  const Result<i64> records = late.write_to(file.get());
  if (!records.is_ok() || !file->commit().is_ok()) return "not written";
  const std::string text = folder.read("out");
  EXPECT_EQ(*records, std::count(text.begin(), text.end(), '\n'));
  return text;
}

TEST(LateText, HasTheLastRecordsInEitherOrder) {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> lines;
    for (i64 n = pick(random, 0, 60); n > 0; --n) lines.push_back(std::string(n % 7, 'x') + "y");
    TransformTerms terms{.reversed = one_in(random, 2)};
    if (!terms.reversed || one_in(random, 2)) terms.last = pick(random, 0, 70);
    const i64 skipped = std::max<i64>(0, std::ssize(lines) - terms.last);
    std::vector<std::string> expected(lines.begin() + skipped, lines.end());
    if (terms.reversed) std::reverse(expected.begin(), expected.end());
    std::string text;
    for (const std::string &line : expected) text += line + "\n";
    const i64 memory = terms.last == INT64_MAX ? pick(random, 1, 400) : 1 << 20;
    ASSERT_EQ(written(lines, terms, memory, &random), text) << round;
  }
}

TEST(LateText, RefusesMoreLastRecordsThanFit) {
  Random random(3);
  const std::vector<std::string> lines(100, "a line");
  EXPECT_EQ(written(lines, {.last = 90}, 500, &random),
            "tail: the last 90 records take more than 500 bytes; ask for fewer, or raise memory");
}

}  // namespace
}  // namespace mrc
