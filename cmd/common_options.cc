// The options that mean the same in all verbs.
#include "base/named.h"
#include "cmd/values.h"
#include "cmd/verb.h"

namespace mrc {
namespace {

// As in Option, from the table of containers.
const char *container_choices() {
  static const std::string choices = [] {
    std::string names = "auto";
    for (const ContainerType *type : all_containers()) names += "|" + std::string(type->name);
    return names;
  }();
  return choices.c_str();
}

constexpr const char *kFormatChoices = "auto"
#define OUTPUT_FORMAT(name) "|" #name
#include "output/formats.inc"
    ;

const Option kCommonOptions[] = {
    {"-i, --ignore-case", nullptr, "fold ASCII letters of keys to lower case", nullptr,
     set_flag<&Request::job, &Program::map, &MapSpec::ignore_case>},
    {"-z, -0, --zero-terminated", nullptr, "records end in NUL, in the input and in the output",
     nullptr,
     [](Request *r, const std::string &) {
       r->job.map.terminator = '\0';
       r->job.shape.terminator = '\0';
       return Status::ok();
     }},
    {"--by", "COLUMN[,COLUMN]", "order rows by these columns, ties by key", nullptr,
     set_text<"needs the name of a column", &Request::by>},
    {"--asc", nullptr, "ascending order (the default for text)", nullptr,
     [](Request *r, const std::string &) {
       return set_direction(r, Request::Direction::ascending);
     }},
    {"--desc", nullptr, "descending order (the default for numbers)", nullptr,
     [](Request *r, const std::string &) {
       return set_direction(r, Request::Direction::descending);
     }},
    {"--top", "N", "print only the first N rows; without --by: the highest counts", nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 0, INT64_MAX, &r->job.order.limit);
     }},
    {"--to", "FORMAT", "output format; auto: table on a terminal, else tsv", kFormatChoices,
     [](Request *r, const std::string &value) {
       r->format = find_named<OutputFormat>(kOutputFormats, value);  // null for auto
       return Status::ok();
     }},
    {"--header-out", "WHEN", "print column names first; auto: in csv, table, markdown, bars",
     "auto|yes|no",
     [](Request *r, const std::string &value) {
       r->header_out = parse_when(value, "yes");
       return Status::ok();
     }},
    {"--raw", nullptr, "print keys in tsv without escapes", nullptr,
     set_flag<&Request::job, &Program::shape, &RowShape::raw>},
    {"--human", nullptr, "print 12.3M for 12345678, in table, markdown and bars", nullptr,
     set_flag<&Request::human>},
    {"--round", "N", "decimal places of results, 0 to 18", nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 0, 18, &r->style.round.emplace());
     }},
    {"--color", "WHEN", "colors in tables, bars and grep; auto: on a terminal", "auto|always|never",
     [](Request *r, const std::string &value) {
       r->color = parse_when(value, "always");
       return Status::ok();
     }},
    {"-o, --output", "FILE", "write to FILE, which appears whole or not at all", nullptr,
     set_text<"needs the name of a file", &Request::job, &Program::output>},
    {"-j, --threads", "N", "number of worker threads, 1 to 1024; default: the CPUs allowed",
     nullptr,
     [](Request *r, const std::string &value) {
       return parse_integer(value, 1, 1024, &r->job.threads.emplace());
     }},
    {"-S, --memory", "SIZE", "memory limit; what does not fit goes to temporary files", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &r->job.memory.emplace());
     }},
    {"-T, --tmpdir", "DIR", "directory of temporary files; default: $TMPDIR, or /tmp", nullptr,
     set_text<"needs the name of a directory", &Request::job, &Program::tmpdir>},
    {"--explain", nullptr, "print the plan and its reasons, without running it", nullptr,
     set_flag<&Request::explain>},
    {"--stats", nullptr, "print time and memory on stderr, after the answer", nullptr,
     set_flag<&Request::stats>},
    {"--progress", "WHEN", "show progress on stderr; auto: on a terminal", "auto|always|never",
     [](Request *r, const std::string &value) {
       r->progress = parse_when(value, "always");
       return Status::ok();
     }},
    {"-q, --quiet", nullptr, "print no notes and no progress; errors are still printed", nullptr,
     set_flag<&Request::quiet>},
    {"--io", "MODE", "how files are read", "auto|mmap|read",
     [](Request *r, const std::string &value) {
       if (value != "auto") r->job.io = value == "mmap" ? IoMode::mmap : IoMode::read;
       return Status::ok();
     },
     true},
    {"--split", "SIZE", "bytes that a worker claims at a time; default: 256K to 2M", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &r->job.split_bytes.emplace());
     },
     true},
    {"--tile", "SIZE", "bytes of input in a tile; see mrc-engine(7)", nullptr,
     [](Request *r, const std::string &value) {
       return parse_size(value, &r->job.tile_bytes.emplace());
     },
     true},
    {"--container", "NAME", "data structure that groups keys; auto: flat", container_choices(),
     [](Request *r, const std::string &value) {
       if (value != "auto") r->job.container = find_named<ContainerType>(all_containers(), value);
       return Status::ok();
     },
     true},
    {"--engine", "NAME=VALUE", "switch a mechanism of the engine; see mrc-engine(7)", nullptr,
     [](Request *r, const std::string &value) { return set_switch(value, &r->job.switches); }, true,
     false, true},
    {"--pin", nullptr, "bind workers to CPUs; those that share a cache come first", nullptr,
     set_flag<&Request::job, &Program::pin>, true},
    {"--numa", "MODE", "give workers the input near them; off: treat all CPUs alike", "auto|off",
     [](Request *r, const std::string &value) {
       r->job.numa = value == "auto";
       return Status::ok();
     },
     true},
};

const Option kHelpOptions[] = {
    {"-h", nullptr, "print short help", nullptr,
     [](Request *r, const std::string &) {
       r->help = Request::Help::brief;
       return Status::ok();
     }},
    {"--help", nullptr, "print the full help", nullptr,
     [](Request *r, const std::string &) {
       r->help = Request::Help::whole;
       return Status::ok();
     }},
};

}  // namespace

constinit const Option kStrictOption = {"--strict", nullptr, "make a bad record or value an error",
                                        nullptr, set_flag<&Request::job, &Program::strict>};

constinit const Option kBadOption = {
    "--bad", "FILE", "keep bad records in FILE", nullptr,
    set_text<"needs the name of a file", &Request::job, &Program::bad_path>};

std::span<const Option> common_options() { return kCommonOptions; }
std::span<const Option> help_options() { return kHelpOptions; }

}  // namespace mrc
