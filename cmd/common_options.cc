// The options that mean the same in all verbs.
#include "cmd/values.h"
#include "cmd/verb.h"

namespace mrc {
namespace {

const Option kCommonOptions[] = {
    {"-i, --ignore-case", nullptr, "fold ASCII letters of keys to lower case", nullptr,
     [](Request *r, const std::string &) {
       r->job.map.ignore_case = true;
       return Status::ok();
     }},
    {"-z, -0, --zero-terminated", nullptr, "records end in NUL, in and out", nullptr,
     [](Request *r, const std::string &) {
       r->job.map.terminator = '\0';
       r->job.shape.terminator = '\0';
       return Status::ok();
     }},
    {"--by", "COLUMN[,COLUMN]", "order by these columns; ties by key", nullptr,
     [](Request *r, const std::string &value) {
       r->by = value;
       return value.empty() ? Status::error("needs the name of a column") : Status::ok();
     }},
    {"--asc", nullptr, "ascending order (the default for text)", nullptr,
     [](Request *r, const std::string &) {
       return set_direction(r, Request::Direction::ascending);
     }},
    {"--desc", nullptr, "descending order (the default for numbers)", nullptr,
     [](Request *r, const std::string &) {
       return set_direction(r, Request::Direction::descending);
     }},
    {"--top", "N", "only the first N rows; without --by, ordered by count", nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 0, INT64_MAX, &r->job.order.limit);
     }},
    {"--to", "FORMAT", "output format; auto: a table on a terminal, else tsv",
     "auto|tsv|csv|json|table|markdown|bars|uniq",
     [](Request *r, const std::string &value) {
       r->format = value;
       return Status::ok();
     }},
    {"--header-out", "WHEN", "a line of column names; auto: in csv and for people", "auto|yes|no",
     [](Request *r, const std::string &value) {
       r->header_out = parse_when(value, "yes");
       return Status::ok();
     }},
    {"--raw", nullptr, "keys in tsv as they are, without escapes", nullptr,
     [](Request *r, const std::string &) {
       r->job.shape.raw = true;
       return Status::ok();
     }},
    {"--human", nullptr, "12.3M for 12345678, in formats for people", nullptr,
     [](Request *r, const std::string &) {
       r->human = true;
       return Status::ok();
     }},
    {"--round", "N", "digits behind the point of results, 0 to 18", nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 0, 18, &r->style.round.emplace());
     }},
    {"--color", "WHEN", "colors in tables, bars and grep; auto: on a terminal", "auto|always|never",
     [](Request *r, const std::string &value) {
       r->color = parse_when(value, "always");
       return Status::ok();
     }},
    {"-o, --output", "FILE", "write to FILE, which appears whole or not at all", nullptr,
     [](Request *r, const std::string &value) {
       r->job.output = value;
       return value.empty() ? Status::error("needs the name of a file") : Status::ok();
     }},
    {"-j, --threads", "N", "worker threads, 1 to 1024; default: the CPUs allowed", nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 1, 1024, &r->job.threads.emplace());
     }},
    {"-S, --memory", "SIZE", "memory to keep within; what does not fit is spilled", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &r->job.memory.emplace());
     }},
    {"-T, --tmpdir", "DIR", "where to spill; default: $TMPDIR, or /tmp", nullptr,
     [](Request *r, const std::string &value) {
       r->job.tmpdir = value;
       return value.empty() ? Status::error("needs the name of a folder") : Status::ok();
     }},
    {"--explain", nullptr, "print the plan and its reasons, and do nothing", nullptr,
     [](Request *r, const std::string &) {
       r->explain = true;
       return Status::ok();
     }},
    {"--stats", nullptr, "print what happened to stderr, after the answer", nullptr,
     [](Request *r, const std::string &) {
       r->stats = true;
       return Status::ok();
     }},
    {"--progress", "WHEN", "a progress line on stderr; auto: on a terminal", "auto|always|never",
     [](Request *r, const std::string &value) {
       r->progress = parse_when(value, "always");
       return Status::ok();
     }},
    {"-q, --quiet", nullptr, "no notes and no progress; errors remain", nullptr,
     [](Request *r, const std::string &) {
       r->quiet = true;
       return Status::ok();
     }},
    {"--io", "MODE", "how files are read", "auto|mmap|read",
     [](Request *r, const std::string &value) {
       if (value != "auto") r->job.io = value == "mmap" ? IoMode::mmap : IoMode::read;
       return Status::ok();
     },
     true},
    {"--split", "SIZE", "bytes that one worker claims at a time; default 256K to 2M", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &r->job.split_bytes.emplace());
     },
     true},
    {"--tile", "SIZE", "bytes of input after which partial results are reduced", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &r->job.tile_bytes.emplace());
     },
     true},
    {"--container", "NAME", "what groups keys; auto: flat",
     "auto|flat|hashtree|tree|fixed|append-sort|append-group|array",
     [](Request *r, const std::string &value) {
       if (value == "auto") return Status::ok();
       Result<ContainerKind> kind = parse_container(value);
       if (kind.is_ok()) r->job.container = *kind;
       return kind.status();
     },
     true},
    {"--engine", "NAME=VALUE", "switch a mechanism, for experiments; see mrc-engine(7)", nullptr,
     [](Request *r, const std::string &value) { return set_switch(value, &r->job.switches); }, true,
     false, true},
    {"--pin", nullptr, "bind workers to CPUs, those of one cache first", nullptr,
     [](Request *r, const std::string &) {
       r->job.pin = true;
       return Status::ok();
     },
     true},
    {"--numa", "MODE", "input for workers near it; off: all CPUs are alike", "auto|off",
     [](Request *r, const std::string &value) {
       r->job.numa = value == "auto";
       return Status::ok();
     },
     true},
};

const Option kHelpOptions[] = {
    {"-h", nullptr, "short help", nullptr,
     [](Request *r, const std::string &) {
       r->help = Request::Help::brief;
       return Status::ok();
     }},
    {"--help", nullptr, "the whole help", nullptr,
     [](Request *r, const std::string &) {
       r->help = Request::Help::whole;
       return Status::ok();
     }},
};

}  // namespace

constinit const Option kStrictOption = {"--strict", nullptr, "a bad record or value is an error",
                                        nullptr, [](Request *r, const std::string &) {
                                          r->job.strict = true;
                                          return Status::ok();
                                        }};

constinit const Option kBadOption = {
    "--bad", "FILE", "keep bad records in FILE", nullptr, [](Request *r, const std::string &value) {
      r->job.bad_path = value;
      return value.empty() ? Status::error("needs the name of a file") : Status::ok();
    }};

std::span<const Option> common_options() { return kCommonOptions; }
std::span<const Option> help_options() { return kHelpOptions; }

}  // namespace mrc
