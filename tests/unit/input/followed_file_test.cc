#include "input/followed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <thread>
#include <vector>

namespace mrc {
namespace {

using std::string;
using What = Arrival::What;

class FollowedFiles : public testing::Test {
 protected:
  void follow(const string &text) {
    Result<Source> source = examine(folder_.write("log", text));
    ASSERT_TRUE(source.is_ok());
    Result<std::unique_ptr<Followed>> from =
        follow_file(*source, {[this](const string &note) { notes_.push_back(note); },
                              [](const Status &what) { ADD_FAILURE() << what.message(); }});
    ASSERT_TRUE(from.is_ok()) << from.status().message();
    from_ = std::move(*from);
  }
  string path(const string &name = "log") const { return folder_.path(name); }
  void append(const string &text, const string &name = "log") const {
    std::ofstream(path(name), std::ios::app) << text;
  }
  // Written in place: the file stays the same one.
  void overwrite(const string &text) const { std::ofstream(path(), std::ios::trunc) << text; }
  // All that a few looks find, by generation; "." is the end of one. Looks with little room.
  std::map<i64, string> look(i64 room = 7) {
    std::map<i64, string> found;
    string buffer(static_cast<size_t>(room), '\0');
    for (;;) {
      const Arrival arrival = from_->next(buffer.data(), room);
      if (arrival.what == What::nothing) return found;
      if (arrival.what == What::end) found[arrival.generation] += ".";
      if (arrival.what != What::bytes) continue;
      EXPECT_LE(arrival.bytes, room);
      found[arrival.generation] += buffer.substr(0, static_cast<size_t>(arrival.bytes));
    }
  }
  using Found = std::map<i64, string>;

  TemporaryFolder folder_;
  std::vector<string> notes_;
  std::unique_ptr<Followed> from_;
};

TEST_F(FollowedFiles, SayWhatIsAppended) {
  follow("old\n");
  EXPECT_EQ(look(), Found());
  append("new 1\nnew");
  EXPECT_EQ(look(), (Found{{0, "new 1\nnew"}}));
  append(" 2\n");
  EXPECT_EQ(look(), (Found{{0, " 2\n"}}));
}

TEST_F(FollowedFiles, AreReadInTheirOldFileAndInTheNewOne) {
  follow("old\n");
  append("1\n");
  std::filesystem::rename(path(), path("log.1"));
  append("2\n");
  append("3", "log.1");
  EXPECT_EQ(look(), (Found{{0, "1\n3"}, {1, "2\n"}}));
  append("4\n", "log.1");
  append("5\n");
  EXPECT_EQ(look(), (Found{{0, "4\n"}, {1, "5\n"}}));
  std::filesystem::rename(path(), path("log.2"));
  append("6\n");
  append("7\n", "log.1");
  append("8\n", "log.2");
  EXPECT_EQ(look(), (Found{{0, "7\n"}, {1, "8\n"}, {2, "6\n"}}));
}

TEST_F(FollowedFiles, EndAGenerationSomeTimeAfterItsLastBytes) {
  follow("old\n");
  std::filesystem::rename(path(), path("log.1"));
  append("new\n");
  EXPECT_EQ(look(), (Found{{1, "new\n"}}));
  std::this_thread::sleep_for(std::chrono::milliseconds(5100));
  EXPECT_EQ(look(), (Found{{0, "."}}));
  append("late\n", "log.1");
  EXPECT_EQ(look(), Found());
}

TEST_F(FollowedFiles, BeginAnewWhenTheyAreTruncated) {
  follow("old\n");
  append("half");
  EXPECT_EQ(look(), (Found{{0, "half"}}));
  std::filesystem::resize_file(path(), 0);
  EXPECT_EQ(look(), (Found{{0, "."}}));
  append("new\n");
  EXPECT_EQ(look(), (Found{{1, "new\n"}}));
}

TEST_F(FollowedFiles, BeginAnewWhenOtherContentTakesTheirPlace) {
  follow("old content\n");
  EXPECT_EQ(look(), Found());
  overwrite("new content that is longer\n");
  EXPECT_EQ(look(), (Found{{0, "."}, {1, "new content that is longer\n"}}));
  overwrite("new content that is xxxxxx\n");
  EXPECT_EQ(look(), (Found{{1, "."}, {2, "new content that is xxxxxx\n"}})) << "of the same size";
}

TEST_F(FollowedFiles, GoOnWhenTheirTimeAloneChanges) {
  follow("old\n");
  EXPECT_EQ(look(), Found());
  std::filesystem::last_write_time(path(), std::filesystem::file_time_type::clock::now());
  EXPECT_EQ(look(), Found());
}

TEST_F(FollowedFiles, GoOnInACopy) {
  for (size_t size : {5000, 70000, 300000}) {
    string text;
    for (int i = 0; text.size() < size; ++i) text += "line " + std::to_string(i) + "\n";
    follow(text);
    append("seen");
    EXPECT_EQ(look(), (Found{{0, "seen"}}));
    folder_.write("copy", text + "seen and new\n");
    std::filesystem::rename(path("copy"), path());
    EXPECT_EQ(look(), (Found{{0, " and new\n"}})) << size;
  }
}

TEST_F(FollowedFiles, TakeNoOtherFileForACopy) {
  string text;
  for (int i = 0; text.size() < 200000; ++i) text += "line " + std::to_string(i) + "\n";
  for (size_t changed : {size_t{0}, size_t{65535}, text.size() - 65536, text.size() - 1}) {
    follow(text);
    string other = text + "more\n";
    other[changed] = 'X';
    folder_.write("copy", other);
    std::filesystem::rename(path("copy"), path());
    EXPECT_EQ(look(1 << 20), (Found{{1, other}})) << changed;
  }
  follow("started\n");  // as all generations of a log may begin
  folder_.write("copy", "started\nnew\n");
  std::filesystem::rename(path("copy"), path());
  EXPECT_EQ(look(), (Found{{1, "started\nnew\n"}}));
}

TEST_F(FollowedFiles, SayOnceThatTheyAreGone) {
  follow("old\n");
  std::filesystem::rename(path(), path("log.1"));
  EXPECT_EQ(look(), Found());
  EXPECT_TRUE(notes_.empty()) << "a rotation takes a moment";
  append("1\n", "log.1");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(look(), (Found{{0, "1\n"}}));
  EXPECT_EQ(look(), Found());
  ASSERT_EQ(notes_.size(), 1);
  EXPECT_EQ(notes_[0],
            path() + ": No such file or directory; it is followed again when it is back");
  append("2\n");
  EXPECT_EQ(look(), (Found{{1, "2\n"}}));
  ASSERT_EQ(notes_.size(), 2);
  EXPECT_EQ(notes_[1], path() + ": is there again");
}

TEST_F(FollowedFiles, AreTheSameWhenTheirNameComesBack) {
  follow("old\n");
  std::filesystem::rename(path(), path("log.1"));
  append("other\n");
  EXPECT_EQ(look(), (Found{{1, "other\n"}}));
  std::filesystem::rename(path("log.1"), path());
  append("1\n");
  EXPECT_EQ(look(), (Found{{0, "1\n"}}));
}

}  // namespace
}  // namespace mrc
