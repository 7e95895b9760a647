// --to partial: jobs whose states can be sent, and the description that partials have of their job.
#include "base/hash.h"
#include "cmd/conducts.h"
#include "cmd/parse.h"
#include "cmd/partials.h"
#include "cmd/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

void drop_choices(Effect effect, Job *job) {
  const Verb &verb = *find_verb(job->verb);
  std::erase_if(job->choices, [&](const Job::Choice &choice) {
    return find_option(verb, choice.option)->effect == effect;
  });
}

}  // namespace

Job sent_job(Job job) {
  drop_choices(Effect::conduct, &job);
  std::erase_if(job.choices, [](const Job::Choice &choice) {
    return choice.option == "--to" && choice.value == "partial";
  });
  return job;
}

Status choose_partial(Request *request) {
  Program &program = request->program;
  PartialSpec &partial = program.partial;
  if (!partial.is_wanted) return Status::ok();
  if (Status status = check_conduct(kPartials, *request); !status.is_ok()) return status;
  if (request->zone == "local") {
    return Status::error(
        "--to partial: --tz local is another zone on each machine; name it, as in --tz "
        "Europe/Berlin");
  }
  partial.as_lines = program.output == "-";
  partial.mrc_version = MRC_VERSION;
  partial.digest = digest_of_states(*request);
  Job job = sent_job(request->job);
  job.inputs.clear();
  drop_choices(Effect::input, &job);
  partial.job = job.to_text();
  return Status::ok();
}

Status add_choices(const std::vector<Job::Choice> &choices, Job *job) {
  const Verb &verb = *find_verb(job->verb);
  for (const Job::Choice &choice : choices) {
    const Option *option = find_option(verb, choice.option);
    if (option == nullptr || option_names(verb, *option).empty()) {
      return Status::error(
          fmt::format("{}: the job is mrc {}, which does not have it", choice.option, verb.name));
    }
    // A new --by replaces order and direction of the job; a new direction replaces the direction.
    const bool orders = choice.option == "--by",
               directs = choice.option == "--asc" || choice.option == "--desc";
    std::erase_if(job->choices, [&](const Job::Choice &before) {
      const bool is_direction = before.option == "--asc" || before.option == "--desc";
      return ((orders || directs) && is_direction) || (orders && before.option == "--by");
    });
  }
  job->choices.insert(job->choices.end(), choices.begin(), choices.end());
  return Status::ok();
}

}  // namespace mrc
