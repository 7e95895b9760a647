// grep against a page of obvious code: line by line, by RE2 and by looking at every
// substring where words are asked for. The same bytes with any threads, splits and memory,
// from files and fifos.
#include "engine/engine.h"
#include "output/grep_text.h"
#include "support/fed_fifos.h"
#include "support/silent_observer.h"
#include "support/temporary_folder.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>
#include <re2/re2.h>
#include <unistd.h>

namespace mrc {
namespace {

using std::string;
using std::vector;
using Answer = GrepSpec::Answer;

#ifdef MRC_SANITIZED
constexpr int kRounds = 150;
#else
constexpr int kRounds = 1500;
#endif

// Only ASCII: what a word and a character is beyond is tested with the matcher.
bool is_word_char(char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

struct Naive {
  const GrepSpec &spec;
  vector<std::unique_ptr<RE2>> programs;

  explicit Naive(const GrepSpec &the_spec) : spec(the_spec) {
    RE2::Options options;
    options.set_case_sensitive(!spec.pattern.ignore_case);
    options.set_literal(spec.pattern.fixed);
    options.set_dot_nl(true);
    options.set_log_errors(false);
    for (const string &pattern : spec.pattern.patterns) {
      programs.push_back(std::make_unique<RE2>(pattern, options));
    }
  }
  bool ok() const {
    return std::all_of(programs.begin(), programs.end(), [](const auto &p) { return p->ok(); });
  }

  bool matches_part(const string &line, size_t begin, size_t end) const {
    if (begin > 0 && is_word_char(line[begin - 1])) return false;
    if (end < line.size() && is_word_char(line[end])) return false;
    return std::any_of(programs.begin(), programs.end(), [&](const auto &program) {
      return program->Match(line, begin, end, RE2::ANCHOR_BOTH, nullptr, 0);
    });
  }
  bool matches(const string &line) const {
    if (!spec.pattern.word) {
      return std::any_of(programs.begin(), programs.end(),
                         [&](const auto &program) { return RE2::PartialMatch(line, *program); });
    }
    for (size_t begin = 0; begin <= line.size(); ++begin) {
      for (size_t end = begin; end <= line.size(); ++end) {
        if (matches_part(line, begin, end)) return true;
      }
    }
    return false;
  }

  string grep(const vector<string> &names, const vector<string> &inputs) const {
    string out;
    i64 all = 0;
    for (size_t input = 0; input < inputs.size(); ++input) {
      const string prefix = spec.names ? names[input] + ":" : "";
      i64 number = 0, found = 0;
      for (size_t at = 0; at < inputs[input].size();) {
        const size_t end =
            std::min(inputs[input].find(spec.pattern.terminator, at), inputs[input].size());
        const string line = inputs[input].substr(at, end - at);
        at = end + 1;
        ++number;
        if (matches(line) == spec.invert || found == spec.of_each || all == spec.of_all) continue;
        ++found;
        ++all;
        if (spec.answer != Answer::lines) continue;
        out += prefix + (spec.numbers ? std::to_string(number) + ":" : "") + line;
        out += spec.pattern.terminator;
      }
      if (spec.answer == Answer::counts) out += prefix + std::to_string(found);
      if (spec.answer == Answer::inputs && found > 0) out += names[input];
      if (spec.answer == Answer::counts || (spec.answer == Answer::inputs && found > 0)) {
        out += spec.pattern.terminator;
      }
    }
    return out;
  }
};

using Random = std::mt19937_64;

GrepSpec random_spec(Random *random) {
  auto one_in = [&](u64 n) { return (*random)() % n == 0; };
  GrepSpec spec;
  PatternSpec &pattern = spec.pattern;
  pattern.fixed = one_in(4);
  pattern.ignore_case = one_in(4);
  pattern.word = one_in(4);
  if (one_in(6)) pattern.terminator = '\0';
  const vector<string> pieces = {"a",   "ab",     "b",   "abc",  ".",   "[ab]", "[^a]",
                                 "a|",  "(a|bc)", "*",   "+",    "?",   "^",    "$",
                                 "\\b", "\\s",    "\\w", "b{2}", "\\.", " "};
  for (u64 patterns = 1 + (*random)() % 3 / 2; patterns > 0; --patterns) {
    pattern.patterns.push_back(random_text(random, pieces, (*random)() % 6));
  }
  spec.invert = one_in(4);
  spec.numbers = one_in(3);
  spec.names = one_in(2);
  spec.answer = one_in(3) ? Answer::counts : one_in(6) ? Answer::inputs : Answer::lines;
  if (one_in(4)) spec.of_each = static_cast<i64>((*random)() % 10);
  if (one_in(6) && spec.answer == Answer::lines) spec.of_all = static_cast<i64>((*random)() % 15);
  return spec;
}

class GrepAgainstNaive : public testing::Test {
 protected:
  // Writes the inputs, as files or fifos.
  void offer(Random *random) {
    for (size_t i = 0; i < 1 + (*random)() % 3; ++i) {
      names_.push_back(folder_.path("in" + std::to_string(i)));
      inputs_.push_back(
          random_text(random, {"a", "b", "c", "ab", ".", " ", "\n", "\n", string(1, '\0'), "_"},
                      (*random)() % 400));
      unlink(names_.back().c_str());
      if ((*random)() % 5 > 0) {
        folder_.write("in" + std::to_string(i), inputs_.back());
        continue;
      }
      fifos_.feed(names_.back(), inputs_.back());
    }
  }
  void end_feeding() {
    fifos_.end();
    names_.clear();
    inputs_.clear();
  }

  string grep(const GrepSpec &spec, Random *random) {
    Job job;
    job.inputs = names_;
    job.output = folder_.path("out");
    job.map.records = MapSpec::Records::lines;
    job.map.terminator = spec.pattern.terminator;
    job.threads = static_cast<i64>(1 + (*random)() % 5);
    job.split_bytes = static_cast<i64>(1 + (*random)() % 300);
    if ((*random)() % 3 == 0) job.memory = static_cast<i64>(1 + (*random)() % 4000);
    if ((*random)() % 3 == 0) job.io = IoMode::mmap;
    const Scanner *scanner = runnable_scanners()[(*random)() % 3];
    Result<std::unique_ptr<Transformer>> made =
        make_grep(spec, scanner == nullptr ? best_scanner() : *scanner);
    if (!made.is_ok()) return "bad pattern: " + made.status().message();
    job.transform = std::move(*made);
    SilentObserver observer;
    Result<Report> report = run(job, make_plan(job), &observer);
    return report.is_ok() ? folder_.read("out") : report.status().message();
  }

  TemporaryFolder folder_;
  vector<string> names_, inputs_;
  FedFifos fifos_;
};

TEST_F(GrepAgainstNaive, PrintsTheSameBytes) {
  signal(SIGPIPE, SIG_IGN);
  Random random(first_seed());
  int checked = 0;
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    const GrepSpec spec = random_spec(&random);
    SCOPED_TRACE(testing::Message()
                 << "MRC_SEED=" << first_seed() << " round " << round << ": "
                 << testing::PrintToString(spec.pattern.patterns) << " F" << spec.pattern.fixed
                 << " i" << spec.pattern.ignore_case << " w" << spec.pattern.word << " v"
                 << spec.invert << " n" << spec.numbers);
    const Naive naive(spec);
    if (!naive.ok()) continue;
    offer(&random);
    EXPECT_EQ(grep(spec, &random), naive.grep(names_, inputs_));
    end_feeding();
    ++checked;
  }
  EXPECT_GT(checked, kRounds / 3);
}

}  // namespace
}  // namespace mrc
