// One condition means the same wherever it stands: in --where, in the brackets of an aggregate, in
// an expression, in a later stage, and, on columns, in --having.
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

constexpr int kRecords = 300;

// A field and literals to compare it with.
struct Field {
  string name;
  vector<string> literals;
  bool ordered = true;
};

class ConditionsEverywhere : public testing::Test {
 protected:
  ConditionsEverywhere() : random_(first_seed()) {
    string text = "id,n,t,level,ip,word\n";
    static const vector<string> kLevels = {"INFO", "WARN", "error", "E", "debug", "", "-"};
    static const vector<string> kWords = {"GET", "a b", "it's", "x,y", "10"};
    for (int i = 0; i < kRecords; ++i) {
      text += fmt::format(
          "{},{},{},{},{},\"{}\"\n", i,
          one_in(random_, 9) ? string("none")
                             : fmt::format("{}.{}", random_() % 2000, random_() % 9),
          one_in(random_, 9) ? string("-")
                             : fmt::format("2026-{:02}-{:02}T{:02}:{:02}:00Z", 1 + random_() % 12,
                                           1 + random_() % 28, random_() % 24, random_() % 60),
          one_of(random_, kLevels),
          one_in(random_, 9) ? string("host")
                             : fmt::format("192.0.{}.{}", random_() % 4, random_() % 256),
          one_of(random_, kWords));
    }
    folder_.write("in", text);
  }

  string literal_of(const Field &field) { return one_of(random_, field.literals); }

  string test() {
    static const vector<Field> kFields = {
        {"n", {"5", "1k", "1.5", "0x1f", "1_000", "'1000'", "999.8"}},
        {"t", {"2026-06", "2026-06-15", "2026-06-15T12:00", "'2026-03-01'", "now"}},
        {"level", {"'warn'", "'ERROR'", "'i'"}},
        {"ip", {"192.0.2.0/24", "192.0.1.77", "192.0.0.0/23"}},
        {"word", {"'GET'", "\"it's\"", "'x,y'"}, false}};
    const Field &field = one_of(random_, kFields);
    const u64 form = random_() % 6;
    if (form == 0) return fmt::format("has({})", field.name);
    if (form == 1) {
      return fmt::format("{} in ({}, {})", field.name, literal_of(field), literal_of(field));
    }
    if (form == 2 && field.ordered) {
      return fmt::format("{} between {} and {}", field.name, literal_of(field), literal_of(field));
    }
    if (form == 3) return fmt::format("{} =~ '^[0-9a-fG]+'", field.name);
    static const vector<string> kSigns = {"==", "!=", "<", "<=", ">", ">="};
    const size_t sign = random_() % (field.ordered ? kSigns.size() : 2);
    return fmt::format("{} {} {}", field.name, kSigns[sign], literal_of(field));
  }
  string condition() {
    const string a = test(), b = test();
    switch (random_() % 4) {
      case 0: return a;
      case 1: return fmt::format("not ({})", a);
      case 2: return fmt::format("{} and {}", a, b);
      default: return fmt::format("{} or {}", a, b);
    }
  }

  string run(const string &job, const string &condition) {
    folder_.write("job", "$MRC " + job + " 2>err\n");
    string quoted;
    for (const char c : condition) quoted += c == '\'' ? string("'\\''") : string(1, c);
    const int status =
        run_shell(fmt::format("cd {} && C='{}' sh job >out", folder_.path("."), quoted));
    EXPECT_EQ(WEXITSTATUS(status), 0) << job << "\n" << condition << "\n" << folder_.read("err");
    return folder_.read("out");
  }

  TemporaryFolder folder_;
  Random random_;
};

TEST_F(ConditionsEverywhere, SelectTheSame) {
  for (int i = 0; i < 40 * rounds(); ++i) {
    const string c = condition();
    SCOPED_TRACE(c);
    const string selected = run("select -w \"$C\" -k id in", c);
    EXPECT_EQ(run("select then select -w \"$C\" -k id in", c), selected);
    EXPECT_EQ(run("select -k id,n,t,level,ip,word then select -w \"$C\" -k id in", c), selected);
    EXPECT_EQ(run("select -k \"id,c=($C)\" then select -w 'c == 1' -k id in", c), selected);
    EXPECT_EQ(run("stats -k id -a \"n=count[$C]\" --having 'n == 1' then select -k id "
                  "then sort -k id:num then select -k id in",
                  c),
              selected);
    EXPECT_EQ(
        run("stats -k id -a n=first:n,t=first:t,level=first:level,ip=first:ip,word=first:word "
            "--having \"$C\" then select -k id then sort -k id:num then select -k id in",
            c),
        selected);
  }
}

}  // namespace
}  // namespace mrc
