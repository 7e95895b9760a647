// Jobs of plugins that fail, throw, crash or never end (tests/plugins/failing.cc): the message
// names the plugin at fault, the status says that something was wrong, and no output is left.
#include "support/process.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace mrc {
namespace {

using std::string;

#ifdef MRC_SANITIZED
constexpr bool kSanitized = true;  // signals are the sanitizer's
#else
constexpr bool kSanitized = false;
#endif

const string kPlugin = MRC_TEST_PLUGINS "/failing.so";

struct Place {
  string job, function;
  bool returns;      // a status
  string more = "";  // options that get there
};

class PluginFaults : public testing::Test {
 protected:
  PluginFaults() {
    for (int i = 0; i < 5000; ++i) text_ += "line " + std::to_string(i % 700) + "\n";
    folder_.write("in", text_);
  }

  string job(const string &name, const string &where, const string &what) const {
    return "run --force-plugin " + kPlugin + " " + name + " --set where=" + where +
           " --set what=" + what + " -j2 --split 4000";
  }
  string job(const Place &place, const string &what) const {
    return job(place.job, place.function, what) + place.more;
  }
  // Its exit status, or 128 and the signal, as shells have it. Output goes to "out".
  int run(const string &arguments, const string &inputs = " @/in") {
    string command = "$MRC " + arguments + inputs + " -o @/out 2>@/err";
    for (size_t at; (at = command.find("@/")) != string::npos;) {
      command.replace(at, 2, folder_.path(""));
    }
    const int status = run_shell(command);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  // The message, with ~ for the folder and the plugin's path.
  string error() const {
    string text = folder_.read("err");
    for (const string &name : {folder_.path(""), kPlugin}) {
      for (size_t at; (at = text.find(name)) != string::npos;) text.replace(at, name.size(), "~");
    }
    return text;
  }
  bool says(const string &part) const {
    if (error().find(part) != string::npos) return true;
    ADD_FAILURE() << "no \"" << part << "\" in " << error();
    return false;
  }
  // Input and messages are all there is.
  bool left_nothing() const { return folder_.files() == 2; }

  TemporaryFolder folder_;
  string text_;
};

const std::vector<Place> kPlaces = {
    {"lines", "open", true},
    {"lines", "begin", true},
    {"lines", "map", true},
    {"lines", "end", true},
    {"lines", "add", false},
    {"lines", "merge", false},
    {"lines", "init", false},
    {"lines", "save", false, " --container array --tile 4K --memory 400K"},
    {"lines", "load", false, " --container array --tile 4K --memory 400K"},
    {"lines", "columns", false},
    {"lines", "order", false},
    {"lines", "round", true},
    {"lines", "show", false},
    {"listed", "reduce", false},
    {"splits", "split", true},
    {"acquired", "acquire", true},
    {"acquired", "release", false},
    {"formatted", "format", false},
    {"formatted", "header", false, " --header-out yes"},
    {"compared", "compare", false},
};

TEST_F(PluginFaults, AreNoneIfNothingIsWrong) {
  for (const string job : {"lines", "listed", "splits", "acquired", "formatted", "compared"}) {
    EXPECT_EQ(run(this->job(job, "nowhere", "fail")), 0) << error();
    EXPECT_EQ(folder_.read("out").empty(), false) << job;
  }
}

TEST_F(PluginFaults, ThatAreSaidAreErrorsWithThePlaceAndLeaveNothing) {
  for (const Place &place : kPlaces) {
    SCOPED_TRACE(place.job + " " + place.function);
    EXPECT_EQ(run(job(place, "fail")), 2);
    says("mrc: error: ");
    says("plugin ~: job " + place.job + ": " + place.function + ": because of it");
    EXPECT_TRUE(left_nothing());
  }
}

TEST_F(PluginFaults, WithoutAReasonAreErrors) {
  for (const Place &place : kPlaces) {
    if (!place.returns) continue;
    SCOPED_TRACE(place.function);
    EXPECT_EQ(run(job(place, "silent")), 2);
    says(place.function + ": returned -7, and did not say why by fail()");
    EXPECT_TRUE(left_nothing());
  }
}

TEST_F(PluginFaults, ThatAreThrownAreErrors) {
  for (const Place &place : kPlaces) {
    SCOPED_TRACE(place.function);
    EXPECT_EQ(run(job(place, "throw")), 2);
    says("job " + place.job + ": " + place.function + ": threw std::runtime_error: a thing");
    EXPECT_TRUE(left_nothing());
  }
  EXPECT_EQ(run(job("lines", "map", "throw-int")), 2);
  says("threw int");
}

TEST_F(PluginFaults, ThatCrashSayWhereAndDieOfTheSignal) {
  if (kSanitized) GTEST_SKIP();
  for (const Place &place : kPlaces) {
    SCOPED_TRACE(place.function);
    EXPECT_EQ(run(job(place, "crash")), 128 + SIGSEGV);
    says("mrc: error: plugin ~ crashed (SIGSEGV) in " + place.function + " of job " + place.job);
    EXPECT_TRUE(left_nothing());
  }
  EXPECT_EQ(run(job("lines", "map", "abort")), 128 + SIGABRT);
  says("crashed (SIGABRT) in map of job lines, input ~in at byte ");
  EXPECT_EQ(run(job("lines", "map", "bus") + " --io mmap"), 128 + SIGBUS);  // windows have a word
  says("crashed (SIGBUS) in map of job lines, input ~in at byte ");
  EXPECT_EQ(run(job("lines", "add", "crash")), 128 + SIGSEGV);
  says("in add of job lines, input ~in at byte ");
}

TEST_F(PluginFaults, ThatEndTheProcessAreErrors) {
  for (const string function : {"map", "round"}) {
    EXPECT_EQ(run(job("lines", function, "exit")), 2);
    says("ended the process in " + function + " of job lines");
    EXPECT_TRUE(left_nothing());
  }
}

TEST_F(PluginFaults, OfMapNameTheInputAndTheByte) {
  EXPECT_EQ(run(job("lines", "map", "fail") + " -j1 --split 1M"), 2);
  EXPECT_EQ(error(), "mrc: error: plugin ~: job lines: map: because of it (~in, byte 0)\n");
  EXPECT_EQ(run(job("lines", "map", "thread-fails")), 2);
  says("plugin (in a thread of its own): far away");
}

TEST_F(PluginFaults, OfWhatIsEmitted) {
  EXPECT_EQ(run(job("lines", "map", "too-many")), 2);
  says("left 1025 keys in an emitter that has room for 1024");
  EXPECT_EQ(run(job("lines", "map", "too-few")), 2);
  says("left -1 keys in an emitter");
  EXPECT_EQ(run(job("lines", "map", "integers")), 2);
  says("emitted a key that is an integer; set its key_type to MRC_INTEGER");
  for (const string what : {"bad-elsewhere", "bad-for-nothing"}) {
    EXPECT_EQ(run(job("lines", "map", what)), 2);
    says("said that a record is bad, but not why, or not one that it was given");
  }
  EXPECT_EQ(run(job("lines", "end", "bad")), 2);
  says("end: said that a record is bad");
  EXPECT_EQ(run(job("listed", "combine", "too-many") + " -j1",
                " @/in @/in @/in @/in @/in @/in @/in @/in"),
            0)
      << "no list has so many values";
  folder_.write("same", string(4000, '\n'));
  EXPECT_EQ(run(job("listed", "combine", "too-many"), " @/same"), 2);
  says("combine: made 1025 values of 1024");
}

TEST_F(PluginFaults, OfSplits) {
  const string size = std::to_string(text_.size());
  const auto fails = [&](const string &what, const string &message) {
    EXPECT_EQ(run(job("splits", "split", what)), 2);
    says("job splits: split: split 0 has bytes " + message);
    EXPECT_TRUE(left_nothing());
  };
  fails("behind", "0 to " + std::to_string(text_.size() + 1) +
                      " of input 0; there are 1 inputs, and this one has " + size + " bytes");
  fails("before", "-1 to 0 of input 0; there are 1 inputs, and this one has");
  fails("backwards", "2 to 1 of input 0");
  fails("elsewhere", "0 to 0 of input 1; there are 1 inputs");
  fails("nowhere", "0 to 0 of input -1; there are 1 inputs");
}

TEST_F(PluginFaults, OfAnOrderThatContradictsItselfHarmNobody) {
  folder_.write("many", [] {
    string text;
    for (int i = 0; i < 30000; ++i) text += std::to_string(i) + "\n";
    return text;
  }());
  for (const string top : {"", " --top 10"}) {
    EXPECT_EQ(run(job("compared", "compare", "contradicts") + top, " @/many"), 0) << error();
  }
}

TEST_F(PluginFaults, AreNoThreadsAndMemoryOfTheirOwn) {
  EXPECT_EQ(run(job("lines", "map", "threads")), 0) << error();
}

TEST_F(PluginFaults, AnEndlessLoopCanBeInterrupted) {
  for (const string function : {"map", "merge", "format", "round"}) {
    const string name = function == "format" ? "formatted" : "lines";
    Background mrc("$MRC " + job(name, function, "loop") + " " + folder_.path("in") + " -o " +
                   folder_.path("out") + " 2>" + folder_.path("err"));
    std::this_thread::sleep_for(std::chrono::milliseconds(kSanitized ? 2000 : 500));
    mrc.send(SIGINT);
    const int status = mrc.wait();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << function << " " << status;
    EXPECT_TRUE(left_nothing());
  }
}

TEST_F(PluginFaults, OfInputs) {
  EXPECT_EQ(run(job("lines", "", ""), " @/in @/none"), 3);
  says("none: No such file or directory");
  EXPECT_FALSE(folder_.read("out").empty());
  std::filesystem::remove(folder_.path("out"));
  EXPECT_EQ(run(job("splits", "", ""), " @/in @/none"), 2) << "it cannot do without one";
  says("none: No such file or directory");
  says("splits: needs all inputs, and cannot do without one");
  EXPECT_TRUE(left_nothing());
}

TEST_F(PluginFaults, OfAnInputDoNotRenumberOthers) {
  folder_.write("table", "a\n");
  folder_.write("log", "b\n");
  const string numbers = "run --force-plugin " MRC_TEST_PLUGINS "/inputs.so ";
  EXPECT_EQ(run(numbers + "numbers", " @/none @/table @/none @/log"), 3);
  EXPECT_EQ(folder_.read("out"),
            "1 " + folder_.path("table") + "\t1\n3 " + folder_.path("log") + "\t1\n");
  EXPECT_EQ(run(numbers + "numbers", " - @/none - @/log <@/table"), 3);
  EXPECT_EQ(folder_.read("out"), "0 standard input\t1\n3 " + folder_.path("log") + "\t1\n");
  EXPECT_EQ(run(numbers + "wholes", " - - @/log <@/table"), 0) << error();
  EXPECT_EQ(folder_.read("out"),
            "0 standard input\t2\n1 standard input\t2\n2 " + folder_.path("log") + "\t2\n");
}

TEST_F(PluginFaults, EmptyInputIsNone) {
  folder_.write("empty", "");
  for (const string name : {"lines", "listed", "splits", "formatted", "compared"}) {
    EXPECT_EQ(run(job(name, "", ""), " @/empty"), 0) << error();
    EXPECT_EQ(folder_.read("out"), name == "splits" ? "\t2\n" : "") << name;
  }
}

TEST_F(PluginFaults, RoundsOverAPipeAreRefused) {
  const string words = job("lines", "round", "again");
  EXPECT_EQ(run(words), 0) << error();
  const string expected = folder_.read("out");
  std::filesystem::remove(folder_.path("out"));
  EXPECT_EQ(run(words, " - <@/in"), 0) << "a file, by another name: " << error();
  EXPECT_EQ(folder_.read("out"), expected);
  std::filesystem::remove(folder_.path("out"));
  EXPECT_EQ(run_shell("cat " + folder_.path("in") + " | $MRC " + words + " >/dev/null 2>" +
                      folder_.path("err")) >>
                8,
            2);
  says("lines wants another round, for which it cannot be read again; name a file");
}

TEST_F(PluginFaults, RowsOfARoundMustFitInMemory) {
  string text;
  for (int i = 0; i < 200000; ++i) text += "line " + std::to_string(i) + "\n";
  folder_.write("in", text);
  EXPECT_EQ(run(job("lines", "", "") + " --memory 1M"), 2);
  says("lines: rows do not fit in memory, where the end of a round wants them; raise --memory");
  EXPECT_EQ(run(job("compared", "", "") + " --memory 1M"), 2);
  says("compared: rows do not fit in memory, where its own order wants them; raise --memory");
  EXPECT_TRUE(left_nothing());
}

TEST_F(PluginFaults, OfAnInputAreSaidOnceInAllRounds) {
  EXPECT_EQ(
      run_shell("gzip -kf " + folder_.path("in") + "; truncate -s -20 " + folder_.path("in.gz")),
      0);
  EXPECT_EQ(run(job("lines", "round", "again"), " @/in.gz"), 3);
  const string said = error();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST_F(PluginFaults, NotesAreForThoseWhoWantThem) {
  const string words = "run --force-plugin " MRC_TEST_PLUGINS "/every_job.so rounds --set rounds=2";
  EXPECT_EQ(run(words), 0);
  says("every_job.so: round 1: 32 rows, the last");
  EXPECT_EQ(run(words + " -q"), 0);
  EXPECT_EQ(error(), "");
}

TEST_F(PluginFaults, NobodyReadsTheOutput) {
  const int status = run_shell("$MRC " + job("formatted", "", "") + " " + folder_.path("in") +
                               " 2>" + folder_.path("err") + " | true");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(error(), "");
}

TEST_F(PluginFaults, OfTheCommandLine) {
  const string run_it = "run --force-plugin " + kPlugin;
  EXPECT_EQ(run(run_it), 2);
  says("it has several jobs; name one of lines, listed, splits, acquired, formatted, compared");
  EXPECT_EQ(run(run_it + " line"), 2);
  says("did you mean \"lines\"?");
  EXPECT_EQ(run(run_it + " lines --set x=1"), 2);
  says("--set x: lines has no such option");
  EXPECT_EQ(run(run_it + " lines --set where"), 2);
  says("--set where: needs NAME=VALUE");
  EXPECT_EQ(run("run", ""), 2);
  says("needs a plugin: mrc run ./x.so [JOB] [FILE...]");
  EXPECT_EQ(run("run failing.so"), 2);
  says("for the file in this directory write ./failing.so");
  EXPECT_TRUE(left_nothing());
}

}  // namespace
}  // namespace mrc
