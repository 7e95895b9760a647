#include "cmd/chain.h"

#include "cmd/chain_join.h"
#include "cmd/help.h"
#include "cmd/lookup.h"
#include "cmd/misplaced.h"
#include "cmd/parse.h"
#include "cmd/plugins.h"
#include "cmd/run_job.h"

#include <fmt/format.h>

#include <algorithm>

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
Result<Job> parse_stage(const StageWords &stage, Request *asked) {
  Request request;
  if (Status status = parse(*stage.verb, stage.words, &request); !status.is_ok()) return status;
  if (request.help != Request::Help::none && asked->help == Request::Help::none) {
    asked->help = request.help;
    asked->job.verb = stage.verb->name;
  }
  if (request.explain != Request::Explain::nothing) asked->explain = request.explain;
  request.job.operands = request.arguments;
  return std::move(request.job);
}

std::string title_of(size_t stage, const Request &request) {
  return fmt::format("stage {}: {}\n", stage + 1, request.job.verb);
}

// Later stages are planned only when their records exist.
int explain_chain(std::vector<Request> stages) {
  int status = print(title_of(0, stages[0]));
  if (status == kWhole) status = run_job(stages[0]);
  std::string text;
  for (size_t i = 1; i < stages.size(); ++i) {
    const Program &program = stages[i].program;
    const FormatSpec &format = *handed_format(&stages[i]);
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

int run_stages(const std::vector<Request> &stages) {
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
Job job_of(const std::vector<Request> &stages) {
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
  Request asked;
  for (const StageWords &stage : stages) {
    Result<Job> job = parse_stage(stage, &asked);
    if (!job.is_ok()) return fail(job.status());
    typed.push_back(std::move(*job));
  }
  if (asked.help != Request::Help::none)
    return print(help_of(*find_verb(asked.job.verb), asked.help));
  const Result<Job> chain = join_stages(std::move(typed));
  if (!chain.is_ok()) return fail(chain.status());
  Result<std::vector<Request>> compiled = compile_chain(*chain);
  if (!compiled.is_ok()) return fail(compiled.status());
  if (asked.explain == Request::Explain::job) return print(job_of(*compiled).to_text());
  Request &first = compiled->front();
  first.explain = asked.explain;
  first.program.map.fields.format.wants_hint = asked.explain == Request::Explain::plan;
  if (find_verb(first.job.verb)->reads_fields) {
    if (Status status = check_inputs(first); !status.is_ok()) {
      return fail(status.within(first.job.verb));
    }
  }
  for (Request &stage : *compiled) {
    if (const int status = read_lookups(&stage); status != kWhole) return status;
  }
  return first.explain == Request::Explain::plan ? explain_chain(std::move(*compiled))
                                                 : run_stages(*compiled);
}

}  // namespace mrc
