// Options of the ways to run a job: --live, --state, --checkpoint, --to partial.
#include "base/hash.h"
#include "cmd/compile.h"
#include "cmd/messages.h"
#include "cmd/parse.h"
#include "cmd/values.h"
#include "expr/computed_field.h"
#include "expr/geo.h"
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
void show_highest(const Ask &ask, Compiled *compiled) {
  const Program &program = compiled->program;
  const bool has_order =
      !ask.by.empty() || ask.top >= 0 || program.plugin || ask.direction != Ask::Direction::natural;
  if (has_order || program.aggregation.columns.empty()) return;
  Ask highest = ask;
  highest.top = 0;  // the order of --top
  Compiled ordered = *compiled;
  if (!choose_order(highest, &ordered).is_ok()) return;
  ordered.program.order.limit = -1;
  compiled->program.live.order = ordered.program.order;
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
Status choose_live(const Ask &ask, Compiled *compiled) {
  Program &program = compiled->program;
  LiveSpec &live = program.live;
  if (!live.path.empty() && !live.is_wanted()) {
    if (Status status = parse_live("", &live); !status.is_ok()) return status;
  }
  compiled->may_end_input = program.follows || live.is_wanted();
  if (program.follows && !live.is_wanted() && check_conduct(kLive, *compiled).is_ok()) {
    live.every_seconds = kUsualSeconds;  // otherwise the user would see nothing
  }
  if (!live.is_wanted()) return Status::ok();
  if (Status status = check_conduct(kLive, *compiled); !status.is_ok()) return status;
  compiled->shows_live = program.output == "-" || !live.path.empty();
  if (!compiled->shows_live) live.every_seconds = live.every_percent = 0;
  const bool to_screen = compiled->shows_live && live.path.empty() && is_screen();
  if (to_screen) show_highest(ask, compiled);
  if (program.shape.format == &OutputFormat::json && !to_screen && compiled->shows_live) {
    program.shape.progress = "1";
  }
  return Status::ok();
}

std::unique_ptr<LiveView> make_live_view(const Compiled &compiled) {
  if (!compiled.shows_live) return nullptr;
  const bool is_json = compiled.program.shape.format == &OutputFormat::json;
  return std::make_unique<LiveView>(compiled.program.live.path, is_screen(), !is_json);
}

// --state, --checkpoint: jobs that can keep states, and the description that is kept with them.

namespace {

// Refuses times relative to now, which have another meaning in the next run.
Status check_times(const Ask &ask, const Job &job, const char *option) {
  for (const Job::Choice &choice : job.choices) {
    const bool since = choice.option == "--since", until = choice.option == "--until";
    if (!since && !until) continue;
    const std::string &asked = since ? ask.since : ask.until;
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
Result<bool> choose_directory(const Ask &ask, KeepSpec *keep) {
  const auto is_given = [&](const char *option) { return ask.job.find(option) != nullptr; };
  const auto any_is_given = [&](std::initializer_list<const char *> options) {
    return std::ranges::any_of(options, is_given);
  };
  const bool state = !keep->path.empty(), checkpoint = !ask.checkpoint.empty();
  const Job::Choice *const gone = ask.job.find("--state-gone");
  const bool keeps_gone = gone != nullptr && gone->value == "keep";
  const Refusal refused[] = {
      {state && checkpoint,
       "--state, --checkpoint: not both; a job keeps what it has read when it ends, or until then"},
      {!state &&
           any_is_given({"--state-wait", "--state-gone", "--state-tiles", "--state-last-line"}),
       "--state-wait, --state-gone, --state-tiles, --state-last-line: there is no --state"},
      {!checkpoint && any_is_given({"--checkpoint-every", "--resume"}),
       "--checkpoint-every, --resume: there is no --checkpoint"},
      {keep->has_roles && keeps_gone,
       "--state-gone keep: a join is of the two inputs that it names, as they are now"},
      {keep->tile_bytes > 0 && keeps_gone,
       "--state-tiles, --state-gone keep: not both; a file that is gone cannot be told from one "
       "that was edited"},
  };
  if (Status status = refuse(refused); !status.is_ok()) return status;
  keep->drops_gone |= keep->tile_bytes > 0 || keep->has_roles;
  keep->is_checkpoint = checkpoint;
  if (checkpoint) keep->path = ask.checkpoint;
  return state || checkpoint;
}

// True if an expression of the job has the function or bucket of this name.
bool calls(const std::string &job, std::string_view name) {
  for (size_t at = 0; (at = job.find(name, at)) != job.npos; at += name.size()) {
    const size_t next = job.find_first_not_of(' ', at + name.size());
    if ((at > 0 && job[at - 1] == ':') || (next != job.npos && job[next] == '(')) return true;
  }
  return false;
}

// Returns how the case of letters is changed in states, if it is: version 0.2.0 changed the letters
// of ASCII alone.
std::string folding_of(const Compiled &compiled) {
  const Program &program = compiled.program;
  const bool folds =
      program.map.ignore_case || (program.sort && compiled.job.find("--ignore-case") != nullptr);
  if (folds) return "letters folded by Unicode";
  const std::string job = compiled.job.state_text();
  return calls(job, "lower") || calls(job, "upper") ? "letters changed by Unicode" : "";
}

// True if a key is another name for a bucket of numbers: version 0.2.0 ordered these keys as text.
bool names_bucket_of_numbers(const FieldExpr &key) {
  return key.computed && key.computed->copied() != nullptr && key.is_number();
}

}  // namespace

u64 digest_of_states(const Compiled &compiled) {
  u64 digest = compiled.job.state_digest();
  const std::string folding = folding_of(compiled);
  if (!folding.empty()) digest ^= hash_bytes(folding, Seed{});
  const bool has_named =
      std::ranges::any_of(compiled.program.map.fields.keys, names_bucket_of_numbers);
  if (has_named) digest ^= hash_bytes("names of numbers", Seed{});
  const auto &plugin = compiled.program.plugin;
  if (plugin) digest ^= hash_bytes(plugin->version(), Seed{});
  if (!compiled.reducers.empty()) digest ^= hash_bytes(compiled.reducers, Seed{});
  const auto &geo = compiled.clock.geo;
  if (geo) digest ^= hash_bytes(geo->digests(), Seed{});
  return digest;
}

namespace {

// True if text has colors, or characters that a terminal would obey are escaped.
bool is_text_for_terminal(const Compiled &compiled) {
  const RowShape &shape = compiled.program.shape;
  return compiled.grep.color || (shape.terminal && !shape.raw);
}

std::string names_of_columns(const std::vector<FieldExpr> &keys) {
  std::string columns;
  for (const FieldExpr &key : keys) columns += (columns.empty() ? "" : ", ") + key.column();
  return columns;
}

bool prints_names(const GrepSpec &grep) {
  return grep.names && grep.answer == GrepSpec::Answer::lines;
}

// Sets the digest of the job, and its description for users.
void describe_job(const Compiled &compiled, KeepSpec *keep) {
  const Program &program = compiled.program;
  Job meant = compiled.job;
  meant.inputs.clear();
  keep->mrc_version = MRC_VERSION;
  keep->job = meant.state_text();
  keep->digest = digest_of_states(compiled);
  const auto add = [&](const std::string &what, const std::string &value) {
    keep->job += what + value + "\n";
    keep->digest ^= hash_bytes(value, Seed{});
  };
  if (program.plugin) {
    keep->job += fmt::format("plugin version {}\n", program.plugin->version());
  }
  keep->job += compiled.reducers;
  if (compiled.clock.geo) keep->job += compiled.clock.geo->digests();
  if (const std::string folding = folding_of(compiled); !folding.empty()) {
    keep->job += folding + "\n";
  }
  if (program.shared) keep->digest ^= program.shared->digest;
  if (!compiled.found.empty()) keep->job += kFoundFields + compiled.found + "\n";
  if (keep->is_checkpoint) add("", "checkpoint");
  if (program.load) add("columns ", names_of_columns(program.load->text.fields.keys));
  const bool of_rows = program.stage->makes == Makes::records;
  if (!keep->of_text && !of_rows) return;
  // Text is a part of the answer, and lines have names of inputs if there are several. Rows are
  // only those that may be in the answer.
  if (keep->is_checkpoint && !of_rows) {
    add("inputs ", std::to_string(program.inputs.size()));
  }
  const bool keeps_text = keep->of_text && !keep->is_checkpoint;
  if (keeps_text && is_text_for_terminal(compiled)) add("", "text for a terminal");
  if (keeps_text && prints_names(compiled.grep)) add("", "names of inputs");
  keep->digest ^= meant.answer_digest();
  for (const Job::Choice &choice : meant.choices) {
    const Option *option = find_option(*find_verb(meant.verb), choice.option);
    if (option->effect == Effect::answer) keep->job += choice.option + " " + choice.value + "\n";
  }
}

}  // namespace

Status choose_state(const Ask &ask, Compiled *compiled) {
  Program &program = compiled->program;
  KeepSpec &keep = program.keep;
  keep.has_roles = program.join.has_value();
  const Result<bool> keeps = choose_directory(ask, &keep);
  if (!keeps.is_ok() || !*keeps) return keeps.status();
  const char *const option = program.load         ? "--output"
                             : keep.is_checkpoint ? "--checkpoint"
                                                  : "--state";
  const ConductOption conduct = keep.is_checkpoint ? kCheckpoint : kState;
  if (Status status = check_conduct(conduct, *compiled); !status.is_ok()) return status;
  program.ranges.reason_against = std::string(option) + " covers all input";
  keep.terminator = program.map.terminator;
  keep.of_text = program.stage->makes == Makes::text;
  if (Status status = check_times(ask, compiled->job, option); !status.is_ok()) return status;
  describe_job(*compiled, &keep);
  keep.creates = compiled->reporting.explain == Reporting::Explain::nothing;
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

Status choose_partial(const Ask &ask, Compiled *compiled) {
  Program &program = compiled->program;
  PartialSpec &partial = program.partial;
  if (!partial.is_wanted) return Status::ok();
  if (Status status = check_conduct(kPartials, *compiled); !status.is_ok()) return status;
  if (ask.zone == "local") {
    return Status::error(
        "--to partial: --tz local is another zone on each machine; name it, as in --tz "
        "Europe/Berlin");
  }
  partial.as_lines = program.output == "-";
  partial.mrc_version = MRC_VERSION;
  partial.digest = digest_of_states(*compiled);
  Job job = sent_job(compiled->job);
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
    // A new --by replaces order and direction of the job, a new direction the direction, and a new
    // --having that of the job.
    const bool orders = choice.option == "--by",
               directs = choice.option == "--asc" || choice.option == "--desc",
               selects = choice.option == "--having";
    std::erase_if(job->choices, [&](const Job::Choice &before) {
      const bool is_direction = before.option == "--asc" || before.option == "--desc";
      return ((orders || directs) && is_direction) ||
             ((orders || selects) && before.option == choice.option);
    });
  }
  job->choices.insert(job->choices.end(), choices.begin(), choices.end());
  return Status::ok();
}

}  // namespace mrc
