// --state of a join: whatever becomes of the two files between runs, each answer is that of a run
// that reads all of them.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kJobs = 6;
#else
constexpr int kJobs = 30;
#endif
constexpr int kRuns = 6;

enum class Form { csv, tsv, json };

// A side's file, as text. Later records may have more columns, unless a header names them.
class SideFile {
 public:
  SideFile(Random *random, Form form) : random_(random), form_(form) { replace(); }

  const string &text() const { return text_; }
  void replace() {
    static i64 next = 0;
    text_ = form_ == Form::csv ? fmt::format("id,v{},w\n", next++) : "";
    columns_ = 3;
    if (!one_in(*random_, 6)) append();
  }
  void append() {
    for (i64 i = one_in(*random_, 5) ? 5000 : pick(*random_, 0, 60); i > 0; --i) text_ += record();
  }
  void widen() { columns_ += form_ != Form::csv; }
  void end_without_line() {
    if (!text_.empty()) text_.pop_back();
  }

 private:
  string record() {
    const string key = one_in(*random_, 12) ? "" : std::to_string(pick(*random_, 1, 40));
    string text = form_ == Form::json ? "{\"id\":\"" + key + "\"" : key;
    for (i64 column = 1; column < columns_; ++column) {
      const string value = one_in(*random_, 9) ? "" : std::to_string(pick(*random_, 0, 999));
      text += form_ == Form::json ? fmt::format(",\"c{}\":\"{}\"", column, value)
                                  : (form_ == Form::csv ? "," : "\t") + value;
    }
    return text + (form_ == Form::json ? "}\n" : "\n");
  }

  Random *random_;
  Form form_;
  string text_;
  i64 columns_ = 3;
};

class KeptJoins : public testing::Test {
 protected:
  // Returns the status; the answer is in the file `name`.
  int run(const string &name, const string &arguments) const {
    return run_shell(
        fmt::format("cd {}; $MRC join {} >{} 2>{}.err", folder_.path("."), arguments, name, name));
  }
  static string job_of(Random &random, Form form) {
    string job = form == Form::csv    ? "-k id -f csv --header-in yes --right-from csv"
                 : form == Form::json ? "-k id -f json --right-from json"
                                      : "-k 1 -f tsv --header-in no --right-from tsv";
    if (form == Form::csv) job += " --right-header-in yes";
    job += one_of<string>(random, {"", " --left", " --full", " --anti", " --semi"});
    if (one_in(random, 3)) job += " --stable";
    if (one_in(random, 4)) job += fmt::format(" --top {}", pick(random, 0, 50));
    if (one_in(random, 4)) job += " --to json";
    return job;
  }
  static string keeping(Random &random) {
    string options = " --state state --state-last-line count";
    if (one_in(random, 3)) options += " --state-tiles 1K";
    if (one_in(random, 3)) options += " -j " + std::to_string(pick(random, 1, 4));
    if (one_in(random, 3)) options += " -S 4M";
    return options;
  }
  // Changes a file, or how it is stored. Returns its name.
  string change(Random *random, SideFile *file, const string &name) {
    switch (pick(*random, 0, 7)) {
      case 0: file->replace(); break;
      case 1: file->widen(); [[fallthrough]];
      case 2:
      case 3:
      case 4: file->append(); break;
      case 5: file->end_without_line(); break;
      default: break;
    }
    const bool packed = one_in(*random, 6);
    folder_.write(name + (packed ? ".gz" : ""), packed ? gzipped(file->text()) : file->text());
    return name + (packed ? ".gz" : "");
  }

  TemporaryFolder folder_;
};

TEST_F(KeptJoins, AnswerAsIfAllWereReadAnew) {
  for (u64 seed = first_seed(); seed < first_seed() + kJobs && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto form = one_of<Form>(random, {Form::csv, Form::tsv, Form::json});
    const string job = job_of(random, form), options = keeping(random);
    SideFile left(&random, form), right(&random, form);
    run_shell("cd " + folder_.path(".") + "; rm -rf state");
    for (int i = 0; i < kRuns && !HasFailure(); ++i) {
      if (one_in(random, 8)) std::swap(left, right);
      string names = change(&random, &left, "l");
      names += " " + (one_in(random, 10) ? names : change(&random, &right, "r"));
      const int status = run("expected", job + " " + names);
      EXPECT_EQ(run("kept", job + options + " " + names), status)
          << job << options << " " << names << "\n"
          << folder_.read("kept.err");
      run_shell(fmt::format("cd {}; diff -a expected kept | cut -c -200 | head >difference",
                            folder_.path(".")));
      EXPECT_EQ(folder_.read("difference"), "")
          << "run " << i << ": " << job << options << " " << names << "\n"
          << folder_.read("kept.err");
    }
  }
}

}  // namespace
}  // namespace mrc
