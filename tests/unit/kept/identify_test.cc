#include "kept/identify.h"

#include "support/compress.h"
#include "support/kept_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace mrc {
namespace {

using std::string;
namespace fs = std::filesystem;

// A directory of logs, and a run over all of it at any time.
class Logs : public testing::Test {
 protected:
  // Lines that no other log has.
  static string lines(i64 first, i64 count) {
    string text;
    for (i64 i = 0; i < count; ++i) text += "line " + std::to_string(first + i) + " of a log\n";
    return text;
  }
  static string kLong() { return lines(1000000, 20000); }   // some 400 KB
  static string kMiddle() { return lines(2000000, 1000); }  // less than the head, some 20 KB
  static string kShort() { return lines(3000000, 50); }     // less than 4 KiB

  void write(const string &name, const string &text) { folder_.write(name, text); }
  void append(const string &name, const string &text) {
    std::ofstream(folder_.path(name), std::ios::app | std::ios::binary) << text;
  }
  void rename(const string &from, const string &to) {
    fs::rename(folder_.path(from), folder_.path(to));
  }
  void copy(const string &from, const string &to) {
    fs::copy_file(folder_.path(from), folder_.path(to), fs::copy_options::overwrite_existing);
  }
  void remove(const string &name) { fs::remove(folder_.path(name)); }
  // As gzip(1) does it: a new file, then the old one goes.
  void compress(const string &from, const string &to) {
    write(to, gzipped(folder_.read(from)));
    remove(from);
  }
  string path(const string &name) const { return folder_.path(name); }

  // What is read in which files; and nothing may be counted twice, or be lost.
  string run() {
    std::vector<string> paths;
    for (const auto &entry : fs::directory_iterator(folder_.path(""))) {
      paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    const string read = run_.run(paths);
    for (const auto &[line, count] : run_.lines()) {
      EXPECT_EQ(count, copies_) << line;
      if (count != copies_) break;
    }
    return read;
  }
  i64 line_count() const { return std::ssize(run_.lines()); }
  i64 gone() const { return std::ssize(run_.found().gone); }
  const std::vector<string> &notes() const { return run_.found().notes; }

  i64 copies_ = 1;  // how often each line is to be counted
  TemporaryFolder folder_;
  KeptRun run_;
};

TEST_F(Logs, ThatAreUnchangedAreNotRead) {
  write("a.log", kLong());
  write("b.log", kShort());
  write("c.log", "");
  write("d.gz", gzipped(kMiddle()));
  EXPECT_EQ(run(), "a.log:0 b.log:0 c.log:0 d.gz:0");
  EXPECT_EQ(run(), "");
  for (const Identified::Input &input : run_.found().inputs) EXPECT_TRUE(input.unchanged);
  EXPECT_EQ(line_count(), 21050);
}

TEST_F(Logs, AreReadFromWhereTheyWereAppended) {
  for (const string &text : {kLong(), kMiddle(), kShort(), string()}) {
    write("a.log", text);
    run();
    append("a.log", "half a");
    EXPECT_EQ(run(), "a.log:" + std::to_string(text.size()));
    append("a.log", " line\nand the next\n");
    EXPECT_EQ(run(), "a.log:" + std::to_string(text.size()));
    EXPECT_EQ(run(), "");
    EXPECT_EQ(gone(), std::ssize(run_.manifest().sources) - 1);
    remove("a.log");
    run_ = {};
  }
}

TEST_F(Logs, MayBeRenamed) {
  write("a.log", kLong());
  write("b.log", kShort());
  run();
  rename("a.log", "a.log.1");
  rename("b.log", "b.log.1");
  write("a.log", "new\n");
  EXPECT_EQ(run(), "a.log:0 a.log.1:" + std::to_string(kLong().size()) +
                       " b.log.1:" + std::to_string(kShort().size()));
  EXPECT_EQ(gone(), 0);
  EXPECT_EQ(line_count(), 20051);
}

TEST_F(Logs, MayBeCompressedAfterTheyHaveGrown) {
  for (const string &text : {kLong(), kMiddle(), kShort()}) {
    write("a.log", text);
    run();
    append("a.log", "last line\n");
    rename("a.log", "a.log.1");
    write("a.log", "first line\n");
    compress("a.log.1", "a.log.2.gz");
    EXPECT_EQ(run(), "a.log:0 a.log.2.gz:" + std::to_string(text.size()));
    EXPECT_EQ(gone(), 0);
    EXPECT_EQ(run(), "");
    rename("a.log.2.gz", "a.log.3.gz");
    EXPECT_EQ(run(), "");
    copy("a.log.3.gz", "a.log.4.gz");
    remove("a.log.3.gz");
    EXPECT_EQ(run(), "");
    EXPECT_EQ(gone(), 0);
    remove("a.log");
    remove("a.log.4.gz");
    run_ = {};
  }
}

TEST_F(Logs, MayBeCopiedAndTruncated) {
  for (const string &text : {kLong(), kMiddle(), kShort()}) {
    write("a.log", text);
    run();
    append("a.log", "last line\n");
    copy("a.log", "a.log.1");
    write("a.log", "");
    append("a.log", "first line\n");
    EXPECT_EQ(run(), "a.log:0 a.log.1:" + std::to_string(text.size()));
    EXPECT_EQ(gone(), 0);
    EXPECT_EQ(run(), "");
    remove("a.log.1");
    run_ = {};
  }
}

TEST_F(Logs, MayBeTruncatedAndGrowBeyond) {
  for (const string &text : {kLong(), kMiddle(), kShort()}) {
    write("a.log", text);
    run();
    write("a.log", "");
    append("a.log", lines(5000000, 30000));
    EXPECT_EQ(run(), "a.log:0");
    EXPECT_EQ(gone(), 1);
    run_ = {};
  }
}

TEST_F(Logs, MayBeReplacedAtTheSameSize) {
  write("a.log", lines(1000, 500));
  run();
  write("a.log", lines(2000, 500));
  EXPECT_EQ(run(), "a.log:0");
  EXPECT_EQ(gone(), 1);
  EXPECT_EQ(line_count(), 1000);
}

// An inode is taken again as soon as it is free.
TEST_F(Logs, AreNotTakenForOthersByTheirInodes) {
  write("a.log", kShort());
  write("b.log", "");
  write("c.log", kMiddle());
  run();
  const Manifest &manifest = run_.manifest();
  std::vector<Source> sources;
  for (const char *name : {"a.log", "b.log", "c.log"}) sources.push_back(*examine(path(name)));
  Manifest moved = manifest;  // as if each had the inode of another one
  moved.sources[0].file = manifest.sources[1].file;
  moved.sources[1].file = manifest.sources[2].file;
  moved.sources[2].file = manifest.sources[0].file;
  for (KeptSource &source : moved.sources) --source.file.modified_ns;
  const Identified found = identify(sources, moved, ContentHash(moved.content_base));
  EXPECT_EQ(found.inputs[0].kept, 0);
  EXPECT_EQ(found.inputs[2].kept, 2);
}

TEST_F(Logs, ThatAreGoneAreSaid) {
  write("a.log", kLong());
  write("b.log", kShort());
  run();
  remove("a.log");
  remove("b.log");
  write("c.log", "other\n");
  EXPECT_EQ(run(), "c.log:0");
  EXPECT_EQ(run_.found().gone, (std::vector<i64>{0, 1}));
  write("a.log", kLong());  // from a backup
  EXPECT_EQ(run(), "a.log:" + std::to_string(kLong().size()));
  EXPECT_EQ(run_.found().gone, (std::vector<i64>{1}));
}

TEST_F(Logs, MayHaveTwoNames) {
  write("a.log", kShort());
  write("c.log", kLong());
  fs::create_hard_link(path("a.log"), path("b.log"));
  fs::create_symlink(path("c.log"), path("d.log"));
  EXPECT_EQ(run(), "a.log:0 c.log:0");
  ASSERT_EQ(notes().size(), 1u);
  EXPECT_EQ(notes()[0], path("b.log") + " has what is in " + path("a.log") +
                            ": it is counted once; 1 more input is a copy");
  EXPECT_EQ(run_.run({path("a.log"), path("a.log")}), "");
  EXPECT_EQ(run_.found().inputs[1].same_as, 0);
}

TEST_F(Logs, OfEqualContentAreOneIfTheyAreLong) {
  write("a.log", kLong());
  write("b.log", kLong());
  write("c.log.gz", gzipped(kLong()));
  write("d.log", kLong().substr(0, 100000));
  write("e.log.gz", gzipped(kLong().substr(0, 5000)));
  write("f.log", kMiddle());
  write("g.log", kMiddle() + "and more\n");
  EXPECT_EQ(run(), "a.log:0 g.log:0");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(line_count(), 21001);
  EXPECT_EQ(run_.manifest().sources.size(), 2u);
}

// The middle is not read again: it may be much.
TEST_F(Logs, ThatAreCopiesAreComparedOnce) {
  write("a.log", kLong());
  write("b.log", kLong());
  write("c.log.gz", gzipped(kLong()));
  EXPECT_EQ(run(), "a.log:0");
  ASSERT_EQ(run_.manifest().sources[0].copies.size(), 2u);
  Manifest other = run_.manifest();  // with contents that nothing can be equal to
  for (KeptTile &tile : other.sources[0].tiles) ++tile.content;
  std::vector<Source> sources;
  for (const char *name : {"a.log", "b.log", "c.log.gz"}) sources.push_back(*examine(path(name)));
  const Identified found = identify(sources, other, ContentHash(other.content_base));
  EXPECT_TRUE(found.inputs[0].unchanged);
  EXPECT_EQ(found.inputs[1].same_as, 0);
  EXPECT_EQ(found.inputs[2].same_as, 0);
  remove("a.log");
  EXPECT_EQ(run(), "");
  EXPECT_EQ(gone(), 0);
}

TEST_F(Logs, OfTwoSitesMayBeginAlike) {
  copies_ = 2;
  write("a.log", kShort());
  write("b.log", kShort());
  EXPECT_EQ(run(), "a.log:0 b.log:0");
  EXPECT_EQ(run(), "");
  // Both are rotated, in two ways.
  compress("a.log", "a.log.1.gz");
  copy("b.log", "b.log.1");
  write("b.log", "");
  const string from = std::to_string(kShort().size());
  EXPECT_EQ(run(), "a.log.1.gz:" + from + " b.log:0 b.log.1:" + from);
  EXPECT_EQ(gone(), 0);
  EXPECT_EQ(run(), "");
}

TEST_F(Logs, ThatForkAreTwo) {
  write("a.log", kLong());
  run();
  copy("a.log", "b.log");
  EXPECT_EQ(run(), "");
  append("a.log", "one\n");
  append("b.log", "two\n");
  copies_ = 2;
  const std::vector<string> paths = {path("a.log"), path("b.log")};
  EXPECT_EQ(run_.run(paths), "a.log:" + std::to_string(kLong().size()) + " b.log:0");
}

// gzip(1) writes as it goes, and removes the original at last.
TEST_F(Logs, MayBeHalfCompressed) {
  for (const string &text : {kLong(), kMiddle(), kShort()}) {
    const string packed = gzipped(text + "last line\n");
    write("a.log", text);
    run();
    append("a.log", "last line\n");
    for (const size_t size : {packed.size() / 20, packed.size() / 2, packed.size() - 1}) {
      write("a.log.gz", packed.substr(0, size));
      const string read = run();
      EXPECT_EQ(read, size < packed.size() / 4 ? "a.log:" + std::to_string(text.size()) : "");
    }
    write("a.log.gz", packed);
    if (text.size() >= 4096) {
      EXPECT_EQ(run(), "");
    }
    remove("a.log");
    run();
    EXPECT_EQ(gone(), 0);
    run_ = {};
    remove("a.log.gz");
  }
}

// The original is no input: the beginning of a source is that source.
TEST_F(Logs, ThatAreABeginningOfASourceAreThatSource) {
  write("a.log", kLong());
  run();
  remove("a.log");
  const string packed = gzipped(kLong());
  for (const size_t size : {packed.size() / 4, packed.size() / 2}) {
    write("a.log.gz", packed.substr(0, size));
    EXPECT_EQ(run(), "");
    EXPECT_EQ(gone(), 0);
  }
  write("a.log.gz", packed);
  EXPECT_EQ(run(), "a.log.gz:" + std::to_string(kLong().size()));
  EXPECT_EQ(run(), "");
}

TEST_F(Logs, BegunCopiesAreDroppedWhenTheyAreKnown) {
  write("a.log", kLong());
  run();
  write("b.log", kLong().substr(0, 3000));
  run_.run({path("a.log"), path("b.log")});  // nothing says what it will be
  EXPECT_EQ(run_.manifest().sources.size(), 2u);
  write("b.log", kLong());
  EXPECT_EQ(run(), "");
  EXPECT_EQ(run_.manifest().sources.size(), 1u);
}

TEST_F(Logs, ThatAreDamagedAreNobody) {
  string packed = gzipped(kLong());
  packed[0] = 'x';
  write("a.gz", "\x1f\x8b\x08 and nothing that can be unpacked");
  EXPECT_EQ(run(), "");
  ASSERT_EQ(notes().size(), 1u);
  EXPECT_TRUE(notes()[0].starts_with(path("a.gz"))) << notes()[0];
  EXPECT_TRUE(run_.found().inputs[0].unreadable);
}

TEST_F(Logs, ThatCannotBeReadNowAreNotGone) {
  write("a.log", kLong());
  run();
  const Source source = *examine(path("a.log"));
  write("a.log", "x");  // after it was examined
  const Manifest &manifest = run_.manifest();
  const Identified found = identify({source}, manifest, ContentHash(manifest.content_base));
  EXPECT_TRUE(found.inputs[0].unreadable);
  EXPECT_TRUE(found.gone.empty());
  EXPECT_EQ(found.notes.size(), 1u);
}

TEST_F(Logs, WithoutATailAreComparedWhole) {
  write("a.log", kLong());
  run();
  Manifest manifest = run_.manifest();
  manifest.sources[0].fingerprint.tail.reset();
  const std::vector<Source> sources = {*examine(path("a.log"))};
  const Identified found = identify(sources, manifest, ContentHash(manifest.content_base));
  EXPECT_EQ(found.inputs[0].kept, 0);
  EXPECT_EQ(found.inputs[0].read_from, std::ssize(kLong()));
}

TEST(Fingerprint, OfAnotherFileHasNoTail) {
  const TemporaryFolder folder;
  const string path = folder.write("a.log", string(10000, 'a'));
  const Source source = *examine(path);
  const Manifest manifest = Manifest::fresh();
  const Identified found = identify({source}, manifest, ContentHash(manifest.content_base));
  const Identified::Input &input = found.inputs[0];
  EXPECT_EQ(*fingerprint(source, input, 9000),
            fingerprint_of(string(9000, 'a'), string(9000, 'a')));
  fs::rename(path, folder.path("a.log.1"));
  folder.write("a.log", string(10000, 'b'));
  const Result<Fingerprint> print = fingerprint(source, input, 9000);
  EXPECT_EQ(print->heads, Heads::of(string(9000, 'a')));
  EXPECT_FALSE(print->tail.has_value());
}

TEST_F(Logs, AreNotTakenForMoreThanTheyHaveIfTheyMayBeEdited) {
  write("a.log", kLong());
  run();
  write("a.log", kLong().substr(0, 100000));
  const std::vector<Source> sources = {*examine(path("a.log"))};
  const ContentHash hash(run_.manifest().content_base);
  EXPECT_TRUE(identify(sources, run_.manifest(), hash).inputs[0].unchanged);
  EXPECT_EQ(identify(sources, run_.manifest(), hash, Change::edits).inputs[0].kept, -1);
}

TEST_F(Logs, AreNoCopiesOfWhatHasChangedIfTheyMayBeEdited) {
  write("a.log", kLong());
  write("b.log", kLong());
  run();
  string edited = kLong();
  edited[edited.size() / 2] ^= 1;
  write("a.log", edited);
  const std::vector<Source> sources = {*examine(path("a.log")), *examine(path("b.log"))};
  const ContentHash hash(run_.manifest().content_base);
  EXPECT_EQ(identify(sources, run_.manifest(), hash).inputs[1].same_as, 0);
  EXPECT_EQ(identify(sources, run_.manifest(), hash, Change::edits).inputs[1].same_as, -1);
}

}  // namespace
}  // namespace mrc
