// States that are damaged, are those of another job or cannot be used: one line says what is wrong,
// no answer is printed, and nothing is changed.
#include "kept/kept.h"
#include "support/kept_state.h"

#include <fmt/format.h>
#include <sys/mount.h>

namespace mrc {
namespace {

using std::string;

class KeptDamage : public KeptState {
 protected:
  void SetUp() override {
    append(lines(30));
    expected_ = answer("count");
    EXPECT_EQ(run("count --state state log"), 0) << error();
    whole_ = state();
  }
  // With a file that says this.
  void put(const string &name, const string &bytes) const {
    auto files = whole_;
    files[name] = bytes;
    restore(files);
  }
  // The line is about the file; the same files are there as before.
  void expect_refusal(const string &name) const {
    const auto before = state();
    EXPECT_EQ(run("count --state state log"), 2);
    EXPECT_TRUE(says_one_line()) << error();
    EXPECT_TRUE(error().starts_with("mrc: error: state/" + name + ": ")) << error();
    EXPECT_EQ(out(), "");
    EXPECT_EQ(state(), before);
  }

  string expected_;
  std::map<string, string> whole_;
};

TEST_F(KeptDamage, AnyByteOfTheManifestIsFound) {
  const string manifest = whole_.at("MANIFEST");
  for (size_t at = 0; at < manifest.size(); ++at) {
    string damaged = manifest;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 2 == 0 ? 1 : 0x20));
    put("MANIFEST", damaged);
    SCOPED_TRACE(damaged);
    expect_refusal("MANIFEST");
    if (HasFailure()) return;
  }
}

TEST_F(KeptDamage, AManifestThatWasCutOffIsFound) {
  const string manifest = whole_.at("MANIFEST");
  for (size_t size = 0; size < manifest.size(); size += 17) {
    put("MANIFEST", manifest.substr(0, size));
    expect_refusal("MANIFEST");
    EXPECT_EQ(run("state check state"), 2);
    EXPECT_TRUE(says_one_line()) << error();
  }
  put("MANIFEST", manifest + manifest);
  expect_refusal("MANIFEST");
}

TEST_F(KeptDamage, AnotherFormatIsNotRead) {
  string manifest = whole_.at("MANIFEST");
  const string ours = "1";  // without tiles by content
  ASSERT_EQ(manifest.find(ours), manifest.find('\n') - ours.size());
  put("MANIFEST", manifest.replace(manifest.find(ours), ours.size(), "9"));
  expect_refusal("MANIFEST");
  EXPECT_NE(error().find("written in format 9 of mrc "), string::npos) << error();
}

TEST_F(KeptDamage, AnyByteOfARunIsFound) {
  const string name = "00000000.run", text = whole_.at(name);
  for (size_t at = 0; at < text.size(); at += 13) {
    string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    put(name, damaged);
    EXPECT_EQ(run("state check state"), 1) << at;
    EXPECT_TRUE(out().starts_with("fault: state/" + name + ": ")) << out();
    SCOPED_TRACE(at);
    expect_refusal(name);
    if (HasFailure()) return;
  }
}

TEST_F(KeptDamage, ARunThatIsCutOffOrNotThereIsFound) {
  const string name = "00000000.run", text = whole_.at(name);
  for (const size_t size : {size_t{0}, size_t{1}, size_t{128}, text.size() / 2, text.size() - 1}) {
    put(name, text.substr(0, size));
    EXPECT_EQ(run("state check state"), 1);
    expect_refusal(name);
  }
  std::filesystem::remove(folder_.path("state/" + name));
  EXPECT_EQ(run("state check state"), 1);
  EXPECT_EQ(out(), "fault: state/" + name +
                       ": No such file or directory\n"
                       "0 runs, 0 blocks, 0 bytes: faults: 1\n");
  expect_refusal(name);
  restore(whole_);
  EXPECT_EQ(run("count --state state log"), 0);
  EXPECT_EQ(out(), expected_);
}

// It would be found in the next run, too. New input must not make it worse.
TEST_F(KeptDamage, ARunIsMissedBeforeMoreIsKept) {
  std::filesystem::remove(folder_.path("state/00000000.run"));
  append(lines(5));
  EXPECT_EQ(run("count --state state log"), 2);
  EXPECT_TRUE(says_one_line()) << error();
  EXPECT_EQ(out(), "");
  restore(whole_);
  expected_ = answer("count");
  EXPECT_EQ(run("count --state state log"), 0);
  EXPECT_EQ(out(), expected_);
}

TEST_F(KeptDamage, AnotherJobIsShownBesideThisOne) {
  EXPECT_EQ(run("wordcount --state state log"), 2);
  EXPECT_EQ(error(),
            "mrc: error: state: keeps another job: it was asked for \"mrc job 1;verb count;end\", "
            "and now for \"mrc job 1;verb wordcount;end\"; ask as before, or name another "
            "directory\n");
  EXPECT_EQ(out(), "");
  EXPECT_EQ(state(), whole_);
}

TEST_F(KeptDamage, AFileIsNoDirectory) {
  EXPECT_EQ(run("count --state log log"), 2);
  EXPECT_EQ(error(), "mrc: error: log: Not a directory\n");
  EXPECT_EQ(run("count --state none/state log"), 2);
  EXPECT_EQ(error(), "mrc: error: none/state: cannot create: No such file or directory\n");
}

TEST_F(KeptDamage, ADirectoryMustBeWritable) {
  const string path = folder_.path("state");
  const bool is_root = geteuid() == 0;
  if (is_root) {
    if (mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0) GTEST_SKIP();
    mount(nullptr, path.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr);
  } else {
    std::filesystem::permissions(path + "/lock", std::filesystem::perms::owner_read);
    std::filesystem::permissions(path, std::filesystem::perms(0500));
  }
  EXPECT_EQ(run("count --state state log"), 2);
  EXPECT_EQ(error(), fmt::format("mrc: error: state/lock: {}\n",
                                 is_root ? "Read-only file system" : "Permission denied"));
  EXPECT_EQ(out(), "");
  if (is_root) umount2(path.c_str(), MNT_DETACH);
  if (!is_root) std::filesystem::permissions(path, std::filesystem::perms(0700));
}

}  // namespace
}  // namespace mrc
