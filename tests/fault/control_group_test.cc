// A control group with little memory: without --memory a job keeps within it, and is not
// killed.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mrc {
namespace {

using std::string;
namespace fs = std::filesystem;

// A group of this test's own, of the first or the second version.
class ControlGroup {
 public:
  explicit ControlGroup(long bytes) {
    const struct {
      const char *parent, *limit;
    } versions[] = {{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
                    {"/sys/fs/cgroup", "memory.max"}};
    for (const auto &version : versions) {
      string path = string(version.parent) + "/mrc-test-" + std::to_string(getpid());
      std::error_code error;
      if (!fs::create_directory(path, error)) continue;
      path_ = path;
      if (put(version.limit, std::to_string(bytes)) && put("cgroup.procs", "")) return;
      fs::remove(path_, error);
      path_.clear();
    }
  }
  ~ControlGroup() {
    if (!path_.empty()) rmdir(path_.c_str());
  }
  bool exists() const { return !path_.empty(); }
  // What a shell does before the command that is to be in it.
  string join() const { return "echo $$ >" + path_ + "/cgroup.procs; "; }

 private:
  bool put(const string &file, const string &text) const {
    std::ofstream out(path_ + "/" + file);
    return out && (text.empty() || out << text << std::flush);
  }

  string path_;
};

TEST(ControlGroup, OfLittleMemoryIsKeptWithin) {
#if defined(MRC_SANITIZED)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  const ControlGroup group(long{128} << 20);
  if (!group.exists()) GTEST_SKIP() << "control groups cannot be made here";
  // Not in memory, which would count.
  setenv("TMPDIR", "/var/tmp", 0);
  const TemporaryFolder folder;
  std::ofstream in(folder.path("in"));
  for (unsigned i = 0; i < 4000000; ++i) in << i * 2654435761u << " some more bytes " << i << '\n';
  in.close();
  for (const char *verb : {"count", "sort", "stats -f fields -k 1 -a sum:5,p50:5", "distinct -c"}) {
    const int status =
        run_shell(group.join() + "exec $MRC " + verb + " -j4 --tmpdir " + folder.path(".") + " " +
                  folder.path("in") + " -o " + folder.path("answer") + " 2>" + folder.path("err"));
    EXPECT_EQ(status, 0) << verb << ": " << folder.read("err");
  }
}

}  // namespace
}  // namespace mrc
