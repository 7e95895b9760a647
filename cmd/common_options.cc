// Options with the same meaning in all verbs.
#include "base/names.h"
#include "cmd/values.h"
#include "cmd/verb.h"

#include <fmt/format.h>

namespace mrc {
namespace {

// Returns the choices, as in Option, from the table of containers.
const char *container_choices() {
  static const std::string choices = [] {
    std::string names = "auto";
    for (const ContainerType *type : all_containers()) names += "|" + std::string(type->name);
    return names;
  }();
  return choices.c_str();
}

constexpr const char *kFormatChoices =
    "auto"
#define OUTPUT_FORMAT(name) "|" #name
#include "output/output_formats.inc"
    "|partial";

// Implements Option::set for a file that is written. Refuses names that promise another compression
// than that of mrc.
template <auto... kPath>
Status set_new_file(Ask *ask, const std::string &name) {
  for (const char *ending : {".gz", ".bz2", ".xz", ".lz4"}) {
    if (!name.ends_with(ending)) continue;
    return Status::error(fmt::format(
        "{}: mrc compresses what it writes only by Zstandard, for names that end in .zst; for {}, "
        "write to a pipe into the program that compresses",
        name, ending));
  }
  return set_text<"needs the name of a file", kPath...>(ask, name);
}

Status set_live_to(Ask *ask, const std::string &name) {
  if (!is_zstd_name(name))
    return set_new_file<&Ask::run, &RunSettings::live, &LiveSpec::path>(ask, name);
  return Status::error(name + ": interim answers are not compressed; leave out .zst");
}

// A value such as "30s" is a time; any other one is a size.
Status set_checkpoint_every(Ask *ask, const std::string &value) {
  KeepSpec &keep = ask->run.keep;
  if (value.ends_with('s')) {
    keep.every_bytes = INT64_MAX;
    return parse_integer(value.substr(0, value.size() - 1), 1, 1000000, &keep.every_seconds);
  }
  Status status = parse_size(value, &keep.every_bytes);
  if (status.is_ok() && keep.every_bytes < 1) return Status::error("must be at least 1");
  return status;
}

Status set_state_tiles(Ask *ask, const std::string &value) {
  constexpr i64 kLeast = i64{1} << 10, kMost = i64{1} << 40;
  i64 *const bytes = &ask->run.keep.tile_bytes;
  Status status = parse_size(value, bytes);
  if (!status.is_ok() || (*bytes >= kLeast && *bytes <= kMost)) return status;
  return Status::error("must be 1K to 1T");
}

Status set_resume(Ask *ask, const std::string &value) {
  using Resume = KeepSpec::Resume;
  ask->run.keep.resume = value == "require" ? Resume::require
                         : value == "never" ? Resume::never
                                            : Resume::automatic;
  return Status::ok();
}

const Option kCommonOptions[] = {
    {"-i, --ignore-case", nullptr, "fold the letters of keys to lower case", nullptr,
     set_flag<&Ask::ignore_case>},
    {"-z, -0, --zero-terminated", nullptr, "records end in NUL, in the input and in the output",
     nullptr,
     [](Ask *r, const std::string &) {
       r->input.terminator = '\0';
       r->display.terminator = '\0';
       return Status::ok();
     }},
    {"--by", "COLUMN[,COLUMN]", "order rows by these columns or expressions of them, ties by key",
     nullptr, set_text<"needs the name of a column", &Ask::by>, Effect::answer},
    {"--asc", nullptr, "ascending order (the default for text)", nullptr,
     [](Ask *r, const std::string &) { return set_direction(r, Ask::Direction::ascending); },
     Effect::answer},
    {"--desc", nullptr, "descending order (the default for numbers)", nullptr,
     [](Ask *r, const std::string &) { return set_direction(r, Ask::Direction::descending); },
     Effect::answer},
    {"--top", "N", "print only the first N rows; without --by: the highest counts", nullptr,
     set_integer<0, INT64_MAX, &Ask::top>, Effect::answer},
    {"--to", "FORMAT", "output format; auto: as -o FILE ends, or table or tsv", kFormatChoices,
     [](Ask *r, const std::string &value) {
       r->display.format = find_named<OutputFormat>(kOutputFormats, value);  // null for auto
       r->run.partial.is_wanted = value == "partial";
       return Status::ok();
     },
     Effect::answer},
    {"--header-out", "WHEN", "print column names first; auto: not in tsv, json and uniq",
     "auto|yes|no", set_when<"yes", &Ask::display, &Display::header>, Effect::answer},
    {"--raw", nullptr, "print keys in tsv without escapes", nullptr,
     set_flag<&Ask::display, &Display::raw>, Effect::answer},
    {"--human", nullptr, "print 12.3M for 12345678, in formats for people", nullptr,
     set_flag<&Ask::display, &Display::human>, Effect::answer},
    {"--round", "N", "decimal places of results, 0 to 18", nullptr,
     set_integer<0, 18, &Ask::display, &Display::style, &NumberStyle::round>, Effect::answer},
    {"--color", "WHEN", "colors in tables, drawings, grep; auto: on a terminal",
     "auto|always|never", set_when<"always", &Ask::display, &Display::color>, Effect::answer},
    kInputCommandOption,
    {"-o, --output", "FILE", "write to FILE, which appears whole or not at all", nullptr,
     set_new_file<&Ask::run, &RunSettings::output>, Effect::conduct},
    {"-j, --threads", "N", "number of worker threads, 1 to 1024; default: the CPUs allowed",
     nullptr, set_integer<1, 1024, &Ask::run, &RunSettings::threads>, Effect::conduct},
    {"-S, --memory", "SIZE", "memory limit; what does not fit goes to temporary files", nullptr,
     set_size<&Ask::run, &RunSettings::memory>, Effect::conduct},
    {"-T, --tmpdir", "DIR", "directory of temporary files; default: $TMPDIR, or /tmp", nullptr,
     set_text<"needs the name of a directory", &Ask::run, &RunSettings::tmpdir>, Effect::conduct},
    {"--state", "DIR", "keep what was read in DIR; the next time, read only what is new", nullptr,
     set_text<"needs the name of a directory", &Ask::run, &RunSettings::keep, &KeepSpec::path>,
     Effect::conduct},
    {"--state-wait", "SECONDS", "wait for another process to be done with DIR; default: 10",
     nullptr, set_integer<0, 1000000, &Ask::run, &RunSettings::keep, &KeepSpec::wait_seconds>,
     Effect::conduct},
    {"--state-gone", "WHAT", "what was read of files that are gone still counts, or not",
     "keep|drop",
     [](Ask *r, const std::string &value) {
       r->run.keep.drops_gone = value == "drop";
       return Status::ok();
     },
     Effect::conduct},
    {"--state-tiles", "SIZE", "find what has changed in files that are edited, by tiles of SIZE",
     nullptr, set_state_tiles, Effect::conduct},
    {"--state-last-line", "WHAT",
     "count or leave a last line that does not end; auto: count those of rotated files",
     "auto|count|leave",
     [](Ask *r, const std::string &value) {
       using LastLine = KeepSpec::LastLine;
       r->run.keep.last_line = value == "auto"    ? LastLine::automatic
                               : value == "count" ? LastLine::count
                                                  : LastLine::leave;
       return Status::ok();
     },
     Effect::conduct},
    {"--checkpoint", "DIR",
     "save now and then what is done in DIR; after a crash, go on from there", nullptr,
     set_text<"needs the name of a directory", &Ask::checkpoint>, Effect::conduct},
    {"--checkpoint-every", "SIZE", "how often: a size of input, or a time as 30s; default: 1G",
     nullptr, set_checkpoint_every, Effect::conduct},
    {"--resume", "WHEN", "go on from a checkpoint: if there is one, only if, or never",
     "auto|require|never", set_resume, Effect::conduct},
    {"--follow", nullptr, "go on with what is appended to the input, until SIGINT (Ctrl-C)",
     nullptr, set_flag<&Ask::run, &RunSettings::follows>, Effect::conduct},
    {"--live", "[=WHEN]", "show interim answers: each 2s, or =500ms, =10% of the input, =order",
     nullptr, [](Ask *r, const std::string &value) { return parse_live(value, &r->run.live); },
     Effect::conduct},
    {"--live-to", "FILE", "replace FILE by each interim answer, and by the last one", nullptr,
     set_live_to, Effect::conduct},
    {"--isolate", nullptr, "workers are processes: one that crashes or hangs costs little", nullptr,
     set_flag<&Ask::run, &RunSettings::isolation, &IsolationSpec::is_wanted>, Effect::conduct},
    {"--unit-timeout", "TIME", "with --isolate: end a worker that needs longer for a split, as 5s",
     nullptr,
     [](Ask *r, const std::string &value) {
       return parse_seconds(value, &r->run.isolation.unit_seconds);
     },
     Effect::conduct},
    {"--explain", "[=WHAT]", "print the plan, or the job, instead of running it", "plan|job",
     [](Ask *r, const std::string &value) {
       r->reporting.explain = value == "job" ? Reporting::Explain::job : Reporting::Explain::plan;
       r->input.wants_hint = true;
       return Status::ok();
     },
     Effect::ask},
    {"--stats", nullptr, "print time and memory on stderr, after the answer", nullptr,
     set_flag<&Ask::reporting, &Reporting::stats>, Effect::conduct},
    {"--progress", "WHEN", "show progress on stderr; auto: on a terminal", "auto|always|never",
     set_when<"always", &Ask::reporting, &Reporting::progress>, Effect::conduct},
    {"-q, --quiet", nullptr, "print no notes and no progress; errors are still printed", nullptr,
     set_flag<&Ask::reporting, &Reporting::quiet>, Effect::conduct},
    {"--io", "MODE", "how files are read", "auto|mmap|read",
     [](Ask *r, const std::string &value) {
       if (value != "auto") r->run.io = value == "mmap" ? IoMode::mmap : IoMode::read;
       return Status::ok();
     },
     Effect::conduct, true},
    {"--split", "SIZE", "bytes that a worker claims at a time; default: 256K to 2M", nullptr,
     set_size<&Ask::run, &RunSettings::split_bytes>, Effect::conduct, true},
    {"--tile", "SIZE", "bytes of input in a tile: auto, cache, off or a size", nullptr,
     [](Ask *r, const std::string &value) {
       r->run.tile_bytes = 0;
       r->run.tiling = value == "auto"    ? Tiling::automatic
                       : value == "cache" ? Tiling::cache
                                          : Tiling::fixed;
       if (r->run.tiling != Tiling::fixed || value == "off") return Status::ok();
       if (parse_size(value, &r->run.tile_bytes).is_ok()) return Status::ok();
       return Status::error(
           fmt::format("\"{}\" is not auto, cache, off or a size such as 64K or 2M", value));
     },
     Effect::conduct, true},
    {"--container", "NAME", "data structure that groups keys; auto: flat or array",
     container_choices(),
     [](Ask *r, const std::string &value) {
       if (value != "auto") r->run.container = find_named<ContainerType>(all_containers(), value);
       return Status::ok();
     },
     Effect::conduct, true},
    {"--engine", "NAME=VALUE", "switch a mechanism of the engine; see mrc-engine(7)", nullptr,
     [](Ask *r, const std::string &value) { return set_switch(value, &r->run.switches); },
     Effect::conduct, true, false, true},
    {"--pin", nullptr, "bind workers to CPUs; those that share a cache come first", nullptr,
     set_flag<&Ask::run, &RunSettings::pin>, Effect::conduct, true},
    {"--numa", "MODE", "give workers the input near them; off: treat all CPUs alike", "auto|off",
     [](Ask *r, const std::string &value) {
       r->run.numa = value == "auto";
       return Status::ok();
     },
     Effect::conduct, true},
};

const Option kHelpOptions[] = {
    {"-h", nullptr, "print short help", nullptr,
     [](Ask *r, const std::string &) {
       r->help = Ask::Help::brief;
       return Status::ok();
     },
     Effect::ask},
    {"--help", nullptr, "print the full help", nullptr,
     [](Ask *r, const std::string &) {
       r->help = Ask::Help::whole;
       return Status::ok();
     },
     Effect::ask},
};

Status set_input_command(Ask *ask, const std::string &value) {
  ask->run.input_command = value;
  if (value.empty()) return Status::error("needs a command, such as 'zcat {}'");
  return check_input_command(value);
}

}  // namespace

constinit const Option kInputCommandOption = {
    "--input-cmd",
    "CMD",
    "run CMD for each input, with its name for {}, and read what it prints",
    nullptr,
    set_input_command,
    Effect::input};
constinit const Option kHavingOption = {
    "--having",
    "EXPR",
    "print only groups for which EXPR holds; its names are columns",
    nullptr,
    add_condition<"needs a condition, such as count > 10", &Ask::having>,
    Effect::answer,
    false,
    false,
    true};
constinit const Option kStrictOption = {"--strict",
                                        nullptr,
                                        "make a bad record or value an error",
                                        nullptr,
                                        set_flag<&Ask::run, &RunSettings::strict>,
                                        Effect::answer};

constinit const Option kBadOption = {"--bad",
                                     "FILE",
                                     "keep bad records in FILE",
                                     nullptr,
                                     set_new_file<&Ask::run, &RunSettings::bad_path>,
                                     Effect::conduct};

std::span<const Option> common_options() { return kCommonOptions; }
std::span<const Option> help_options() { return kHelpOptions; }

}  // namespace mrc
