#include "input/inner/child_program.h"
#include "support/random.h"
#include "support/seed.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

std::string script(const std::string &form) {
  const Result<std::string> made = script_of(form);
  return made.is_ok() ? *made : "error";
}

TEST(InputCommand, HasTheNameForEachPlace) {
  EXPECT_EQ(script("cat {}"), "cat \"$1\"");
  EXPECT_EQ(script("cat {} {}"), "cat \"$1\" \"$1\"");
  EXPECT_EQ(script("aws s3 cp s3://b/{}.gz -"), "aws s3 cp s3://b/\"$1\".gz -");
  EXPECT_EQ(script("cat $(dirname {})/x"), "cat $(dirname \"$1\")/x");
  EXPECT_EQ(script("x={}; cat \"${x#a'}\""), "x=\"$1\"; cat \"${x#a'}\"");
}

TEST(InputCommand, HasTheNameAtTheEndIfTheFormDoesNotSayWhere) {
  EXPECT_EQ(script("zcat"), "zcat \"$1\"");
  EXPECT_EQ(script("awk '{print $1}'"), "awk '{print $1}' \"$1\"");
  EXPECT_EQ(script("awk \"{print \\$1}\""), "awk \"{print \\$1}\" \"$1\"");
  EXPECT_EQ(script("echo ${10} $# \\{}"), "echo ${10} $# \\{} \"$1\"");
}

TEST(InputCommand, MayTakeTheNameAsTheShellHasIt) {
  for (const char *form : {"cat \"$1\"", "cat \"${1}\"", "cat \"$@\"", "cat \"${1#x}\"", "cat $*",
                           "tr '{}' '()' <\"$1\""}) {
    const bool has_place = std::string(form).find("{}") != std::string::npos;
    EXPECT_EQ(script(form), has_place ? "error" : form);
  }
}

TEST(InputCommand, IsRefusedWithAPlaceInQuotes) {
  for (const char *form : {"echo '{}'", "echo \"{}\"", "sh -c 'cat {}'", "echo \"a'{}'\"",
                           "echo \"\\\"{}\"", "cat {} '{}'"}) {
    EXPECT_EQ(script(form), "error") << form;
  }
  EXPECT_NE(script_of("echo '{}'").status().message().find("as in 'zcat {}'"), std::string::npos);
}

// A script has nothing of a name: it is the same for all of them. What it has besides the form is
// the parameter, in quotes of its own. (No form has a $1, which might seem to be the parameter.)
TEST(InputCommand, AddsNothingButTheParameter) {
  Random random(first_seed());
  for (int i = 0; i < 20000; ++i) {
    std::string form;
    static const std::vector<std::string> kPieces = {"{}", "'", "\"", "\\", "$", "2", "{", "}",
                                                     "x",  " ", "`",  "#",  "(", ")", "@", "\n"};
    for (i64 n = pick(random, 1, 8); n > 0; --n) form += one_of(random, kPieces);
    const std::string made = script(form);
    if (made == "error") continue;
    std::string back = made;
    for (size_t at; (at = back.find("\"$1\"")) != std::string::npos;) back.replace(at, 4, "{}");
    EXPECT_TRUE(back == form || back == form + " {}") << form << " became " << made;
  }
}

}  // namespace
}  // namespace mrc
