// States that earlier releases have kept, in tests/data/states: this one goes on from them, with
// the answer of a run that reads everything. The first of their inputs is gone, so what is
// counted of it can only come from the state.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

namespace mrc {
namespace {

namespace fs = std::filesystem;
using std::string;

const fs::path kStates = MRC_SOURCE_DIR "/tests/data/states";
constexpr const char *kGone = "tests/data/shop.log", *kHere = "tests/data/access.log";

std::map<string, string> jobs() {
  std::map<string, string> jobs;
  std::ifstream file(kStates / "jobs");
  for (string name, job; file >> name && std::getline(file >> std::ws, job);) jobs[name] = job;
  return jobs;
}

std::vector<fs::path> states() {
  std::vector<fs::path> all;
  for (const auto &entry : fs::recursive_directory_iterator(kStates)) {
    if (entry.path().filename() == "MANIFEST") all.push_back(entry.path().parent_path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

class KeptStates : public testing::TestWithParam<fs::path> {
 protected:
  KeptStates() : job_(jobs().at(GetParam().filename())) {
    setenv("MRC_PLUGIN_PATH", MRC_PLUGINS, 1);
    fs::copy(GetParam(), folder_.path("state"));
  }

  // What a job prints, in the root of the repository.
  string answer(const string &options) const {
    EXPECT_EQ(run_shell(fmt::format("cd {}; $MRC {} {} >{} 2>{}", MRC_SOURCE_DIR, job_, options,
                                    folder_.path("out"), folder_.path("err"))),
              0)
        << folder_.read("err");
    return folder_.read("out");
  }
  long runs() const {
    const fs::directory_iterator files(folder_.path("state"));
    return std::count_if(begin(files), end(files),
                         [](const auto &entry) { return entry.path().extension() == ".run"; });
  }

  const TemporaryFolder folder_;
  const string job_, state_ = "--state " + folder_.path("state") + " ";
};

TEST_P(KeptStates, HaveTheAnswerOfTheirInputs) {
  const string expected = answer(fmt::format("{} {}", kGone, kHere));
  EXPECT_EQ(answer(state_ + kHere), expected);
  EXPECT_EQ(runs(), 1) << "something was read again";
}

TEST_P(KeptStates, GoOnWithWhatIsNew) {
  const string input = MRC_SOURCE_DIR + string("/") + kHere;
  fs::create_directory(folder_.path("tests"));
  fs::create_directory(folder_.path("tests/data"));
  fs::copy(input, folder_.path(kHere));
  fs::copy(MRC_SOURCE_DIR + string("/") + kGone, folder_.path(kGone));
  std::ofstream(folder_.path(kHere), std::ios::app)
      << "192.0.2.7 - - [13/Sep/2015:09:00:00 +0000] \"PUT /new HTTP/1.1\" 202 77 \"-\" \"-\"\n";
  const string in = "cd " + folder_.path("") + "; $MRC " + job_;
  EXPECT_EQ(run_shell(fmt::format("{} {} {} >expected 2>err", in, kGone, kHere)), 0);
  EXPECT_EQ(run_shell(fmt::format("{} {} {} >found 2>err", in, state_, kHere)), 0);
  EXPECT_EQ(folder_.read("found"), folder_.read("expected"));
  EXPECT_NE(folder_.read("found"), "");
  EXPECT_EQ(runs(), 2);
}

string state_name(const testing::TestParamInfo<fs::path> &info) {
  string name = fs::relative(info.param, kStates).string();
  for (char &c : name) {
    if (isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Releases, KeptStates, testing::ValuesIn(states()), state_name);

}  // namespace
}  // namespace mrc
