#include "cmd/check_runs.h"

#include "cmd/compile.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"

#include <errno.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mrc {
namespace {

std::string hard_lines() {
  std::string text =
      "a b c\n\n \t \n0 -1 1.5 9223372036854775807 -9223372036854775808\nnan inf 1e999\n";
  text +=
      "key\tvalue\nkey,\"va,lue\"\n{\"key\": [1, null]}\n\xC3\xA4\xFF\xFE\n" + std::string(3, '\0');
  text += "\n" + std::string(70000, 'x') + "\n";
  for (int i = 0; i < 3000; ++i)
    text += fmt::format("w{} {} {}.5\n", i % 97, i * 7919 % 1000, i % 13);
  return text + "the last one has no end";
}

// Returns as many records of a fixed size as the text has, and at least some.
std::string hard_records(size_t bytes) {
  constexpr size_t kLeast = 100;
  const std::string lines = hard_lines();
  std::string text = lines;
  while (text.size() < kLeast * bytes) text += lines;
  text.resize(text.size() / bytes * bytes);
  return text;
}

// Returns CSV with values of all types, and some that are none, in each of the fields.
std::string hard_rows(const std::string &header) {
  constexpr const char *kValues[] = {"1",
                                     "7",
                                     "-3",
                                     "0.5",
                                     "2026-11-03T10:00:00.25Z",
                                     "a b",
                                     "\"va,l\"\"e\"",
                                     "",
                                     "-",
                                     "1e999",
                                     "9223372036854775807",
                                     "w",
                                     "nan",
                                     "\xC3\xA4\xFF",
                                     "1699000000",
                                     "12ms",
                                     "03/Nov/2026:10:00:00 +0100"};
  constexpr int kRows = 3000;
  const auto columns = std::ranges::count(header, ',') + 1;
  std::string text = header + "\n";
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < columns; ++column) {
      // Most values are of the kind that the first ones show.
      const int any = row * 7919 + column * 31;
      const bool is_hard = row > 100 && any % 5 == 0;
      text += column > 0 ? "," : "";
      text += is_hard ? kValues[static_cast<size_t>(any) % std::size(kValues)]
                      : std::to_string(any % 97);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

Result<CheckFolder> CheckFolder::make() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string path = (parent / "mrc-check-XXXXXX").string();
  if (error || mkdtemp(path.data()) == nullptr) return Status::from_errno(path, errno);
  return CheckFolder(path);
}

CheckFolder::~CheckFolder() {
  std::error_code error;
  if (!path_.empty()) std::filesystem::remove_all(path_, error);
}

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

CheckSamples::CheckSamples(const std::vector<std::string> &given, const CheckFolder &folder,
                           i64 record_bytes, const std::string &header)
    : generated(given.empty()), paths(given) {
  constexpr size_t kMostLines = 10000;
  if (generated) {
    paths = {folder.path("generated")};
    std::ofstream(paths[0], std::ios::binary)
        << (record_bytes > 0  ? hard_records(static_cast<size_t>(record_bytes))
            : !header.empty() ? hard_rows(header)
                              : hard_lines());
  }
  for (const std::string &path : paths) inputs.push_back({path, read_file(path)});
  if (generated) return;
  for (const LawInput &input : inputs) {
    std::istringstream text(input.bytes);
    for (std::string line; lines.size() < kMostLines && std::getline(text, line);)
      lines.push_back(line);
  }
}

// Each run is a run of mrc run, in a process of its own. One of them has little memory, so that
// states go to disk. Some jobs rightly refuse to run with so little; they get more, until they have
// enough.

namespace {

using Arguments = std::vector<std::string>;

enum RunCode { kAnswered = 0, kFailed = 1, kWantsMemory = 2, kWantsInput = 3 };

struct RunEnd {
  bool answered = false, wants_memory = false, wants_input = false;
  i64 rows = 0;
  std::string order;   // expressions of all columns, for --by
  std::string answer;  // the answer, and the message about bad records
  std::string error;
};

// Collects messages about inputs that do not stop the job.
class Complaints : public Observer {
 public:
  void complain(const std::string &message) override { text += message + "\n"; }
  void progress(i64, i64) override {}
  void writing() override {}
  std::string text;
};

// Returns an order by expressions, for which reducers must show states that are not finished yet.
std::string order_by_all_columns(const Program &program) {
  std::vector<std::string> terms;
  const auto add = [&](const std::string &name, bool is_text) {
    if (name.find('"') != name.npos) return;
    terms.push_back(is_text ? fmt::format("length($\"{}\")", name)
                            : fmt::format("$\"{}\" + 0", name));
  };
  for (const KeyPart &part : program.shape.key.parts) add(part.name, !part.number);
  for (const Column &column : program.aggregation.columns) add(column.name, column.text);
  return fmt::format("{}", fmt::join(terms, ","));
}

// Runs in the child. Reports the number of rows, an order, and the message about bad records; or an
// error.
int run_words(const Arguments &words, const Reporter &report) {
  const auto fails = [&](const std::string &message) {
    report(message + "\n");
    return int{kFailed};
  };
  Ask ask;
  Compiled compiled;
  Status status = parse(*find_verb("run"), words, &ask);
  if (status.is_ok()) status = compile_verb(ask, &compiled);
  if (!status.is_ok()) return fails(status.message());
  const Plan plan = make_plan(compiled.program);
  if (!plan.unreadable.empty()) return fails(plan.unreadable.front());
  if (!plan.problem.is_ok()) return fails(plan.problem.message());
  Complaints complaints;
  const Result<Report> ran = run(compiled.program, plan, &complaints);
  if (!ran.is_ok()) {
    report(ran.status().message() + "\n");
    return ran.status().is_memory_error()  ? kWantsMemory
           : ran.status().is_input_error() ? kWantsInput
                                           : kFailed;
  }
  if (ran->partial) return fails(complaints.text);
  report(fmt::format("{}\n{}\n", ran->rows, order_by_all_columns(compiled.program)));
  if (ran->bad_records > 0) report(fmt::format("{} bad: {}\n", ran->bad_records, ran->first_bad));
  return kAnswered;
}

class Runs {
 public:
  Runs(const std::string &plugin, const std::string &job, const AskedPlugins &ask,
       const CheckSamples &samples, const CheckFolder &folder)
      : ask_(ask), answer_(folder.path("answer")) {
    words_ = {plugin, job, "--quiet", "--force-plugin", "-o", answer_};
    for (const std::string &setting : ask.settings) words_.insert(words_.end(), {"--set", setting});
    files_ = samples.paths;
  }

  RunEnd run(const Arguments &way) const {
    Arguments words = words_;
    words.insert(words.end(), way.begin(), way.end());
    words.push_back("--");
    words.insert(words.end(), files_.begin(), files_.end());
    const ChildEnd end =
        in_child(ask_.time_limit, [&](const Reporter &report) { return run_words(words, report); });
    RunEnd ended;
    ended.answered = end.whole && end.code() == kAnswered;
    ended.wants_memory = end.whole && end.code() == kWantsMemory;
    ended.wants_input = end.whole && end.code() == kWantsInput;
    if (!ended.answered) {
      ended.error = end.whole ? end.out : describe_end(end, ask_.time_limit);
      return ended;
    }
    std::istringstream said(end.out);
    said >> ended.rows >> std::ws;
    std::getline(said, ended.order);
    ended.answer = read_file(answer_) + std::string(std::istreambuf_iterator<char>(said), {});
    return ended;
  }

  // Runs with as little memory as the job accepts.
  RunEnd run_in_little_memory(Arguments *way) const {
    for (i64 kilobytes = 4;; kilobytes *= 8) {
      *way = {"-j2", "--split", "512", "--memory", fmt::format("{}K", kilobytes)};
      RunEnd end = run(*way);
      if (!end.wants_memory || kilobytes >= 1 << 20) return end;
    }
  }

 private:
  const AskedPlugins &ask_;
  std::string answer_;
  Arguments words_, files_;
};

// Returns the first line that differs, as two lines of the report.
std::string first_difference(const std::string &one, const std::string &other) {
  std::istringstream lines(one), others(other);
  std::string line, other_line;
  for (;;) {
    const bool more = static_cast<bool>(std::getline(lines, line));
    const bool others_more = static_cast<bool>(std::getline(others, other_line));
    if (!more) line = "(nothing more)";
    if (!others_more) other_line = "(nothing more)";
    if (line != other_line || (!more && !others_more)) break;
  }
  constexpr size_t kLongest = 200;
  return fmt::format("  {}\n  {}\n", line.substr(0, kLongest), other_line.substr(0, kLongest));
}

// Returns how other runs differ from the first one; "" if all give the same answer.
std::string difference_of(const Runs &runs, const Arguments &first_way, const RunEnd &first,
                          std::vector<Arguments> ways) {
  for (Arguments &way : ways) {
    const RunEnd end = way.empty() ? runs.run_in_little_memory(&way) : runs.run(way);
    if (end.answered && end.answer == first.answer) continue;
    const std::string difference =
        end.answered ? first_difference(first.answer, end.answer) : "  " + end.error;
    return fmt::format("its answer depends on how it is run; with {}, and with {}:\n{}",
                       fmt::join(first_way, " "), fmt::join(way, " "), difference);
  }
  return "";
}

// The order of rows by expressions must not depend on how the job is run, either.
std::string difference_in_order(const Runs &runs, const std::string &order) {
  if (order.empty()) return "";
  const Arguments way = {"-j1", "--by", order};
  const RunEnd ordered = runs.run(way);
  if (!ordered.answered) {
    return fmt::format("fails with {}: {}", fmt::join(way, " "), ordered.error);
  }
  return difference_of(runs, way, ordered, {{"-j4", "--split", "997", "--by", order}});
}

}  // namespace

CheckedRuns check_runs(const std::string &plugin, const std::string &job, const AskedPlugins &ask,
                       const CheckSamples &samples, const CheckFolder &folder) {
  using Verdict = CheckedRuns::Verdict;
  const Runs runs(plugin, job, ask, samples, folder);
  const Arguments first_way = {"-j1"};
  const RunEnd first = runs.run(first_way);
  if (first.wants_input) return {Verdict::nothing_compared, first.error};
  if (!first.answered) return {Verdict::broken, fmt::format("job {}: fails: {}", job, first.error)};
  if (first.rows == 0) return {Verdict::nothing_compared, "its answer has none\n"};
  const std::vector<Arguments> ways = {{"-j1", "--split", "61"},
                                       {"-j4", "--split", "997"},
                                       {"-j3", "--split", "4099", "--io", "mmap"},
                                       {}};
  std::string difference = difference_of(runs, first_way, first, ways);
  if (difference.empty()) difference = difference_in_order(runs, first.order);
  if (!difference.empty()) {
    return {Verdict::broken, fmt::format("job {}: {}", job, difference)};
  }
  return {Verdict::same,
          fmt::format("job {}: compared {} row{}: the same in {} ways of running it\n", job,
                      first.rows, first.rows == 1 ? "" : "s", 1 + ways.size())};
}

}  // namespace mrc
