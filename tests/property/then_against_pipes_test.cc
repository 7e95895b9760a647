// A then B against A --to json | B -f json: random verbs and options over random records give the
// same bytes and the same status, with any threads, splits and memory.
#include "support/process.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

using std::string;
using std::vector;

#ifdef MRC_SANITIZED
constexpr int kPairs = 60;
#else
constexpr int kPairs = 400;
#endif

// A stage as it is typed after `then`, and as it is typed after a pipe.
struct Typed {
  string chained, piped;
  void add(const string &text) {
    chained += text;
    piped += text;
  }
  // Adds a name to both jobs as an operand of an expression.
  void add_operand(const string &name) {
    chained += name;
    piped += name.find(':') == string::npos ? name : "$\"" + name + "\"";
  }
  void add_column(const string &name) {
    chained += name;
    piped += name.find(':') == string::npos ? name : "\"" + name + "\"";
  }
};

struct Rows {
  string command;
  vector<string> columns;
  string from = " -f csv --header-in yes in";
};

string value(Random &random) {
  static const vector<string> kTexts = {
      "",     "-",   "x",  "a b", "tab\there", "back\\slash",  "\\N",
      "über", "a,b", "it", "N",   "x:y",       "\xEF\xBB\xBFx"};
  return one_of(random, kTexts);
}

string number(Random &random) {
  static const vector<string> kNumbers = {
      "0", "1", "-2", "2.50", "1e3", "", "-", "007", "12345678901234567890"};
  return one_in(random, 8) ? value(random) : one_of(random, kNumbers);
}

string csv_cell(const string &text) {
  string out = "\"";
  for (char c : text) out += c == '"' ? string("\"\"") : string(1, c);
  return out + "\"";
}

// Columns a (text), b (numbers, mostly), t (times), p (paths).
string records(Random &random) {
  string text = "a,b,t,p\n";
  const i64 size = one_in(random, 6) ? pick(random, 0, 2) : pick(random, 20, 1500);
  for (i64 i = 0; i < size; ++i) {
    string a = one_in(random, 40) ? "line\nend" : value(random);
    text += csv_cell(a) + "," + csv_cell(number(random)) + ",2026-01-0" +
            std::to_string(pick(random, 1, 9)) + "T0" + std::to_string(pick(random, 0, 9)) +
            ":30:00Z,/p" + std::to_string(pick(random, 0, 300)) + "/x\n";
  }
  return text;
}

// What is joined with these: columns k (values of all kinds), rt, rb.
string other_records(Random &random) {
  string text = "k,rt,rb\n";
  for (i64 i = pick(random, 0, 40); i > 0; --i) {
    const string key = one_in(random, 3)   ? "/p" + std::to_string(pick(random, 0, 300)) + "/x"
                       : one_in(random, 2) ? number(random)
                                           : value(random);
    text += csv_cell(key) + "," + csv_cell(value(random)) + "," + csv_cell(number(random)) + "\n";
  }
  return text;
}

string kind_of_join(Random &random) {
  static const vector<string> kKinds = {"", " --left", " --full", " --anti", " --semi"};
  return one_of(random, kKinds) + (one_in(random, 2) ? " --stable" : "");
}

bool prints_right(const string &kind) {
  return kind.find("--anti") == string::npos && kind.find("--semi") == string::npos;
}

constexpr const char *kOther = " --right-from csv --right-header-in yes ";

string list_of(const vector<string> &all) {
  string text;
  for (const string &one : all) text += (text.empty() ? "" : ",") + one;
  return text;
}

vector<string> some_of(Random &random, const vector<string> &all, i64 most) {
  vector<string> some;
  for (i64 i = pick(random, 1, most); i > 0; --i) {
    const string one = one_of(random, all);
    if (std::find(some.begin(), some.end(), one) == some.end()) some.push_back(one);
  }
  return some;
}

const vector<string> kKeys = {"a", "b", "p", "t:day", "t:hour", "b:10", "p:dir"};
const vector<string> kAggregates = {"count",      "count:b", "sum:b",    "mean:b",   "min:b",
                                    "max:b",      "first:a", "last:a",   "unique:a", "mode:a",
                                    "distinct:p", "p50:b",   "stddev:b", "min:t",    "range:b",
                                    "share",      "share:b", "p95i:b",   "top2:p"};

// The first stage, which makes rows.
Rows make_rows(Random &random) {
  const vector<string> keys = some_of(random, kKeys, 3);
  switch (pick(random, 0, 7)) {
    case 7: {
      const string kind = kind_of_join(random), key = one_in(random, 3) ? "a" : "p";
      const bool both = prints_right(kind);
      return {"join -k " + key + "=k" + kind + " --left-fields b,t" +
                  (both && one_in(random, 2) ? " --right-fields rt,rb" : ""),
              both ? vector<string>{key, "b", "t", "rt", "rb"} : vector<string>{key, "b", "t"},
              " -f csv --header-in yes" + string(kOther) + "in other"};
    }
    case 0:
      return {"count -k " + list_of(keys), [&] {
                vector<string> columns = keys;
                columns.push_back("count");
                return columns;
              }()};
    case 1: return {"distinct -k " + list_of(keys), keys};
    case 2:
      return {"select -k " + list_of(keys) + (one_in(random, 2) ? " -w 'b > 0'" : "") +
                  (one_in(random, 3) ? " --tail 9" : "") + (one_in(random, 3) ? " --tac" : ""),
              keys};
    case 3: return {"hist b", {"from", "to", "count"}};
    case 4: return {"wordcount", {"word", "count"}, " in"};
    default: break;
  }
  vector<string> columns = one_in(random, 8) ? vector<string>() : keys;
  string command = "stats";
  if (!columns.empty()) command += " -k " + list_of(columns);
  const vector<string> aggregates = some_of(random, kAggregates, 4);
  command += " -a " + list_of(aggregates);
  columns.insert(columns.end(), aggregates.begin(), aggregates.end());
  if (one_in(random, 4)) command += " --by " + one_of(random, columns);
  if (one_in(random, 4)) command += " --top " + std::to_string(pick(random, 0, 20));
  return {command, columns};
}

void add_columns(Random &random, const vector<string> &columns, Typed *stage) {
  bool first = true;
  for (const string &column : some_of(random, columns, 2)) {
    if (!first) stage->add(",");
    first = false;
    stage->add_column(column);
  }
}

// A later stage: what follows its verb and, if it reads fields, -f json.
struct Stage {
  string verb;
  bool reads_fields = true;
  Typed rest = {};
  vector<string> columns = {};  // of rows it makes; none: they are no rows
};

// Of the stage before, which is LEFT, and a file.
Stage make_join(Random &random, const vector<string> &columns) {
  Stage stage{"join"};
  const string kind = kind_of_join(random), key = one_of(random, columns);
  vector<string> fields = some_of(random, columns, 2);
  std::erase(fields, key);
  stage.columns.push_back(key);
  stage.rest.add(kind + " -k '");
  stage.rest.add_column(key);
  stage.rest.add("=k'");
  for (const string &field : fields) {
    stage.rest.add(" --left-fields '");
    stage.rest.add_column(field);
    stage.rest.add("'");
    stage.columns.push_back(field);
  }
  if (fields.empty()) {
    stage.rest.add(" --left-fields '");
    stage.rest.add_column(key);
    stage.rest.add("'");
    stage.columns.push_back(key + "_2");
  }
  if (prints_right(kind)) stage.columns.insert(stage.columns.end(), {"rt", "rb"});
  stage.rest.add(string(kOther) + "- other");
  return stage;
}

Stage make_stage(Random &random, const vector<string> &columns) {
  Stage stage;
  Typed &rest = stage.rest;
  const string column = one_of(random, columns);
  switch (pick(random, 0, 10)) {
    case 10: return make_join(random, columns);
    case 0: return {"grep", false, {" -e 1", " -e 1"}};
    case 1: return {"wordcount", false};
    case 2:
      stage.verb = "sort";
      rest.add(" -k '");
      rest.add_column(column);
      rest.add(one_in(random, 2) ? ":num:desc'" : "'");
      return stage;
    case 3: return {"sort"};
    case 4:
      stage.verb = one_in(random, 2) ? "count" : "distinct";
      if (one_in(random, 2)) {
        rest.add(" -k '");
        add_columns(random, columns, &rest);
        rest.add("'");
      }
      if (stage.verb == "distinct" && one_in(random, 2)) rest.add(" --stable");
      return stage;
    case 5:
      stage.verb = "select";
      rest.add(" -w '");
      rest.add_operand(column);
      rest.add(one_in(random, 2) ? ":num > 1'" : " != \"x\"'");
      if (one_in(random, 2)) rest.add(one_in(random, 2) ? " --top 3" : " --tail 3");
      if (one_in(random, 3)) rest.add(" --tac");
      return stage;
    case 6:
      stage.verb = "select";
      rest.add(" -k '");
      add_columns(random, columns, &rest);
      rest.add(one_in(random, 2) ? "'" : "' --to json");
      return stage;
    case 7:
      stage.verb = "hist";
      rest.add(" '");
      rest.add_column(column);
      rest.add("'");
      stage.columns = {"from", "to", "count"};
      return stage;
    default: break;
  }
  stage.verb = "stats";
  if (!one_in(random, 5)) {
    rest.add(" -k '");
    rest.add_column(column);
    rest.add("'");
    stage.columns.push_back(column);
  }
  static const vector<string> kFunctions = {"sum",    "count", "mean", "first", "last",
                                            "unique", "max",   "min",  "mode",  "distinct"};
  rest.add(" -a 'count");
  stage.columns.push_back("count");
  for (i64 i = pick(random, 0, 2); i > 0; --i) {
    const string function = one_of(random, kFunctions), of = one_of(random, columns);
    // The sum of times is an error.
    if (function == "sum" && of.ends_with("t")) continue;
    rest.add("," + function + ":");
    rest.add_column(of);
    if (std::find(stage.columns.begin(), stage.columns.end(), function + ":" + of) ==
        stage.columns.end()) {
      stage.columns.push_back(function + ":" + of);
    }
  }
  rest.add("'");
  return stage;
}

class Chains : public testing::Test {
 protected:
  // What a command prints, and its status; of a pipe the first error counts, as in a chain.
  string answer(const string &command) {
    const string script = "{ " + command + "; } > out 2> err; s=(${PIPESTATUS[@]}); exit ${s[0]}";
    const string checked = "cd " + folder_.path(".") + " && bash -c " + in_quotes_of_shell(script);
    const int status = WEXITSTATUS(run_shell(checked));
    return status == 2 ? "error" : folder_.read("out") + "\nstatus " + std::to_string(status);
  }
  static string in_pipe(const string &commands) {
    return commands +
           "; s=(${PIPESTATUS[@]}); for one in ${s[@]}; do [ $one != 2 ] || exit 2; done; "
           "(exit ${s[-1]})";
  }
  static string in_quotes_of_shell(const string &text) {
    string out = "'";
    for (char c : text) out += c == '\'' ? string("'\\''") : string(1, c);
    return out + "'";
  }

  TemporaryFolder folder_;
  static inline const vector<string> kConfigurations = {
      "", "-j1 ", "-j3 --split 7 ", "-j2 --split 300 --memory 4K ", "-j4 --io mmap --split 64K "};
};

TEST_F(Chains, OfTwoStagesAreTwoProcessesAndAPipe) {
  Random random(20261124);
  int answers = 0;
  for (int round = 0; round < kPairs; ++round) {
    folder_.write("in", records(random));
    folder_.write("other", other_records(random));
    const Rows first = make_rows(random);
    const Stage second = make_stage(random, first.columns);
    const string &from = first.from;
    const string piped = "$MRC " + first.command + " --to json -q" + from + " | $MRC " +
                         second.verb + (second.reads_fields ? " -f json" : "") + second.rest.piped;
    const string chained = "$MRC " + first.command + from + " then " + second.verb + " " +
                           one_of(random, kConfigurations) + second.rest.chained;
    const string printed = answer(chained);
    ASSERT_EQ(printed, answer(in_pipe(piped))) << round << "\n" << chained << "\n" << piped;
    answers += printed != "error";
  }
  EXPECT_GT(answers, kPairs * 2 / 3);
}

TEST_F(Chains, OfThreeStagesAreThreeProcesses) {
  Random random(42);
  for (int round = 0; round < kPairs / 5; ++round) {
    folder_.write("in", records(random));
    folder_.write("other", other_records(random));
    const Rows first = make_rows(random);
    Stage second = make_stage(random, first.columns);
    while (second.columns.empty()) second = make_stage(random, first.columns);
    const Stage third = make_stage(random, second.columns);
    const string &from = first.from;
    const string piped = "$MRC " + first.command + " --to json -q" + from + " | $MRC " +
                         second.verb + " -f json --to json" + second.rest.piped + " | $MRC " +
                         third.verb + (third.reads_fields ? " -f json" : "") + third.rest.piped;
    const bool files_last = from == " in" && third.verb != "join";
    const string line = "$MRC " + first.command + (files_last ? " " : from + " ") +
                        one_of(random, kConfigurations) + " then " + second.verb +
                        second.rest.chained + " then " + third.verb + third.rest.chained +
                        (files_last ? " in" : "");
    ASSERT_EQ(answer(line), answer(in_pipe(piped))) << round << "\n" << line << "\n" << piped;
  }
}

}  // namespace
}  // namespace mrc
