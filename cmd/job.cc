#include "cmd/job.h"

#include "base/hash.h"
#include "base/one_line.h"
#include "cmd/parse.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr std::string_view kFirstLine = "mrc job 1", kThenLine = "then", kLastLine = "end";

void append_line(std::string_view name, std::string_view value, std::string *text) {
  text->append(name);
  if (!value.empty()) text->push_back(' ');
  append_on_one_line(value, text);
  text->push_back('\n');
}

void append_stage(const Job &job, std::string *text) {
  append_line("verb", job.verb, text);
  for (const Job::Choice &choice : job.choices) append_line(choice.option, choice.value, text);
  for (const std::string &operand : job.operands) append_line("operand", operand, text);
  for (const std::string &input : job.inputs) append_line("input", input, text);
}

// Returns false if no job has such a line.
bool read_line(std::string_view line, Job *job) {
  const size_t blank = std::min(line.find(' '), line.size());
  const std::string name(line.substr(0, blank));
  std::string value = from_one_line(line.substr(std::min(blank + 1, line.size())));
  if (name == "verb" && job->verb.empty()) {
    job->verb = std::move(value);
    const Verb *verb = find_verb(job->verb);
    return verb != nullptr && verb->is_job();
  }
  if (job->verb.empty()) return false;
  if (name == "operand") job->operands.push_back(std::move(value));
  if (name == "input") job->inputs.push_back(std::move(value));
  if (name == "operand" || name == "input") return true;
  const Option *option = find_option(*find_verb(job->verb), name);
  if (option == nullptr || (option->value == nullptr && !value.empty())) return false;
  job->choices.push_back({name, std::move(value)});
  return true;
}

// Returns the choices with an effect as text. `also` is an option with another effect.
std::string choices_text(const Job &job, Effect effect, std::string_view also = "") {
  Job seen;
  if (effect == Effect::answer) seen.then = job.then;
  const Verb &verb = *find_verb(job.verb);
  for (const Job::Choice &choice : job.choices) {
    const bool is_wanted =
        choice.option == also || find_option(verb, choice.option)->effect == effect;
    if (is_wanted) seen.choices.push_back(choice);
  }
  if (effect == Effect::state) {
    seen.verb = job.verb;
    seen.operands = job.operands;
  }
  return seen.to_text();
}

u64 digest_of(const Job &job, Effect effect) {
  return hash_bytes(choices_text(job, effect), Seed{});
}

}  // namespace

const Job::Choice *Job::find(std::string_view option) const {
  const auto found = std::ranges::find(choices, option, &Choice::option);
  return found == choices.end() ? nullptr : &*found;
}

std::string Job::to_text() const {
  std::string text;
  append_line(kFirstLine, "", &text);
  append_stage(*this, &text);
  for (const Job &stage : then) {
    append_line(kThenLine, "", &text);
    append_stage(stage, &text);
  }
  append_line(kLastLine, "", &text);
  return text;
}

Result<Job> Job::from_text(std::string_view text) {
  Job job;
  std::string_view line;
  for (i64 number = 1; line != kLastLine; ++number) {
    const size_t end = text.find('\n');
    if (end == text.npos) return Status::error("job: the text is cut short; there is no last line");
    line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (number == 1 && line != kFirstLine) {
      return Status::error(
          fmt::format("job: \"{}\" is not \"{}\": it is of another version", line, kFirstLine));
    }
    if (number == 1 || line == kLastLine) continue;
    Job *const stage = job.then.empty() ? &job : &job.then.back();
    if (line == kThenLine && !stage->verb.empty()) {
      job.then.emplace_back();
    } else if (!read_line(line, stage)) {
      return Status::error(fmt::format("job: line {}: mrc {} does not have \"{}\"", number,
                                       stage->verb.empty() ? "VERB" : stage->verb, line));
    }
  }
  const Job &last = job.then.empty() ? job : job.then.back();
  if (last.verb.empty()) return Status::error("job: the text has no verb");
  return job;
}

std::string Job::state_text() const { return choices_text(*this, Effect::state, "--shown-kinds"); }
u64 Job::state_digest() const { return digest_of(*this, Effect::state); }
u64 Job::answer_digest() const { return digest_of(*this, Effect::answer); }

}  // namespace mrc
