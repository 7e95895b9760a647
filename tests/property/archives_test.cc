// Members of archives against the same files outside: random files, some of them empty or
// compressed, in tar and ZIP archives. The same answers with any threads and splits.
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kRounds = 3;
#else
constexpr int kRounds = 12;
#endif

struct Member {
  string name, bytes;
};

string text_of(Random &random) {
  string text;
  const i64 most = one_in(random, 4) ? 0 : one_in(random, 5) ? 4000 : 40;
  for (i64 i = pick(random, 0, most); i > 0; --i) {
    text += fmt::format("w{} {}", pick(random, 0, 50), pick(random, 0, 1000));
    if (i > 1 || one_in(random, 2)) text += '\n';
  }
  return text;
}

vector<Member> members_of(Random &random) {
  vector<Member> members;
  for (i64 i = pick(random, 1, 12); i > 0; --i) {
    const string folder = one_in(random, 3) ? "a folder/" : one_in(random, 6) ? "../" : "";
    members.push_back({fmt::format("{}m{}", folder, i), text_of(random)});
  }
  return members;
}

void write_archive(const string &path, const vector<Member> &members) {
  struct archive *to = archive_write_new();
  if (path.ends_with(".zip")) {
    archive_write_set_format_zip(to);
  } else {
    archive_write_set_format_pax_restricted(to);
  }
  if (path.ends_with(".gz")) archive_write_add_filter_gzip(to);
  if (path.ends_with(".zst")) archive_write_add_filter_zstd(to);
  ASSERT_EQ(archive_write_open_filename(to, path.c_str()), ARCHIVE_OK);
  for (const Member &member : members) {
    archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, std::ssize(member.bytes));
    ASSERT_EQ(archive_write_header(to, entry), ARCHIVE_OK);
    archive_write_data(to, member.bytes.data(), member.bytes.size());
    archive_entry_free(entry);
  }
  ASSERT_EQ(archive_write_close(to), ARCHIVE_OK);
  archive_write_free(to);
}

class Archives : public testing::Test {
 protected:
  string answer(const string &command) {
    last_ = fmt::format("cd {} && $MRC {} >out 2>err", folder_.path("."), command);
    run_shell(last_);
    return folder_.read("out");
  }
  string how() {
    return fmt::format(" -j{} --split {} --io {}", pick(random_, 1, 4), pick(random_, 100, 30000),
                       one_in(random_, 2) ? "mmap" : "read");
  }
  // Writes the members as files, some of them compressed, and returns their names as arguments.
  string write_files(vector<Member> *members) {
    string arguments;
    for (size_t i = 0; i < members->size(); ++i) {
      const string name = fmt::format("f{}", i);
      folder_.write(name, (*members)[i].bytes);
      arguments += " " + name;
      if (!one_in(random_, 4)) continue;
      run_shell(fmt::format("cd {} && gzip -kf {}", folder_.path("."), name));
      (*members)[i].bytes = folder_.read(name + ".gz");
    }
    return arguments;
  }

  Random random_{first_seed()};
  const TemporaryFolder folder_;
  string last_;
};

TEST_F(Archives, HaveTheAnswersOfTheirFiles) {
  for (i64 round = 0; round < kRounds * rounds(); ++round) {
    vector<Member> members = members_of(random_);
    const string files = write_files(&members);
    for (const char *name : {"a.tar", "a.tar.gz", "a.tar.zst", "a.zip"}) {
      write_archive(folder_.path(name), members);
      for (const char *command : {"wordcount", "count", "stats -f fields -k 1 -a count,sum:2",
                                  "select -f fields -k 2,1", "sort -k 2:num", "select"}) {
        const string expected = answer(command + files);
        EXPECT_EQ(answer(fmt::format("{}{} {}", command, how(), name)), expected)
            << last_ << " in round " << round << ": " << folder_.read("err");
        if (testing::Test::HasFailure()) return;
      }
      const auto one = static_cast<size_t>(pick(random_, 0, std::ssize(members) - 1));
      const string expected = answer(fmt::format("count f{}", one));
      EXPECT_EQ(answer(fmt::format("count{} '{}:{}'", how(), name, members[one].name)), expected)
          << last_ << " in round " << round << ": " << folder_.read("err");
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace mrc
