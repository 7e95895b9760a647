// --state of files whose last line does not end: what is counted of it never counts twice.
#include "support/compress.h"
#include "support/process.h"
#include "support/random.h"
#include "support/seed.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace mrc {
namespace {

using std::string;

string utf16(const string &text) {
  string encoded = "\xff\xfe";
  for (const char c : text) encoded += {c, '\0'};
  return encoded;
}

class KeptLastLines : public testing::Test {
 protected:
  string answer(const string &arguments) {
    const string in = "cd " + folder_.path(".") + "; $MRC ";
    EXPECT_EQ(run_shell(in + arguments + " >out 2>err"), 0) << arguments << folder_.read("err");
    return folder_.read("out");
  }
  static string piece(Random *random) {
    string text;
    for (size_t size = (*random)() % 12; size > 0; --size) text += "ab \n"[(*random)() % 4];
    return text;
  }

  TemporaryFolder folder_;
};

// The forms of a file, and the option with which its last line counts.
struct Form {
  const char *name, *option;
  std::function<string(const string &)> write;
};

TEST_F(KeptLastLines, CountAsIfAllWereReadAnew) {
  const Form forms[] = {
      {"log", " --state-last-line count ", [](const string &t) { return t; }},
      {"log", " --state-last-line count --state-tiles 1K ", [](const string &t) { return t; }},
      {"log", " ", utf16},
      {"log.gz", " ", [](const string &t) { return gzipped(t); }},
      {"log.1", " ", [](const string &t) { return t; }}};
  for (u64 seed = first_seed(); seed < first_seed() + 10 && !HasFailure(); ++seed) {
    for (const Form &form : forms) {
      SCOPED_TRACE(std::to_string(seed) + " " + form.name + form.option);
      Random random(seed);
      const auto verb = one_of<string>(random, {"count ", "wordcount ", "sort ", "select -k 1 "});
      const string state = "state" + std::to_string(&form - forms) + std::to_string(seed);
      folder_.write("log", "");  // beside log.1
      string text;
      for (int step = 0; step < 8; ++step) {
        if (random() % 4 == 0) text += log_like(6000, random());
        text += piece(&random);
        folder_.write(form.name, form.write(text));
        const string expected = answer(verb + form.name);
        EXPECT_EQ(answer(verb + "--state " + state + form.option + form.name), expected) << step;
        EXPECT_EQ(answer(verb + "--state " + state + form.option + form.name), expected) << step;
      }
    }
  }
}

// Its end is in the middle of a line of the file that it is a copy of.
TEST_F(KeptLastLines, OfACompressedCopyGoOnInTheFile) {
  const string text = log_like(9000) + "\nab";
  folder_.write("log.gz", gzipped(text));
  EXPECT_EQ(answer("count --state kept log.gz"), answer("count log.gz"));
  folder_.write("log", text + "c\nd\n");
  EXPECT_EQ(answer("count --state kept log"), answer("count log"));
}

TEST_F(KeptLastLines, AreNamedWhereTheyAreLeft) {
  folder_.write("log", "a\nbc");
  folder_.write("other", "a\nb");
  EXPECT_EQ(answer("count --state kept log other"), "a\t2\n");
  EXPECT_EQ(folder_.read("err"),
            "mrc: info: log: the last line, of 2 bytes, does not end yet and is left for the next "
            "run; --state-last-line count counts it; 1 more file is alike\n");
  folder_.write("log.1", "d\ne");
  EXPECT_EQ(answer("count -q --state rotated log.1"), "d\t1\ne\t1\n");
  EXPECT_EQ(answer("count -q --state left --state-last-line leave log.1"), "d\t1\n");
  EXPECT_EQ(folder_.read("err"), "");
}

}  // namespace
}  // namespace mrc
