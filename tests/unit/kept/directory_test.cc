#include "kept/directory.h"

#include "support/temporary_folder.h"
#include "support/wait.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>

namespace mrc {
namespace {

using std::string;
namespace fs = std::filesystem;

KeptDirectory opened(const string &path) {
  Result<KeptDirectory> directory = KeptDirectory::open({.path = path});
  if (!directory.is_ok()) ADD_FAILURE() << directory.status().message();
  return std::move(*directory);
}

string fault(const KeptDirectory::Spec &spec) {
  const Result<KeptDirectory> directory = KeptDirectory::open(spec);
  return directory.is_ok() ? "none" : directory.status().message();
}

// A run of a few bytes, under the number that it got.
i64 add_run(KeptDirectory *directory, const string &text) {
  i64 number = -1;
  Result<RunFile> file = directory->create_run(&number);
  EXPECT_TRUE(file.is_ok());
  const Bytes piece = text;
  EXPECT_TRUE(file->write(0, {&piece, 1}).is_ok());
  EXPECT_TRUE(file->commit().is_ok());
  return number;
}

Manifest naming(const KeptDirectory &directory, const std::vector<i64> &runs) {
  Manifest manifest = directory.manifest();
  manifest.sources.clear();
  KeptSource source;
  source.end = std::ssize(runs);
  for (i64 i = 0; i < source.end; ++i) {
    source.tiles.push_back({{.begin = i, .end = i + 1}, runs[static_cast<size_t>(i)], 0, 1});
  }
  manifest.sources.push_back(source);
  manifest.next_source = 1;
  return manifest;
}

std::set<string> names_in(const string &path) {
  std::set<string> names;
  for (const auto &entry : fs::directory_iterator(path)) names.insert(entry.path().filename());
  return names;
}

class KeptDirectoryTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  const string path_ = folder_.path("kept");
};

TEST_F(KeptDirectoryTest, IsMadeForItsOwnerAlone) {
  EXPECT_TRUE(opened(path_).is_new());
  struct stat info;
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0700u);
  EXPECT_EQ(fault({.path = folder_.path("no/parent")}),
            folder_.path("no/parent") + ": cannot create: No such file or directory");
  EXPECT_EQ(fault({.path = folder_.path("other"), .create = false}),
            folder_.path("other") + ": No such file or directory");
  EXPECT_EQ(fault({.path = path_, .create = false}),
            path_ + ": mrc keeps nothing here; there is no MANIFEST");
}

TEST_F(KeptDirectoryTest, IsNeverThatOfOthers) {
  const string file = folder_.write("file", "text");
  EXPECT_EQ(fault({.path = file}), file + ": Not a directory");
  fs::create_directory(path_);
  folder_.write("kept/00000001.run", "ours");
  folder_.write("kept/notes.txt", "theirs");
  const string message = path_ +
                         ": has \"notes.txt\" in it, which mrc has not written; name a directory "
                         "for mrc alone, or one that is not there yet";
  EXPECT_EQ(fault({.path = path_}), message);
  const Status removed = KeptDirectory::remove({.path = path_, .create = false});
  EXPECT_EQ(removed.message(), message);
  EXPECT_EQ(names_in(path_), (std::set<string>{"00000001.run", "notes.txt"}));
}

TEST_F(KeptDirectoryTest, KeepsWhatIsCommitted) {
  Manifest committed;
  {
    KeptDirectory directory = opened(path_);
    const i64 first = add_run(&directory, "first"), second = add_run(&directory, "second");
    ASSERT_TRUE(directory.commit(naming(directory, {first, second})).is_ok());
    EXPECT_FALSE(directory.is_new());
    committed = directory.manifest();
  }
  KeptDirectory directory = opened(path_);
  EXPECT_FALSE(directory.is_new());
  EXPECT_TRUE(directory.manifest() == committed);
  EXPECT_EQ(committed.next_run, 2);
  EXPECT_EQ(folder_.read("kept/00000001.run"), "second");
  EXPECT_EQ(*directory.open_run(0)->size(), 5);
  EXPECT_EQ(directory.open_run(2).status().message(),
            path_ + "/00000002.run: No such file or directory");
  EXPECT_EQ(add_run(&directory, "third"), 2);
}

TEST_F(KeptDirectoryTest, RemovesRunsThatNothingNames) {
  KeptDirectory directory = opened(path_);
  const i64 first = add_run(&directory, "first"), second = add_run(&directory, "second");
  ASSERT_TRUE(directory.commit(naming(directory, {first, second})).is_ok());
  const i64 third = add_run(&directory, "third");
  const i64 next = add_run(&directory, "of a tile that is not whole yet");
  ASSERT_TRUE(directory.commit(naming(directory, {second, third})).is_ok());
  EXPECT_EQ(names_in(path_),
            (std::set<string>{"MANIFEST", "lock", "00000001.run", "00000002.run", "00000003.run"}));
  ASSERT_TRUE(directory.commit(naming(directory, {second, third, next})).is_ok());
}

TEST_F(KeptDirectoryTest, IsSweptWhenItIsOpened) {
  {
    KeptDirectory directory = opened(path_);
    ASSERT_TRUE(directory.commit(naming(directory, {add_run(&directory, "first")})).is_ok());
    add_run(&directory, "without a manifest");
  }
  folder_.write("kept/00000009.run.part", "half");
  folder_.write("kept/MANIFEST.part", "half");
  opened(path_);
  EXPECT_EQ(names_in(path_), (std::set<string>{"MANIFEST", "lock", "00000000.run"}));
}

TEST_F(KeptDirectoryTest, KeepsTextThatItsManifestNames) {
  const string path = folder_.path("kept");
  for (const bool names : {true, false}) {
    KeptDirectory directory = opened(path);
    Manifest manifest = naming(directory, {});
    manifest.text.reset();
    if (names) manifest.text = {.bytes = 5};
    ASSERT_TRUE(directory.commit(manifest).is_ok());
    EXPECT_EQ(directory.check_text().is_ok(), !names) << "there is none yet";
    folder_.write("kept/text", "12345");
    EXPECT_TRUE(directory.check_text().is_ok());
  }
  EXPECT_TRUE(opened(path).check_text().is_ok());
  EXPECT_FALSE(fs::exists(path + "/text"));
}

TEST_F(KeptDirectoryTest, IsNotTouchedIfItIsDamaged) {
  {
    KeptDirectory directory = opened(path_);
    ASSERT_TRUE(directory.commit(naming(directory, {add_run(&directory, "first")})).is_ok());
  }
  folder_.write("kept/MANIFEST", "mrc kept 1\nversion 0.2.0\n");
  EXPECT_EQ(fault({.path = path_}),
            path_ +
                "/MANIFEST: damaged: its checksum is wrong; put back a copy of it, or begin anew "
                "with another directory");
  EXPECT_EQ(folder_.read("kept/00000000.run"), "first");
  EXPECT_TRUE(KeptDirectory::remove({.path = path_, .create = false}).is_ok());
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(KeptDirectoryTest, IsOfOneJob) {
  KeptDirectory directory = opened(path_);
  EXPECT_TRUE(directory.check_job(1, "any").is_ok());
  Manifest manifest = directory.manifest();
  manifest.digest = 1;
  manifest.job = "count\n-k status\n";
  ASSERT_TRUE(directory.commit(manifest).is_ok());
  EXPECT_TRUE(directory.check_job(1, "the same").is_ok());
  EXPECT_EQ(directory.check_job(2, "count\n-k url").message(),
            path_ +
                ": keeps another job: it was asked for \"count;-k status\", and now for "
                "\"count;-k url\"; ask as before, or name another directory");
}

TEST_F(KeptDirectoryTest, IsDroppedWhole) {
  KeptDirectory directory = opened(path_);
  ASSERT_TRUE(directory.commit(naming(directory, {add_run(&directory, "first")})).is_ok());
  ASSERT_TRUE(directory.drop().is_ok());
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(KeptDirectoryTest, IsOpenOnce) {
  const KeptDirectory directory = opened(path_);
  EXPECT_EQ(
      fault({.path = path_, .wait_seconds = 0}),
      path_ + ": in use by process " + std::to_string(getpid()) + "; try again when it has ended");
}

TEST_F(KeptDirectoryTest, IsWaitedFor) {
  auto directory = std::make_unique<KeptDirectory>(opened(path_));
  const pid_t other = fork();
  if (other == 0) _exit(fault({.path = path_, .wait_seconds = 20}) == "none" ? 0 : 1);
  usleep(200000);
  int status = 0;
  EXPECT_EQ(waitpid(other, &status, WNOHANG), 0);
  ASSERT_TRUE(directory->drop().is_ok());  // the other one makes it anew
  directory.reset();
  EXPECT_EQ(wait_for_exit(other, "a process that waits for the state"), 0);
  EXPECT_EQ(names_in(path_), (std::set<string>{"lock"}));
}

}  // namespace
}  // namespace mrc
