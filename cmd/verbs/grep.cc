// mrc grep: prints the lines that match a pattern, in the order of the input.
#include "cmd/compile.h"
#include "cmd/values.h"
#include "fields/line_reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace mrc {
namespace {

using Answer = GrepSpec::Answer;

// Patterns are separated by newlines, as in grep(1).
void add_patterns(const std::string &text, GrepSpec *grep) {
  std::vector<std::string> *patterns = &grep->pattern.patterns;
  for (size_t at = 0;;) {
    const size_t end = text.find('\n', at);
    patterns->push_back(text.substr(at, end - at));
    if (end == std::string::npos) return;
    at = end + 1;
  }
}

// The value of -f becomes a newline and the patterns, each with one after it, so that states and
// other processes have the patterns themselves. Windows ends lines with \r, too, which is in no
// line that is searched.
Result<std::string> read_patterns(Ask *, const std::string &path) {
  if (path.starts_with('\n')) return path;  // they are read already
  errno = 0;
  std::ifstream file(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  std::string patterns = "\n";
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    patterns += line + '\n';
  }
  if (!file.is_open() || file.bad()) return Status::from_errno(path, errno == 0 ? EIO : errno);
  return patterns;
}
Status add_patterns_of_file(Ask *ask, const std::string &text) {
  ask->grep.has_file = true;
  if (text.size() > 1) add_patterns(text.substr(1, text.size() - 2), &ask->grep.spec);
  return Status::ok();
}

template <Answer answer>
Status set_answer(Ask *ask, const std::string &) {
  // The option that prints less wins, as in grep(1): -q, then -l, then -c.
  ask->grep.spec.answer = std::max(ask->grep.spec.answer, answer);
  return Status::ok();
}

constexpr i64 kMostAround = 1'000'000;  // lines

const Option kOptions[] = {
    {"-e, --regexp", "RE", "a pattern, instead of the argument RE; may be repeated", nullptr,
     [](Ask *r, const std::string &value) {
       add_patterns(value, &r->grep.spec);
       return Status::ok();
     },
     Effect::state, false, false, true},
    {"-f, --file", "FILE", "take patterns from FILE, one a line; may be repeated", nullptr,
     add_patterns_of_file, Effect::state, false, false, true, read_patterns},
    {"-E, --extended-regexp", nullptr, "accepted; patterns are extended regular expressions",
     nullptr, accept},
    {"-F, --fixed-strings", nullptr, "take patterns as strings, without special characters",
     nullptr, set_flag<&Ask::grep, &AskedGrep::spec, &GrepSpec::pattern, &PatternSpec::fixed>},
    {"-w, --word-regexp", nullptr, "match whole words only", nullptr,
     set_flag<&Ask::grep, &AskedGrep::spec, &GrepSpec::pattern, &PatternSpec::word>},
    {"-v, --invert-match", nullptr, "select lines that do not match", nullptr,
     set_flag<&Ask::grep, &AskedGrep::spec, &GrepSpec::invert>},
    {"-c, --count", nullptr, "print only the number of selected lines of each input", nullptr,
     set_answer<Answer::counts>},
    {"-l, --files-with-matches", nullptr, "print only the names of inputs with a selected line",
     nullptr, set_answer<Answer::inputs>},
    {"-q, --silent", nullptr, "print nothing; the exit status is the answer", nullptr,
     set_answer<Answer::nothing>},
    {"-m, --max-count", "N", "select only the first N lines of each input", nullptr,
     set_integer<0, INT64_MAX, &Ask::grep, &AskedGrep::spec, &GrepSpec::of_each>},
    {"-n, --line-number", nullptr, "print line numbers before lines", nullptr,
     set_flag<&Ask::grep, &AskedGrep::spec, &GrepSpec::numbers>},
    {"-o, --only-matching", nullptr, "print each match on a line of its own, without the rest",
     nullptr, set_flag<&Ask::grep, &AskedGrep::spec, &GrepSpec::only_matching>},
    {"-A, --after-context", "N", "print N lines after each selected line, too", nullptr,
     set_integer<0, kMostAround, &Ask::grep, &AskedGrep::after>},
    {"-B, --before-context", "N", "print N lines before each selected line, too", nullptr,
     set_integer<0, kMostAround, &Ask::grep, &AskedGrep::before>},
    {"-C, --context", "N", "print N lines before and after each selected line", nullptr,
     set_integer<0, kMostAround, &Ask::grep, &AskedGrep::around>},
    {"-H, --with-filename", nullptr, "print names of inputs before lines; default for several",
     nullptr,
     [](Ask *r, const std::string &) {
       r->grep.names = When::always;
       return Status::ok();
     }},
    {"-h, --no-filename", nullptr, "print no names of inputs", nullptr,
     [](Ask *r, const std::string &) {
       r->grep.names = When::never;
       return Status::ok();
     }},
    {"-a, --text", nullptr, "search inputs that are no text, such as archives and images", nullptr,
     set_flag<&Ask::takes_binary>},
    {"--record-start", "RE", "print records: one begins at each line that RE matches", nullptr,
     set_text<"needs a regular expression", &Ask::grep, &AskedGrep::record_start>},
    {"--json", nullptr, "print a JSON object per line or match; same as --to json", nullptr,
     set_flag<&Ask::grep, &AskedGrep::spec, &GrepSpec::json>},
};

// Options of GNU grep(1), and their replacements.
const Absent kAbsent[] = {
    {"--by, --asc, --desc, --header-out, --human, --round",
     "it is for columns; mrc grep prints lines"},
    {"-r, -R, --recursive, --dereference-recursive",
     "mrc grep searches files only; list them with find"},
    {"-P, --perl-regexp",
     "patterns use the syntax of RE2: most of Perl's, without back references"},
    {"-G, --basic-regexp", "patterns are extended regular expressions: ( ) { } | + ? are special"},
    {"-x, --line-regexp", "mrc grep does not have it; use ^(RE)$"},
    {"-L, --files-without-match", "mrc grep does not have it; -c prints 0 for these inputs"},
    {"-b, --byte-offset", "mrc grep does not have it; --json prints offsets"},
    {"-s, --no-messages", "mrc grep does not have it; use 2>/dev/null"},
    {"-y", "it is called -i"},
    {"-T, --initial-tab", "mrc grep does not have it; --tmpdir names the temporary directory"},
    {"-Z, --null", "mrc grep does not have it; --json prints names"},
    {"-I, -U, --binary", "mrc grep does not have it; -a searches binary input"},
    {"-d, -D, --directories, --devices", "mrc grep searches files only; list them with find"},
    {"--and", "mrc select -w '$0 =~ \"RE\" and $0 =~ \"RE\"' prints lines that match both"},
    {"--replace",
     "mrc select -k 'replace($0, \"RE\", \"TEXT\")' prints the lines with replacements"},
    {"--header", "mrc select -w '$0 =~ \"RE\"' prints the header, too"},
    {"--null-data", "it is called -z or --zero-terminated"},
    {"--colour", "it is called --color"},
    {"--line-buffered", "it is not needed; input from a pipe is printed as it arrives"},
    {"--include", "mrc grep searches files only; list them with find"},
    {"--exclude", "mrc grep searches files only; list them with find"},
};

// The first argument is the pattern, unless -e or -f has set it.
i64 count_operands(const Ask &ask) {
  return ask.grep.spec.pattern.patterns.empty() && !ask.grep.has_file ? 1 : 0;
}

// Sets how many lines around selected ones are printed.
Status complete_around(const Ask &ask, GrepSpec *grep) {
  const AskedGrep &asked = ask.grep;
  if (std::max({asked.before, asked.after, asked.around}) < 0) return Status::ok();
  const auto first_of = [&](i64 own) { return std::max<i64>(0, own >= 0 ? own : asked.around); };
  grep->before = first_of(asked.before);
  grep->after = first_of(asked.after);
  const char *with = grep->only_matching          ? "-o prints matches only"
                     : asked.record_start.empty() ? nullptr
                                                  : "--record-start prints whole records";
  if (with == nullptr) return Status::ok();
  return Status::error(fmt::format("-A, -B and -C print lines, and {}; leave one out", with));
}

// Completes the spec from the common options.
Status complete(const Ask &ask, Compiled *compiled) {
  const Program &program = compiled->program;
  GrepSpec *grep = &compiled->grep;
  const OutputFormat *format = program.hands_over ? nullptr : ask.display.format;
  if (format != nullptr && format != &OutputFormat::json) {
    return Status::error(std::string("--to: ") + format->name +
                         " is for columns; mrc grep prints lines, or json");
  }
  grep->json |= format == &OutputFormat::json;
  if (Status status = complete_around(ask, grep); !status.is_ok()) return status;
  grep->separates = !program.hands_over;
  grep->pattern.ignore_case = ask.ignore_case;
  grep->pattern.terminator = program.map.terminator;
  // The next stage of a chain reads the lines as they were.
  const bool has_names = program.inputs.size() > 1 && !program.hands_over;
  grep->names = ask.grep.names == When::automatic ? has_names : ask.grep.names == When::always;
  if (ask.top >= 0) grep->of_all = ask.top;
  grep->late_names = !program.keep.path.empty();
  grep->color = wants_color(ask, program);
  grep->visible = program.shape.terminal && !program.shape.raw;
  return Status::ok();
}

Status compile_grep(const Ask &ask, Compiled *compiled) {
  GrepSpec *grep = &compiled->grep;
  *grep = ask.grep.spec;
  if (count_operands(ask) > 0 && compiled->job.operands.empty()) {
    return Status::error("needs a pattern: mrc grep [OPTIONS] RE [FILE...]; see mrc grep --help");
  }
  for (const std::string &operand : compiled->job.operands) add_patterns(operand, grep);
  if (Status status = complete(ask, compiled); !status.is_ok()) return status;
  compiled->silent = grep->answer == Answer::nothing;
  keep_lines_alone(compiled);
  Program *program = &compiled->program;
  program->map.records = MapSpec::Records::lines;
  program->map.takes_binary = ask.takes_binary;
  if (!ask.grep.record_start.empty()) {
    Result<LineGroups> groups = groups_started_by(ask.grep.record_start, program->map.terminator);
    if (!groups.is_ok()) return groups.status();
    program->map.groups = grep->groups = std::move(*groups);
  }
  Result<std::unique_ptr<Transformer>> made = make_grep(*grep, best_scanner());
  if (!made.is_ok()) return made.status();
  program->stage = &kTextStage;
  program->transform = std::move(*made);
  return Status::ok();
}

}  // namespace

extern const Verb verb_grep;
const Verb verb_grep = {
    .name = "grep",
    .arguments = "RE [FILE...]",
    .summary = "print the lines that match a pattern",
    .description =
        "Prints the lines that match a regular expression, as grep -E does, in the order of the\n"
        "input. All cores share the work, even on a single large file. Patterns use the syntax of\n"
        "RE2: most of Perl's, matched in linear time, without back references. -i ignores case in\n"
        "all scripts. A byte that is not valid UTF-8 is matched only by \\C.\n"
        "\n"
        "Exit status: 0 if a line was selected, 1 if none was, 2 after an error, 3 if some input\n"
        "could not be read.",
    .examples =
        "  mrc grep 'HTTP/1.1\" 50[0-9]' access.log     lines with a server error\n"
        "  mrc grep -c -F '[error]' *.log              the number of such lines in each file\n"
        "  mrc grep -o -w 'user=[a-z]+' auth.log       only the matches\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_grep,
    .operands = count_operands,
    .operand = "the pattern RE",
};

}  // namespace mrc
