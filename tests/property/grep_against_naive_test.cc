// grep against a page of obvious code: line by line, by RE2, without the bytes that are no
// characters, and by looking at every substring where words are asked for. The same bytes with any
// threads, splits and memory, from files and fifos.
#include "base/text.h"
#include "engine/engine.h"
#include "output/record_text.h"
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

u8 byte_of(const string &text, size_t at) { return static_cast<u8>(text[at]); }

// The character at `at` and its size; 0: there is none.
u32 naive_character(const string &text, size_t at, size_t *size) {
  const u32 lead = byte_of(text, at);
  *size = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + *size > text.size()) *size = 0;
  if (*size <= 1) return lead;
  u32 code = lead & (0x7F >> *size);
  bool good = lead < 0xF8;
  for (size_t i = 1; i < *size; ++i) {
    good &= (byte_of(text, at + i) & 0xC0) == 0x80;
    code = code << 6 | (byte_of(text, at + i) & 0x3F);
  }
  const size_t needed = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (!good || needed != *size || surrogate || code > 0x10FFFF) *size = 0;
  return code;
}

bool is_text(const string &text) {
  for (size_t at = 0, size = 0; at < text.size(); at += size) {
    naive_character(text, at, &size);
    if (size == 0) return false;
  }
  return true;
}

// Bytes that are no characters become one that is none to RE2 either.
string without_other_bytes(string text) {
  for (size_t at = 0, size = 0; at < text.size(); at += std::max<size_t>(size, 1)) {
    naive_character(text, at, &size);
    if (size == 0) text[at] = '\xFF';
  }
  return text;
}

bool is_word_char(u32 code) {
  if (code >= 0x80) return is_letter_outside_ascii(code);
  return code == '_' || isalnum(static_cast<int>(code)) != 0;
}

bool word_goes_on(const string &line, size_t at) {
  for (size_t begin = at >= 4 ? at - 4 : 0, size = 0; begin < at; ++begin) {
    const u32 code = naive_character(line, begin, &size);
    if (size > 0 && begin + size == at && is_word_char(code)) return true;
  }
  return false;
}

struct Naive {
  const GrepSpec &spec;
  vector<std::unique_ptr<RE2>> programs;
  bool by_bytes = false;  // the patterns are not text

  explicit Naive(const GrepSpec &the_spec) : spec(the_spec) {
    RE2::Options options;
    for (const string &pattern : spec.pattern.patterns) by_bytes |= !is_text(pattern);
    if (by_bytes) options.set_encoding(RE2::Options::EncodingLatin1);
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
    size_t after = 0;
    if (word_goes_on(line, begin)) return false;
    if (end < line.size() && is_word_char(naive_character(line, end, &after)) && after > 0) {
      return false;
    }
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
      const bool within = begin < line.size() && (byte_of(line, begin) & 0xC0) == 0x80;
      for (size_t end = begin; end <= line.size() && !within; ++end) {
        if (matches_part(line, begin, end)) return true;
      }
    }
    return false;
  }

  // What -o prints of a line, by its only pattern.
  string parts(const string &line, const string &searched, const string &prefix) const {
    string out;
    re2::StringPiece found;
    for (size_t from = 0; from <= line.size();) {
      const size_t size = searched.size();
      if (!programs[0]->Match(searched, from, size, RE2::UNANCHORED, &found, 1)) break;
      const auto begin = static_cast<size_t>(found.data() - searched.data());
      from = begin + found.size() + found.empty();
      if (found.empty()) continue;
      const string part = line.substr(begin, found.size());
      EXPECT_TRUE(by_bytes || is_text(part));
      out += prefix + part + spec.pattern.terminator;
    }
    return out;
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
        const string searched = by_bytes ? line : without_other_bytes(line);
        if (matches(searched) == spec.invert || found == spec.of_each || all == spec.of_all)
          continue;
        ++found;
        ++all;
        if (spec.answer != Answer::lines) continue;
        const string all_prefix = prefix + (spec.numbers ? std::to_string(number) + ":" : "");
        if (!spec.only_matching) {
          out += all_prefix + line + spec.pattern.terminator;
        } else if (!spec.invert) {
          out += parts(line, searched, all_prefix);
        }
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
  const vector<string> pieces = {"a",   "ab", "b", "abc",   ".",   "[ab]", "[^a]", "a|",  "(a|bc)",
                                 "*",   "+",  "?", "^",     "$",   "\\b",  "\\s",  "\\w", "b{2}",
                                 "\\.", " ",  "ü", "[ü-’]", "\\W", "\\pL", "[^ü]"};
  for (u64 patterns = 1 + (*random)() % 3 / 2; patterns > 0; --patterns) {
    pattern.patterns.push_back(random_text(random, pieces, (*random)() % 6));
  }
  if (one_in(12) && !pattern.word && pattern.patterns.size() == 1) pattern.patterns[0] += "\xFF";
  spec.only_matching = one_in(3) && !pattern.word && pattern.patterns.size() == 1;
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
      inputs_.push_back(random_text(
          random, {"a", "b", "c", "ab", ".", " ", "\n", "\n", string(1, '\0'), "_", "ü"},
          (*random)() % 400));
      // Some have bytes that are no characters, among them what RE2 takes for some.
      if ((*random)() % 2 == 0) {
        const vector<string> odd = {"\xFF",         "\xC3", "\xBC", "\xED\xA0\x80",
                                    "\xE0\x80\xAF", "’",    "ü"};
        for (u64 n = (*random)() % 20; n > 0; --n) {
          inputs_.back().insert((*random)() % (inputs_.back().size() + 1),
                                odd[(*random)() % odd.size()]);
        }
      }
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
    Program program;
    program.inputs = names_;
    program.output = folder_.path("out");
    program.map.records = MapSpec::Records::lines;
    program.map.terminator = spec.pattern.terminator;
    program.threads = static_cast<i64>(1 + (*random)() % 5);
    program.split_bytes = static_cast<i64>(1 + (*random)() % 300);
    if ((*random)() % 3 == 0) program.memory = static_cast<i64>(1 + (*random)() % 4000);
    if ((*random)() % 3 == 0) program.io = IoMode::mmap;
    const Scanner *scanner = runnable_scanners()[(*random)() % 3];
    Result<std::unique_ptr<Transformer>> made =
        make_grep(spec, scanner == nullptr ? best_scanner() : *scanner);
    if (!made.is_ok()) return "bad pattern: " + made.status().message();
    program.stage = &kTextStage;
    program.transform = std::move(*made);
    SilentObserver observer;
    Result<Report> report = run(program, make_plan(program), &observer);
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
    EXPECT_EQ(grep(spec, &random), naive.grep(names_, inputs_)) << testing::PrintToString(inputs_);
    end_feeding();
    ++checked;
  }
  EXPECT_GT(checked, kRounds / 3);
}

}  // namespace
}  // namespace mrc
