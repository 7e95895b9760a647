#include "cmd/chain.h"
#include "cmd/help.h"
#include "cmd/lookup.h"
#include "cmd/messages.h"
#include "cmd/parse.h"
#include "cmd/partials.h"
#include "cmd/run_job.h"
#include "cmd/values.h"
#include "engine/list_units.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns the end of the words of mrc units, which is the verb of the job.
std::vector<std::string>::const_iterator find_job_verb(const std::vector<std::string> &words) {
  auto at = words.begin();
  for (; at != words.end() && at->starts_with('-'); ++at) {
    if (takes_next(*find_verb("units"), *at) && ++at == words.end()) break;
  }
  return at;
}

// Prepares the job whose units are listed.
Status prepare_listed(const std::string &name, const std::vector<std::string> &others,
                      Request *request) {
  std::vector<std::string> all = {name};
  all.insert(all.end(), others.begin(), others.end());
  const Result<std::vector<StageWords>> stages = split_stages(all);
  if (stages.is_ok() && stages->size() > 1) {
    return Status::error("--list: a chain has no states; list the units of its first stage");
  }
  Result<StageWords> words = begin_stage(name, others);
  if (!words.is_ok()) return words.status();
  if (words->verb == nullptr || !words->verb->is_job()) return unknown_verb(name);
  words->words.insert(words->words.end(), others.begin(), others.end());
  if (Status status = parse(*words->verb, words->words, request); !status.is_ok()) return status;
  request->program.partial.is_wanted = true;
  return prepare_job(request);
}

// `own` is the request for mrc units itself. If it asks for help, there is no job.
Status prepare(const std::vector<std::string> &arguments, Request *own, Request *job) {
  const auto verb = find_job_verb(arguments);
  Status status = parse(*find_verb("units"), {arguments.begin(), verb}, own);
  if (!status.is_ok() || own->help != Request::Help::none) return status;
  if (verb == arguments.end()) return Status::error("units: --list: needs a job: VERB FILE...");
  status = prepare_listed(*verb, {verb + 1, arguments.end()}, job);
  if (status.is_ok() && own->ranges > 1 && job->program.stage->makes != Makes::records) {
    status =
        Status::error("--splitters: is for mrc sort; other states are in 256 partitions anyway");
  }
  return status.is_ok() ? status : status.within("units");
}

Result<std::string> text_of(const Request &job, const Request &own) {
  Result<UnitList> list = list_units(job.program, own.unit_bytes, own.ranges);
  if (!list.is_ok()) return list.status().within("units");
  list->job = sent_job(job.job).to_text();
  list->newest = newest_change(job);
  return list->to_text();
}

}  // namespace

bool asks_for_list(const std::vector<std::string> &arguments) {
  const auto verb = find_job_verb(arguments);
  return std::find(arguments.begin(), verb, "--list") != verb;
}

int print_units(const std::vector<std::string> &arguments) {
  Request own, job;
  if (Status status = prepare(arguments, &own, &job); !status.is_ok()) return fail(status);
  if (own.help != Request::Help::none) return print(help_of(*find_verb("units"), own.help));
  if (const int status = read_lookups(&job); status != kWhole) return status;
  if (!job.note.empty()) say_info(job.note);
  const Result<std::string> text = text_of(job, own);
  return text.is_ok() ? print(*text) : fail(text.status());
}

}  // namespace mrc
