#include "base/hash.h"
#include "kept/kept.h"
#include "support/random.h"
#include "support/seed.h"

#include <gtest/gtest.h>

#include <chrono>

namespace mrc {
namespace {

using std::string;

KeptSource source_of(i64 number, i64 tiles) {
  KeptSource source;
  source.number = number;
  source.name = "/var/log/site " + std::to_string(number) + "/access.log";
  source.file = {.device = 2049,
                 .inode = ~u64{0} - static_cast<u64>(number),
                 .size = 123456,
                 .modified_ns = -1,
                 .changed_ns = 1700000000123456789};
  source.format = "access";
  source.fingerprint.heads = Heads::of(string(static_cast<size_t>(8192), 'h'));
  source.fingerprint.tail = 0xfedcba9876543210;
  for (i64 i = 0; i < tiles; ++i) {
    source.tiles.push_back({{.begin = i * 10000,
                             .end = (i + 1) * 10000,
                             .content = static_cast<u64>(i) << 40,
                             .records = 100 + i,
                             .bad_records = 1,
                             .bad_values = 2},
                            i % 3,
                            i,
                            4});
  }
  source.end = tiles * 10000;
  return source;
}

Manifest example_manifest() {
  Manifest manifest;
  manifest.mrc_version = "0.2.0";
  manifest.digest = 0x0123456789abcdef;
  manifest.job = "verb count\n--key 1,2\noperand a b\n";
  manifest.content_base = 7;
  manifest.next_run = 3;
  manifest.next_source = 5;
  manifest.sources = {source_of(1, 3), source_of(0, 1), source_of(4, 0)};
  manifest.sources[0].name = "odd \\ name\nof two lines\x01\xff ";
  manifest.sources[0].finished = true;
  manifest.sources[0].open = true;
  manifest.sources[0].file.packed = true;
  manifest.sources[0].file.packed_head = 1;
  manifest.sources[0].copies = {source_of(7, 0).file, manifest.sources[0].file};
  manifest.sources[1].gone = true;
  manifest.sources[1].fingerprint.tail.reset();
  manifest.sources[2].name = "";
  manifest.sources[2].format = "";
  manifest.sources[2].fingerprint = {};
  return manifest;
}

// With the checksum made right.
string sealed(string text) {
  text.resize(text.rfind("end "));
  char last[32];
  std::snprintf(last, sizeof last, "end %016llx\n",
                static_cast<unsigned long long>(checksum_bytes(text)));
  return text + last;
}

string manifest_fault(const string &text) {
  const Result<Manifest> manifest = Manifest::from_text(text);
  if (manifest.is_ok()) return "none";
  const string message = manifest.status().message();
  const size_t advice =
      message.find("; put back a copy of it, or begin anew with another directory");
  return message.substr(0, advice);
}

string replaced(string text, const string &from, const string &to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return sealed(text.replace(at, from.size(), to));
}

TEST(Manifest, ComesBackAsItWas) {
  for (const Manifest &manifest : {example_manifest(), Manifest::fresh(), Manifest()}) {
    const Result<Manifest> back = Manifest::from_text(manifest.to_text());
    ASSERT_TRUE(back.is_ok()) << back.status().message();
    EXPECT_EQ(back->to_text(), manifest.to_text());
    EXPECT_TRUE(*back == manifest);
  }
}

TEST(Manifest, SaysHowMuchTextThereIs) {
  Manifest manifest = example_manifest();
  manifest.text = {.bytes = 123, .source = 2, .lines = 7, .has_header = true, .held = "a\tb\n"};
  manifest.sources[1].answered = 9;
  Result<Manifest> back = Manifest::from_text(manifest.to_text());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(*back, manifest);
  manifest.text->source = 3;
  EXPECT_FALSE(Manifest::from_text(manifest.to_text()).is_ok()) << "there is no such source";
}

TEST(Manifest, SaysWhatIsWrongFirst) {
  Manifest manifest = example_manifest();
  manifest.flaws = {.used = 3,
                    .record = {.position = ~u64{1},
                               .chunk = 5,
                               .line = 6,
                               .reason = "no number",
                               .shown = "a\tb \n"},
                    .value = {}};
  Result<Manifest> back = Manifest::from_text(manifest.to_text());
  ASSERT_TRUE(back.is_ok()) << back.status().message();
  EXPECT_EQ(*back, manifest);
  KeptFlaws all;
  all.value = {.position = 9, .chunk = 0, .line = 0, .reason = "r", .shown = ""};
  all.add(manifest.flaws);
  EXPECT_EQ(all.record, manifest.flaws.record);
  EXPECT_EQ(all.value.position, 9u);
  EXPECT_EQ(all.used, 3);
}

TEST(Manifest, OfANewDirectoryHasARandomBase) {
  EXPECT_NE(Manifest::fresh().content_base, Manifest::fresh().content_base);
}

TEST(Manifest, NamesItsRuns) {
  EXPECT_EQ(example_manifest().runs(), (std::vector<i64>{0, 1, 2}));
  EXPECT_TRUE(Manifest::fresh().runs().empty());
}

TEST(Manifest, KnowsWhenItIsDamaged) {
  const string text = example_manifest().to_text();
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(manifest_fault(text.substr(0, size)), "none") << size;
  }
  for (size_t at = 0; at < text.size(); ++at) {
    string changed = text;
    changed[at] ^= 4;
    EXPECT_NE(manifest_fault(changed), "none") << at;
  }
  EXPECT_EQ(manifest_fault(text.substr(0, 200)), "damaged: its checksum is wrong");
  EXPECT_EQ(manifest_fault(""), "not a manifest of mrc");
}

TEST(Manifest, SaysWhatCannotBe) {
  const string text = example_manifest().to_text();
  EXPECT_EQ(manifest_fault(replaced(text, "tile 10000 20000", "tile 10001 20000")),
            "damaged: source 1: its tiles leave a gap, or overlap, at byte 10000");
  EXPECT_EQ(manifest_fault(replaced(text, "source 1 30000", "source 1 40000")),
            "damaged: source 1: its tiles end at byte 30000 of 40000");
  EXPECT_EQ(manifest_fault(replaced(text, "source 0 10000", "source 1 10000")),
            "damaged: source 1: its number is given twice");
  EXPECT_EQ(manifest_fault(replaced(text, "source 4 0", "source 5 0")),
            "damaged: source 5: its number is too high");
  EXPECT_EQ(manifest_fault(replaced(text, "next 3 5", "next 2 5")),
            "damaged: source 1: there is no run 2");
  EXPECT_EQ(manifest_fault(replaced(text, "next 3 5", "next 3 -5")), "damaged: line 5");
  EXPECT_EQ(manifest_fault(replaced(text, "next 3 5", "next 3")), "damaged: line 5");
  EXPECT_EQ(manifest_fault(replaced(text, "next 3 5", "next 3 5 7")), "damaged: line 5");
  EXPECT_EQ(manifest_fault(replaced(text, "next 3 5", "next 3 99999999999999999999")),
            "damaged: line 5");
  EXPECT_EQ(manifest_fault(replaced(text, "next 3 5", "else 3 5")), "damaged: line 5");
}

TEST(Manifest, WithTilesByContentIsOfVersionTwo) {
  Manifest manifest = example_manifest();
  EXPECT_TRUE(manifest.to_text().starts_with("mrc kept 1\n"));
  manifest.tile_bytes = 65536;
  manifest.sources[0].reads = 77;
  manifest.sources[0].tiles[0].own = 78;
  const string text = manifest.to_text();
  EXPECT_TRUE(text.starts_with("mrc kept 2\n"));
  const Result<Manifest> read = Manifest::from_text(text);
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_TRUE(*read == manifest);
  EXPECT_EQ(manifest_fault(replaced(text, " 000000000000004e\n", "\n")), "damaged: line 21");
}

TEST(Manifest, OfLoadsListsTheirFiles) {
  Manifest manifest = example_manifest();
  manifest.loads = 3;
  manifest.loaded = {{"day=2025-11-24/000000-0123456789abcdef.csv", 4096, 17},
                     {"k=odd \\ name\n/000002-0123456789abcdef.json", 0, 0}};
  const string text = manifest.to_text();
  EXPECT_TRUE(text.starts_with("mrc kept 2\n"));
  const Result<Manifest> read = Manifest::from_text(text);
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_EQ(*read, manifest);
}

TEST(Manifest, OfAJoinSaysWhichInputASourceIs) {
  Manifest manifest = example_manifest();
  manifest.sources[1].input = 1;
  manifest.sources[1].reads = 77;
  const string text = manifest.to_text();
  EXPECT_TRUE(text.starts_with("mrc kept 1\n"));
  const Result<Manifest> read = Manifest::from_text(text);
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_TRUE(*read == manifest);
}

TEST(Manifest, TakesTheLastOfTwoLinesOfHeads) {
  string text = example_manifest().to_text();
  text.insert(text.find("heads "), "heads 1 2 3 4\n");
  const Result<Manifest> read = Manifest::from_text(sealed(text));
  ASSERT_TRUE(read.is_ok()) << read.status().message();
  EXPECT_TRUE(*read == example_manifest());
}

TEST(Manifest, OfAnotherVersionIsNotRead) {
  string text = example_manifest().to_text();
  text.replace(0, 10, "mrc kept 3");
  EXPECT_EQ(manifest_fault(text),
            "written in format 3 of mrc 0.2.0; this mrc has format 2: use that mrc, or begin anew "
            "elsewhere");
}

TEST(Manifest, OfTenThousandSourcesIsReadInAMoment) {
  Manifest manifest;
  manifest.next_run = 3;
  manifest.next_source = 10000;
  for (i64 i = 0; i < 10000; ++i) manifest.sources.push_back(source_of(i, 1));
  const string text = manifest.to_text();
  EXPECT_TRUE(Manifest::from_text(text)->sources.size() == 10000u);
}

TEST(Manifest, KnowsTheContentOfASource) {
  KeptSource source = source_of(0, 3);
  EXPECT_EQ(source.content(), u64{3} << 40);
}

TEST(Heads, AreOfWholeLevels) {
  for (const i64 size : {0, 4095, 4096, 8191, 8192, 65535, 65536, 200000}) {
    EXPECT_EQ(Heads::of(string(static_cast<size_t>(std::min(size, Heads::kMost)), 'x')).levels,
              Heads::levels_of(size));
  }
  EXPECT_EQ(Heads::levels_of(4095), 0);
  EXPECT_EQ(Heads::levels_of(4096), 1);
  EXPECT_EQ(Heads::levels_of(1 << 30), Heads::kLevels);
  EXPECT_NE(Heads::of(string(8192, 'x')).hash[1], Heads::of(string(8192, 'x')).hash[0]);
  EXPECT_EQ(Heads::of(string(65536, 'x')).up_to(9000), Heads::of(string(9000, 'x')));
}

}  // namespace
}  // namespace mrc
