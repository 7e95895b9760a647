// Options of the ways to run a job: --live, --state, --checkpoint, --to partial.
#include "base/hash.h"
#include "cmd/conducts.h"
#include "cmd/messages.h"
#include "cmd/parse.h"
#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace mrc {

// --live: jobs that have interim answers, and the destination of these.

namespace {

constexpr double kUsualSeconds = 2;

// True if output can be erased again.
bool is_screen() {
  const char *term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

// Parses a value such as "10%".
bool parse_percent(const std::string &text, double *percent) {
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool is_share = end != text.c_str() && std::string_view(end) == "%";
  if (!is_share || !(value > 0) || value > 100) return false;
  *percent = value;
  return true;
}

// Parses one part of the value: order, a time or a share.
Status set_one(const std::string &text, LiveSpec *live) {
  if (text == "order") {
    live->in_order = true;
    return Status::ok();
  }
  if (!text.ends_with('%')) {
    if (parse_seconds(text, &live->every_seconds).is_ok()) return Status::ok();
  } else if (parse_percent(text, &live->every_percent)) {
    return Status::ok();
  }
  return Status::error(fmt::format(
      "\"{}\" is no time as 2s or 500ms, no share of the input as 10%, and not order", text));
}

// A screen has room for the first rows only. If the user sets no order, it shows the highest
// numbers.
void show_highest(Request *request) {
  const Program &program = request->program;
  const bool has_order = !request->by.empty() || program.order.limit >= 0 || program.plugin ||
                         request->direction != Request::Direction::natural;
  if (has_order || program.aggregation.columns.empty()) return;
  Request highest = *request;
  highest.program.order.limit = 0;  // the order of --top
  if (!choose_order(&highest).is_ok()) return;
  highest.program.order.limit = -1;
  request->program.live.order = highest.program.order;
}

}  // namespace

Status parse_live(const std::string &value, LiveSpec *live) {
  live->every_seconds = live->every_percent = 0;
  live->in_order = false;
  for (std::string_view rest = value; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (Status status = set_one(std::string(rest.substr(0, comma)), live); !status.is_ok()) {
      return status;
    }
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (live->every_seconds > 0 && live->every_percent > 0) {
    return Status::error("a time or a share of the input, not both");
  }
  if (!live->is_wanted()) live->every_seconds = kUsualSeconds;
  return Status::ok();
}

// A file that is whole or absent gets only the final answer, so nothing is shown.
Status choose_live(Request *request) {
  Program &program = request->program;
  LiveSpec &live = program.live;
  if (!live.path.empty() && !live.is_wanted()) {
    if (Status status = parse_live("", &live); !status.is_ok()) return status;
  }
  request->may_end_input = program.follows || live.is_wanted();
  if (program.follows && !live.is_wanted() && check_conduct(kLive, *request).is_ok()) {
    live.every_seconds = kUsualSeconds;  // otherwise the user would see nothing
  }
  if (!live.is_wanted()) return Status::ok();
  if (Status status = check_conduct(kLive, *request); !status.is_ok()) return status;
  request->shows_live = program.output == "-" || !live.path.empty();
  if (!request->shows_live) live.every_seconds = live.every_percent = 0;
  const bool to_screen = request->shows_live && live.path.empty() && is_screen();
  if (to_screen) show_highest(request);
  if (program.shape.format == &OutputFormat::json && !to_screen && request->shows_live) {
    program.shape.progress = "1";
  }
  return Status::ok();
}

std::unique_ptr<LiveView> make_live_view(const Request &request) {
  if (!request.shows_live) return nullptr;
  const bool is_json = request.program.shape.format == &OutputFormat::json;
  return std::make_unique<LiveView>(request.program.live.path, is_screen(), !is_json);
}

// --state, --checkpoint: jobs that can keep states, and the description that is kept with them.

namespace {

// Refuses times relative to now, which have another meaning in the next run.
Status check_times(const Request &request, const char *option) {
  for (const Job::Choice &choice : request.job.choices) {
    const bool since = choice.option == "--since", until = choice.option == "--until";
    if (!since && !until) continue;
    const std::string &asked = since ? request.since : request.until;
    if (choice.value == asked) continue;
    return Status::error(fmt::format(
        "{}: {} {} is another time in each run; group by time and leave rows out, as with "
        "-k time:day, or give a date",
        option, choice.option, asked));
  }
  return Status::ok();
}

// Refuses both options together, because they are two ways to continue. Returns false if neither is
// set.
Result<bool> choose_directory(Request *request) {
  KeepSpec &keep = request->program.keep;
  const bool state = !keep.path.empty(), checkpoint = !request->checkpoint.empty();
  if (state && checkpoint) {
    return Status::error(
        "--state, --checkpoint: not both; a job keeps what it has read when it ends, or until "
        "then");
  }
  if (request->keeps && !state) {
    return Status::error(
        "--state-wait, --state-gone, --state-tiles, --state-last-line: there is no --state");
  }
  if (request->checkpoints && !checkpoint) {
    return Status::error("--checkpoint-every, --resume: there is no --checkpoint");
  }
  if (keep.tile_bytes > 0 && request->keeps_gone) {
    return Status::error(
        "--state-tiles, --state-gone keep: not both; a file that is gone cannot be told from one "
        "that was edited");
  }
  keep.drops_gone |= keep.tile_bytes > 0;
  keep.is_checkpoint = checkpoint;
  if (checkpoint) keep.path = request->checkpoint;
  return state || checkpoint;
}

}  // namespace

u64 digest_of_states(const Request &request) {
  u64 digest = request.job.state_digest();
  if (request.program.plugin) digest ^= hash_bytes(request.program.plugin->version(), Seed{});
  return digest;
}

namespace {

// True if text has colors, or characters that a terminal would obey are escaped.
bool is_for_terminal(const Request &request) {
  const RowShape &shape = request.program.shape;
  return request.grep.color || (shape.terminal && !shape.raw);
}

bool prints_names(const Request &request) {
  return request.grep.names && request.grep.answer == GrepSpec::Answer::lines;
}

// Sets the digest of the job, and its description for users.
void describe_job(const Request &request, KeepSpec *keep) {
  Job meant = request.job;
  meant.inputs.clear();
  keep->mrc_version = MRC_VERSION;
  keep->job = meant.state_text();
  keep->digest = digest_of_states(request);
  const auto add = [&](const std::string &what, const std::string &value) {
    keep->job += what + value + "\n";
    keep->digest ^= hash_bytes(value, Seed{});
  };
  if (request.program.plugin) {
    keep->job += fmt::format("plugin version {}\n", request.program.plugin->version());
  }
  if (keep->is_checkpoint) add("", "checkpoint");
  const bool of_rows = request.program.stage->makes == Makes::records;
  if (!keep->of_text && !of_rows) return;
  // Text is a part of the answer, and lines have names of inputs if there are several. Rows are
  // only those that may be in the answer.
  if (keep->is_checkpoint && !of_rows) {
    add("inputs ", std::to_string(request.program.inputs.size()));
  }
  const bool keeps_text = keep->of_text && !keep->is_checkpoint;
  if (keeps_text && is_for_terminal(request)) add("", "text for a terminal");
  if (keeps_text && prints_names(request)) add("", "names of inputs");
  keep->digest ^= meant.answer_digest();
  for (const Job::Choice &choice : meant.choices) {
    const Option *option = find_option(*find_verb(meant.verb), choice.option);
    if (option->effect == Effect::answer) keep->job += choice.option + " " + choice.value + "\n";
  }
}

}  // namespace

Status choose_state(Request *request) {
  Program &program = request->program;
  KeepSpec &keep = program.keep;
  const Result<bool> keeps = choose_directory(request);
  if (!keeps.is_ok() || !*keeps) return keeps.status();
  const char *const option = keep.is_checkpoint ? "--checkpoint" : "--state";
  const ConductOption conduct = keep.is_checkpoint ? kCheckpoint : kState;
  if (Status status = check_conduct(conduct, *request); !status.is_ok()) return status;
  keep.terminator = program.map.terminator;
  keep.of_text = program.stage->makes == Makes::text;
  if (Status status = check_times(*request, option); !status.is_ok()) return status;
  describe_job(*request, &keep);
  keep.creates = request->explain == Request::Explain::nothing;
  struct stat info;
  if (!keep.creates && stat(keep.path.c_str(), &info) != 0) keep.path.clear();
  return Status::ok();
}

// --to partial: jobs whose states can be sent, and the description that partials have of their job.

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
