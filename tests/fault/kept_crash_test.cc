// The power fails at any point of commits: there is the old state or the new one, whole.
#include "kept/directory.h"
#include "support/recorded_disk.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace mrc {
namespace {

using std::string;

string text_of(i64 run) { return "the bytes of run " + std::to_string(run); }

// One more run, and a manifest that names it and all but the oldest of the others.
void commit_another(KeptDirectory *directory) {
  i64 number = -1;
  Result<RunFile> file = directory->create_run(&number);
  ASSERT_TRUE(file.is_ok());
  const string text = text_of(number);
  const Bytes pieces[] = {Bytes(text).substr(0, 5), Bytes(text).substr(5)};
  ASSERT_TRUE(file->write(0, pieces).is_ok());
  ASSERT_TRUE(file->commit().is_ok());
  Manifest manifest = directory->manifest();
  if (manifest.sources.empty()) manifest.sources.resize(1);
  manifest.next_source = 1;
  std::vector<KeptTile> &tiles = manifest.sources[0].tiles;
  if (tiles.size() > 2) tiles.erase(tiles.begin());
  tiles.push_back({{}, number, 0, 1});
  for (size_t i = 0; i < tiles.size(); ++i) {
    tiles[i].begin = static_cast<i64>(i);
    tiles[i].end = tiles[i].begin + 1;
  }
  manifest.sources[0].end = std::ssize(tiles);
  ASSERT_TRUE(directory->commit(manifest).is_ok());
}

// The highest run of the state that is found on what is left; 0 if nothing is kept, -1 if what is
// kept is not whole.
i64 state_of(const std::map<string, string> &left) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("kept"));
  for (const auto &[name, bytes] : left) folder.write("kept/" + name, bytes);
  const Result<KeptDirectory> directory = KeptDirectory::open({.path = folder.path("kept")});
  if (!directory.is_ok()) {
    ADD_FAILURE() << directory.status().message();
    return -1;
  }
  for (const i64 run : directory->manifest().runs()) {
    if (folder.read("kept/" + last_name(directory->run_path(run))) != text_of(run)) return -1;
  }
  const std::vector<i64> runs = directory->manifest().runs();
  return runs.empty() ? 0 : runs.back() + 1;
}

const RecordedDisk::Loss kLosses[] = {{false, false}, {false, true}, {true, false}, {true, true}};

TEST(KeptCrash, LeavesTheOldStateOrTheNew) {
  const TemporaryFolder folder;
  RecordedDisk disk;
  Result<KeptDirectory> directory = KeptDirectory::open({.path = folder.path("kept")});
  ASSERT_TRUE(directory.is_ok());
  std::vector<size_t> committed = {0};  // after which calls there is the next state
  for (int i = 0; i < 6; ++i) {
    commit_another(&*directory);
    committed.push_back(disk.calls());
  }
  const size_t dropped_from = disk.calls();
  ASSERT_TRUE(directory->drop().is_ok());
  const size_t calls = disk.calls();
  RecordedDisk::current() = nullptr;
  EXPECT_GT(calls, 40u);
  for (size_t call = 0; call <= calls; ++call) {
    const i64 state =
        std::upper_bound(committed.begin(), committed.end(), call) - committed.begin() - 1;
    for (const RecordedDisk::Loss &loss : kLosses) {
      const i64 found = state_of(disk.left(call, loss));
      const bool next_is_under_way = call > committed[static_cast<size_t>(state)] && state < 6;
      const bool is_dropped = call > dropped_from && found == 0;
      EXPECT_TRUE(found == state || (next_is_under_way && found == state + 1) || is_dropped)
          << "call " << call << " of " << calls << ": " << found << " instead of " << state;
    }
  }
}

// The test itself: what is not synced is seen to be lost.
TEST(KeptCrash, IsSeenIfNothingIsSynced) {
  const TemporaryFolder folder;
  RecordedDisk disk;
  {
    const Result<RunFile> file = RunFile::create(folder.path("a.run"));
    const Bytes piece = "text";
    ASSERT_TRUE(file->write(0, {&piece, 1}).is_ok());
    ASSERT_EQ(rename(folder.path("a.run.part").c_str(), folder.path("a.run").c_str()), 0);
    EXPECT_EQ(disk.left(disk.calls(), {false, false}),
              (std::map<string, string>{{"a.run", "text"}}));
    EXPECT_EQ(disk.left(disk.calls(), {false, true}), (std::map<string, string>{{"a.run", ""}}));
    EXPECT_TRUE(disk.left(disk.calls(), {true, true}).empty());
  }
}

}  // namespace
}  // namespace mrc
