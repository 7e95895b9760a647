#include "cmd/chain.h"

#include "cmd/advice.h"
#include "cmd/help.h"
#include "cmd/order_records.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace mrc {
namespace {

constexpr std::string_view kThen = "then";

bool has_argument(const Verb &verb, const std::string &name) {
  for (const Option *option : options_of(verb)) {
    const std::vector<std::string> names = option_names(verb, *option);
    if (std::ranges::find(names, name) != names.end()) return option->takes_argument();
  }
  return false;
}

}  // namespace

// True for words such as -k, --key, or -rk, whose last letter takes a value.
bool takes_next(const Verb &verb, const std::string &word) {
  if (word.size() < 2 || word[0] != '-') return false;
  if (word[1] == '-') return has_argument(verb, word);
  for (size_t i = 1; i < word.size(); ++i) {
    if (has_argument(verb, {'-', word[i]})) return i + 1 == word.size();
  }
  return false;
}

Result<StageWords> begin_stage(const std::string &name, const std::vector<std::string> &others) {
  const Verb *verb = find_verb(name);
  if (verb != nullptr) return StageWords{verb, {}};
  const Result<std::string> file = find_job_file(name, others);
  if (!file.is_ok()) return file.status();
  if (file->empty()) return StageWords{nullptr, {}};
  return StageWords{find_verb("run"), {name}};
}

namespace {

// Returns the place of the next `then` that ends the words of a verb, or their end.
std::vector<std::string>::const_iterator end_of_stage(
    const Verb &verb, std::vector<std::string>::const_iterator at,
    std::vector<std::string>::const_iterator end) {
  for (; at != end && *at != kThen; ++at) {
    if (*at == "--") return end;
    if (takes_next(verb, *at) && ++at == end) break;
  }
  return at;
}

Status no_verb_after(const std::string &word) {
  if (word.starts_with("-")) return Status::error("then: a verb follows, not " + word);
  const Verb *verb = find_verb(word);
  if (verb == nullptr) {
    return Status::error("then: " + unknown_verb(word).message() +
                         "; a file or a pattern that is called then is ./then, or stands after --");
  }
  return Status::error(fmt::format("then: mrc {} makes no rows of records; it is no stage", word));
}

// Parses the job of one stage, as it was typed. `asked` collects what the stage asks about the
// chain.
Result<Job> parse_stage(const StageWords &stage, Ask *asked) {
  Ask ask;
  if (Status status = parse(*stage.verb, stage.words, &ask); !status.is_ok()) return status;
  if (ask.help != Ask::Help::none && asked->help == Ask::Help::none) {
    asked->help = ask.help;
    asked->job.verb = stage.verb->name;
  }
  if (ask.reporting.explain != Reporting::Explain::nothing) asked->reporting = ask.reporting;
  ask.job.operands = std::move(ask.arguments);
  return std::move(ask.job);
}

std::string title_of(size_t stage, const Compiled &compiled) {
  return fmt::format("stage {}: {}\n", stage + 1, compiled.job.verb);
}

// Later stages are planned only when their records exist.
int explain_chain(std::vector<Compiled> stages) {
  int status = print(title_of(0, stages[0]));
  if (status == kWhole) status = run_job(stages[0]);
  std::string text;
  for (size_t i = 1; i < stages.size(); ++i) {
    const Program &program = stages[i].program;
    const FormatSpec &format = *handed_format(&stages[i].program);
    text += title_of(i, stages[i]);
    text += fmt::format("input    {} of stage {}{}{} (planned when they are there)\n",
                        format.columns.empty() ? "records" : "rows", i,
                        format.columns.empty() ? "" : ": ", fmt::join(format.columns, ", "));
    text += fmt::format("output   {}\n", program.hands_over ? "the records of the next stage"
                                         : program.output == "-"
                                             ? "standard output"
                                             : program.output + ", whole or not at all");
  }
  const int printed = print(text);
  return printed == kWhole ? status : printed;
}

// Reads records with a header as the stage before has read them: the header alone, if no record
// follows, does not show its format.
void read_header_as(const Dialect &dialect, FormatSpec *format) {
  if (format->format != nullptr && format->format != dialect.format) return;
  format->format = dialect.format;
  format->delimiter = dialect.delimiter;
  format->header = true;
}

int run_stages(std::vector<Compiled> stages) {
  // Opens the output first, so that an error in it is reported before any work.
  Result<std::unique_ptr<OutputFile>> answer = OutputFile::open(stages.back().program.output);
  if (!answer.is_ok()) return fail(answer.status());
  bool partial = false;
  std::unique_ptr<StageRecords> from, to;
  for (size_t i = 0; i < stages.size(); ++i) {
    const bool is_last = i + 1 == stages.size();
    if (!is_last) {
      to = std::make_unique<StageRecords>("rows of " + stages[i].job.verb, answer->get());
    }
    if (from && from->with_header()) {
      read_header_as(*from->with_header(), handed_format(&stages[i].program));
    }
    const int status = run_job(stages[i], {.from = from.get(),
                                           .to = to.get(),
                                           .output = is_last ? std::move(*answer) : nullptr,
                                           .title = title_of(i, stages[i])});
    partial |= status == kPartial;
    if (status == kError) return status;
    if (is_last) return partial ? int{kPartial} : status;
    if ((*answer)->abandoned()) break;
    from = std::move(to);
  }
  return partial ? kPartial : kWhole;
}

// Returns the chain as data, in which files and operands are told apart.
Job job_of(const std::vector<Compiled> &stages) {
  Job job = stages[0].job;
  for (size_t i = 1; i < stages.size(); ++i) job.then.push_back(stages[i].job);
  return job;
}

}  // namespace

Result<std::vector<StageWords>> split_stages(const std::vector<std::string> &arguments) {
  std::vector<StageWords> stages;
  for (auto at = arguments.begin();; ++at) {
    if (at == arguments.end()) return Status::error("then: no verb follows");
    Result<StageWords> stage = begin_stage(*at, {at + 1, arguments.end()});
    if (!stage.is_ok()) return stage.status();
    const bool is_job = stage->verb != nullptr && stage->verb->is_job();
    if (!is_job && stages.empty()) return std::vector{*stage};  // such as mrc help then
    if (!is_job) return no_verb_after(*at);
    const auto end = end_of_stage(*stage->verb, at + 1, arguments.end());
    stage->words.insert(stage->words.end(), at + 1, end);
    stages.push_back(std::move(*stage));
    if (end == arguments.end()) return stages;
    at = end;
  }
}

int run_chain(const std::vector<StageWords> &stages) {
  std::vector<Job> typed;
  Ask asked;
  for (const StageWords &stage : stages) {
    Result<Job> job = parse_stage(stage, &asked);
    if (!job.is_ok()) return fail(job.status());
    Result<std::vector<Job>> jobs = stages_of(std::move(*job));
    if (!jobs.is_ok()) return fail(jobs.status());
    std::ranges::move(*jobs, std::back_inserter(typed));
  }
  if (asked.help != Ask::Help::none) return print(help_of(*find_verb(asked.job.verb), asked.help));
  const Result<Job> chain = join_stages(std::move(typed));
  if (!chain.is_ok()) return fail(chain.status());
  Result<std::vector<Compiled>> compiled = compile_chain(*chain);
  if (!compiled.is_ok()) return fail(compiled.status());
  const Reporting::Explain explain = asked.reporting.explain;
  if (explain == Reporting::Explain::job) return print(job_of(*compiled).to_text());
  Compiled &first = compiled->front();
  first.reporting.explain = explain;
  first.program.map.fields.format.wants_hint = explain == Reporting::Explain::plan;
  if (find_verb(first.job.verb)->reads_fields) {
    if (Status status = check_inputs(first); !status.is_ok()) {
      return fail(status.within(first.job.verb));
    }
  }
  for (Compiled &stage : *compiled) {
    if (const int status = read_lookups(&stage); status != kWhole) return status;
  }
  return explain == Reporting::Explain::plan ? explain_chain(std::move(*compiled))
                                             : run_stages(std::move(*compiled));
}

// The options of a chain that do not apply to the stage in which they stand.

namespace {

struct OptionRow {
  const char *names;
  ForStages whom;
  const char *reason = "";
};

constexpr OptionRow kOptionRows[] = {
    {"--from, --regex, --record-start, --delimiter, --header-in, -H, --columns, --record, "
     "--binary, "
     "--input-cmd",
     ForStages::input},
    {"--state, --state-wait, --state-gone, --state-tiles, --state-last-line, --isolate",
     ForStages::first},
    {"--to, --header-out, --raw, --human, --round, --color, --output", ForStages::last},
    {"--zero-terminated, --tz, --dates, --geo, --threads, --memory, --tmpdir, --stats, --progress, "
     "--quiet, --io, --split, --tile, --container, --engine, --pin, --numa, --unit-timeout",
     ForStages::all},
    {"--follow, --live, --live-to", ForStages::none,
     "the rows of a stage are known when it has ended"},
    {"--checkpoint, --checkpoint-every, --resume", ForStages::none,
     "it saves one stage; use --state, which keeps what the first one has read"},
};

const OptionRow *option_row(const std::string &option) {
  for (const OptionRow &row : kOptionRows) {
    const std::vector<std::string> names = names_in(row.names);
    if (std::ranges::find(names, option) != names.end()) return &row;
  }
  return nullptr;
}

}  // namespace

ForStages stages_for(const std::string &option) {
  const OptionRow *row = option_row(option);
  return row == nullptr ? ForStages::own : row->whom;
}

namespace {

Status misplaced(const Job &stage, const std::string &what) {
  return Status::error(stage.verb + ": " + what);
}

// Distributes the choices of stages to the stages that they apply to.
class Dealer {
 public:
  explicit Dealer(std::vector<Job> typed) : typed_(std::move(typed)), dealt_(typed_) {
    for (Job &job : dealt_) job.choices.clear();
  }

  Result<std::vector<Job>> deal() {
    for (size_t stage = 0; stage < typed_.size(); ++stage) {
      for (const Job::Choice &choice : typed_[stage].choices) {
        if (Status status = deal(stage, choice); !status.is_ok()) return status;
      }
    }
    return std::move(dealt_);
  }

 private:
  Status deal(size_t stage, const Job::Choice &choice) {
    const Option *option = option_of(stage, choice);
    const OptionRow *row = option_row(choice.option);
    const bool is_input = row != nullptr && row->whom == ForStages::input;
    if (row == nullptr || (!is_input && is_own(stage, option))) {
      dealt_[stage].choices.push_back(choice);
      return Status::ok();
    }
    if (row->whom == ForStages::none) {
      return Status::error(
          fmt::format("{}: not together with then: {}", choice.option, row->reason));
    }
    if (is_input) return deal_input(stage, choice);
    const auto [first, is_new] = first_.emplace(option, stage);
    if (!is_new && first->second != stage) {
      return misplaced(
          typed_[stage],
          choice.option + ": it is for the chain as a whole, and an earlier stage has it");
    }
    if (row->whom == ForStages::all) {
      for (size_t of = 0; of < dealt_.size(); ++of) give(of, option, choice);
      return Status::ok();
    }
    const size_t of = row->whom == ForStages::first ? 0 : dealt_.size() - 1;
    if (give(of, option, choice)) return Status::ok();
    return misplaced(typed_[stage],
                     fmt::format("{}: it is for the {} stage, and mrc {} does not "
                                 "have it",
                                 choice.option, of == 0 ? "first" : "last", dealt_[of].verb));
  }

  Status deal_input(size_t stage, const Job::Choice &choice) {
    if (stage > 0 && reads_input(typed_[stage], choice)) {
      dealt_[stage].choices.push_back(choice);
      return Status::ok();
    }
    if (stage > 0) {
      return misplaced(typed_[stage], choice.option +
                                          ": it says how the input is read, which the first stage "
                                          "does; this one reads rows of the stage before");
    }
    dealt_[0].choices.push_back(choice);
    const Option *header = find_option(*find_verb(dealt_.back().verb), "--header-out");
    if (choice.option == "-H" && header != nullptr) {
      dealt_.back().choices.push_back({"--header-out", "yes"});
    }
    return Status::ok();
  }

  // A join has an input of its own in any stage. All of these options but --input-cmd are about its
  // LEFT.
  static bool reads_input(const Job &job, const Job::Choice &choice) {
    const bool is_left = !job.operands.empty() && job.operands[0] != "-";
    return find_verb(job.verb)->joins && (is_left || choice.option == "--input-cmd");
  }
  const Option *option_of(size_t stage, const Job::Choice &choice) const {
    return find_option(*find_verb(typed_[stage].verb), choice.option);
  }
  bool is_own(size_t stage, const Option *option) const {
    const std::span<const Option> own = find_verb(typed_[stage].verb)->options;
    return std::ranges::any_of(own, [&](const Option &one) { return &one == option; });
  }
  // Returns false if the stage does not have the option.
  bool give(size_t stage, const Option *option, const Job::Choice &choice) {
    const bool has = option_of(stage, choice) == option;
    if (has) dealt_[stage].choices.push_back(choice);
    return has;
  }

  const std::vector<Job> typed_;
  std::vector<Job> dealt_;
  std::map<const Option *, size_t> first_;  // the stage in which an option was found first
};

}  // namespace

Result<Job> join_stages(std::vector<Job> stages) {
  Result<std::vector<Job>> dealt = Dealer(std::move(stages)).deal();
  if (!dealt.is_ok()) return dealt.status();
  Job chain = std::move(dealt->front());
  chain.then.assign(std::make_move_iterator(dealt->begin() + 1),
                    std::make_move_iterator(dealt->end()));
  return chain;
}

}  // namespace mrc
