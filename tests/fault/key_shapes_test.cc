// --memory holds for keys of every shape: all equal, long common fronts, real user agents, few
// groups and many, by every verb that spills rows. The answer is the same as without it.
//
// With MRC_MEMORY_TABLE=all, each verb meets each shape; `make check-memory` does that.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace mrc {
namespace {

using std::string;

struct Shape {
  const char *name;
  size_t common;   // bytes that all keys begin with
  unsigned kinds;  // of keys
};

constexpr Shape kShapes[] = {
    {"equal", 50, 1},         {"three", 100, 3},          {"front8", 8, 1000000},
    {"front64", 64, 1000000}, {"front200", 200, 1000000}, {"front5000", 5000, 1000000},
    {"agents", 0, 0},  // in place of all that
};

// As browsers write them: most bytes are the same, and many keys are.
string agent(unsigned random) {
  const string versions = std::to_string(random % 90) + ".0." + std::to_string(random % 7000);
  return "Mozilla/5.0 (Windows NT 6." + std::to_string(random % 3) +
         "; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + versions +
         (random % 5 == 0 ? " Safari/537.36 OPR/" + versions : " Safari/537.36");
}

// Two columns: a key and a number.
string lines_of(const Shape &shape, size_t bytes) {
  string text;
  const string front(shape.common, 'f');
  for (unsigned i = 0; text.size() < bytes; ++i) {
    const unsigned random = (i + 1) * 2654435761u >> 8;
    text += shape.kinds == 0 ? agent(random) : front + std::to_string(random % shape.kinds);
    text += "\t" + std::to_string(random % 1000) + "\n";
  }
  return text;
}

// A verb with its arguments, of which @ is the input, and the shapes that it meets unless all are
// wanted.
struct Case {
  string verb;
  std::vector<string> shapes;
};

class KeyShapes : public testing::TestWithParam<Case> {
 protected:
  // The peak in MiB. REQUIRES: succeeds
  int run(const string &arguments, const string &output) const {
    string verb = GetParam().verb;
    for (size_t at; (at = verb.find('@')) != string::npos;) verb.replace(at, 1, folder_.path("in"));
    const string command =
        string(MRC_BINARY) + " " + verb + " " + arguments + " > " + folder_.path(output);
    Background mrc(command);
    rusage usage{};
    EXPECT_EQ(mrc.wait(&usage), 0) << command;
    return static_cast<int>(usage.ru_maxrss / 1024);
  }
  static bool is_wanted(const Shape &shape) {
    if (getenv("MRC_MEMORY_TABLE") != nullptr) return true;
    const std::vector<string> &shapes = GetParam().shapes;
    return std::find(shapes.begin(), shapes.end(), shape.name) != shapes.end();
  }

  const TemporaryFolder folder_;
};

TEST_P(KeyShapes, KeepThePromise) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  for (const Shape &shape : kShapes) {
    if (!is_wanted(shape)) continue;
    SCOPED_TRACE(shape.name);
    folder_.write("in", lines_of(shape, 36 << 20));
    run("-j2", "expected");
    EXPECT_LE(run("--memory 2M -j4", "out"), 2 + 64);
    EXPECT_EQ(run_shell("cmp -s " + folder_.path("out") + " " + folder_.path("expected")), 0)
        << "the answer is another";
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfKeys, KeyShapes,
    testing::Values(Case{"sort @", {"equal", "front200", "front5000"}},
                    Case{"sort -d '\t' -k 1 @", {"agents", "three"}},
                    Case{"sort -d '\t' -s -r -k 1 @", {"front64"}},
                    Case{"sort -d '\t' -u -k 1 @", {"front64", "equal"}},
                    Case{"sort -d '\t' -k 2:num,1 @", {"agents"}}, Case{"count @", {"front200"}},
                    Case{"distinct --stable @", {"front5000"}},
                    Case{"stats -d '\t' -k 1 -a sum:2,max:2 --by max:2 @", {"front8", "front200"}},
                    Case{"join --semi -d '\t' --header-in no -k 1 --left-fields 2 @ @",
                         {"three", "agents"}}));

}  // namespace
}  // namespace mrc
