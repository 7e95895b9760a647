#include "split/line_groups.h"

#include "support/compress.h"
#include "support/random.h"
#include "support/temporary_folder.h"
#include "unit/split/read_through.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;

// Records begin with a star.
const LineGroups kStars{[](Bytes head) { return head.starts_with('*'); }, '\n'};

i64 first_cut(const string &text, i64 limit, bool at_end, i64 *rest = nullptr) {
  const LineGroups::Found found =
      kStars.first(text.data(), text.data() + limit, text.data() + text.size(), at_end);
  if (rest != nullptr) *rest = found.rest == nullptr ? -1 : found.rest - text.data();
  return found.cut == nullptr ? -1 : found.cut - text.data();
}
i64 last_cut(const string &text) {
  const char *cut = kStars.last(text.data(), text.data() + text.size());
  return cut == nullptr ? -1 : cut - text.data();
}

TEST(LineGroups, EndWhereTheNextOneBegins) {
  const string text = "*a\nb\nc\n*d\n*e\nf\n";
  EXPECT_EQ(first_cut(text, 16, true), 6);
  EXPECT_EQ(first_cut(text, 6, true), -1);  // not in what is searched
  EXPECT_EQ(last_cut(text), 9);             // what follows the last line is not known
  EXPECT_EQ(last_cut("*a\nb\n"), -1);
  EXPECT_EQ(first_cut("b\nc\n", 4, true), 3);  // the end of all
}

TEST(LineGroups, AreCutOnlyWhereItIsSure) {
  i64 rest = 0;
  EXPECT_EQ(first_cut("*a\n*", 4, false, &rest), -1);
  EXPECT_EQ(rest, 2);
  EXPECT_EQ(first_cut("*a\n*", 4, true), 2);
  const string known = "*a\n*" + string(LineGroups::kHead, 'x');
  EXPECT_EQ(first_cut(known, 4, false), 2);
  EXPECT_EQ(last_cut(known), 2);
  EXPECT_EQ(last_cut(known.substr(0, known.size() - 2)), -1);
}

string random_groups(Random *random, i64 lines) {
  string text;
  for (i64 i = 0; i < lines; ++i) {
    const i64 size = one_in(*random, 20) ? pick(*random, 0, 3000) : pick(*random, 0, 60);
    if (one_in(*random, 3)) text += '*';
    text += string(static_cast<size_t>(size), 'x') + '\n';
  }
  if (one_in(*random, 2) && !text.empty()) text.pop_back();
  return text;
}

void expect_groups(const ReadThrough &all, const string &text) {
  string found;
  for (const Passage &chunk : all.chunks) {
    found += chunk.text;
    if (chunk.offset > 0) {
      EXPECT_EQ(chunk.text[0], '*') << "at " << chunk.offset;
    }
  }
  EXPECT_EQ(found, text);
}

TEST(LineGroups, AreOfOneSplitEach) {
  Random random(7);
  TemporaryFolder folder;
  for (int round = 0; round < 200; ++round) {
    const string text = random_groups(&random, one_of<i64>(random, {0, 3, 30, 3000}));
    const IoMode mode = one_in(random, 2) ? IoMode::read : IoMode::mmap;
    const i64 split = std::max<i64>(pick(random, 1, 5000), std::ssize(text) / 300);
    const std::vector<Source> sources = examined({folder.write("file", text)});
    if (sources[0].stream) continue;  // it is empty
    SCOPED_TRACE("round " + std::to_string(round));
    expect_groups(read_through(sources, split, mode, 3, CutBytes("\n"), nullptr, kStars), text);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(LineGroups, AreOfOneBlockOfAStreamEach) {
  Random random(8);
  TemporaryFolder folder;
  for (int round = 0; round < 10; ++round) {
    const string text = random_groups(&random, 20000);
    const std::vector<Source> sources = examined({folder.write("file.gz", gzipped(text))});
    expect_groups(read_through(sources, 1, IoMode::read, 2, CutBytes("\n"), nullptr, kStars), text);
  }
}

TEST(LineGroups, MayBeLongerThanABlock) {
  TemporaryFolder folder;
  string text = "*a\n";
  for (int i = 0; i < 100000; ++i) text += "goes on and on\n";
  text += "*b\n";
  for (const string &path : {folder.write("f", text), folder.write("f.gz", gzipped(text))}) {
    expect_groups(
        read_through(examined({path}), 100000, IoMode::read, 2, CutBytes("\n"), nullptr, kStars),
        text);
  }
}

}  // namespace
}  // namespace mrc
