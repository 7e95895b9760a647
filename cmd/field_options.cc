// Options of verbs that read records with fields.
#include "cmd/field_options.h"

#include "base/names.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "cmd/look.h"
#include "cmd/values.h"
#include "cmd/verb.h"
#include "expr/computed_field.h"
#include "expr/expression.h"
#include "fields/format_text.h"
#include "fields/pattern.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace mrc {
namespace {

FormatSpec *format_of(Request *request) {
  request->reads_fields = true;
  return &request->program.map.fields.format;
}

template <Literal kError, auto kMember>
Status set_of_fields(Request *request, const std::string &value) {
  request->reads_fields = true;
  return set_text<kError, kMember>(request, value);
}

std::optional<bool> parse_header(const std::string &when) {
  if (when == "auto") return std::nullopt;
  return when == "yes";
}

const Option kFieldOptions[] = {
    {"-k, --key", "FIELDS", "fields to group by or to print: FIELD[:BUCKET] or [NAME=]EXPRESSION",
     nullptr, set_of_fields<"needs the name or number of a field", &Request::key>, Effect::state,
     false, true},
    {"-f, --from", "FORMAT", "input format; auto: detected from the first records",
     format_choices(),
     [](Request *r, const std::string &value) { return choose_input(value, format_of(r)); },
     Effect::state, false, false, false,
     [](Request *r, const std::string &value) {
       return meaning_of_format(value, &format_of(r)->pattern_name);
     }},
    {"--regex", "RE", "take the named groups of RE as fields; implies --from regex", nullptr,
     [](Request *r, const std::string &value) {
       format_of(r)->regex = value;
       return value.empty() ? Status::error("needs a regular expression") : Status::ok();
     }},
    {"--record-start", "RE", "a record begins at each line that RE matches, and has those after it",
     nullptr,
     [](Request *r, const std::string &value) {
       format_of(r)->record_start = value;
       return value.empty() ? Status::error("needs a regular expression") : Status::ok();
     }},
    {"-d, --delimiter", "C", "field separator (\\t: a tab); implies --from fields", nullptr,
     [](Request *r, const std::string &value) {
       return parse_byte(value, &format_of(r)->delimiter.emplace());
     }},
    {"--header-in", "WHEN", "whether the first record names the fields", "auto|yes|no",
     [](Request *r, const std::string &value) {
       format_of(r)->header = parse_header(value);
       return Status::ok();
     }},
    {"-H", nullptr, "same as --header-in yes --header-out yes", nullptr,
     [](Request *r, const std::string &) {
       format_of(r)->header = true;
       r->both_headers = true;
       r->header_out = Request::When::always;
       return Status::ok();
     }},
    {"--columns", "NAMES", "names of the fields, in order", nullptr,
     [](Request *r, const std::string &value) {
       Result<std::vector<std::string>> names = split_names(value);
       if (names.is_ok()) format_of(r)->columns = std::move(*names);
       return names.status();
     }},
    {"-w, --where", "EXPR", "use only records for which EXPR holds; see mrc-expressions(7)",
     nullptr, set_of_fields<"needs an expression", &Request::where>},
    {"--since", "T", "use only records of this time or later", nullptr,
     set_of_fields<"needs a time", &Request::since>},
    {"--until", "T", "use only records before this time", nullptr,
     set_of_fields<"needs a time", &Request::until>},
    {"--tz", "ZONE", "time zone of times without one, and of the output; default: UTC", nullptr,
     set_text<"needs a time zone", &Request::zone>},
    {"--dates", "ORDER", "order of day and month in dates such as 03/11/2026", "dmy|mdy",
     [](Request *r, const std::string &value) {
       r->dates = r->program.map.fields.format.dates = *find_date_order(value);
       return Status::ok();
     }},
    {"--kinds", "NAME=KIND,...", "kinds of fields, as another process has found them", nullptr,
     set_text<"needs names and kinds of fields", &Request::given_kinds>, Effect::state, true},
    {"--shown-kinds", "NAME=KIND,...", "the same, of fields that are shown", nullptr,
     set_text<"needs names and kinds of fields", &Request::given_shown_kinds>, Effect::answer,
     true},
    kStrictOption,
    kBadOption,
};

// True if the answer may depend on the kinds of keys. A merge of partials and a later run with the
// same state have output options of their own, so for these it always may.
bool asks_kinds_of_keys(const Request &request) {
  const Program &program = request.program;
  return !request.having.empty() || !request.by.empty() || program.partial.is_wanted ||
         program.partial.merged != nullptr || !program.keep.path.empty() ||
         request.format == &OutputFormat::json;
}

// Options whose values are expressions, or lists of them.
constexpr std::string_view kExpressions[] = {"--where", "--having", "--key", "--aggregate", "--by"};

// Times without a year are of the year in which the newest input was changed, or of the year before
// if their month is after that of the change.
Clock clock_of(const Request &request) {
  const time_t newest = newest_change(request);
  struct tm date;
  gmtime_r(&newest, &date);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {.zone = request.zone,
          .year_of_now = date.tm_year + 1900,
          .month_of_now = date.tm_mon + 1,
          .now = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
          .dates = request.dates};
}

}  // namespace

i64 newest_change(const Request &request) {
  if (request.newest) return *request.newest;
  time_t newest = 0;
  for (const std::string &path : request.arguments) {
    struct stat info;
    const bool is_file = request.program.input_command.empty() && stat(path.c_str(), &info) == 0;
    if (is_file) newest = std::max(newest, info.st_mtime);
  }
  return newest == 0 ? time(nullptr) : newest;
}

std::span<const Option> field_options() { return kFieldOptions; }

Status prepare_fields(Request *request) {
  MapSpec *map = &request->program.map;
  map->records = MapSpec::Records::fields;
  map->fields.format.terminator = map->terminator;
  request->clock = clock_of(*request);
  if (Status status = check_clock(request->clock); !status.is_ok()) return status.within("--tz");
  const std::string &kept = request->program.keep.path;
  if (request->given_kinds.empty())
    take_kinds_of(kept.empty() ? request->checkpoint : kept, request);
  if (!request->kinds) request->kinds = sampled_kinds(*request);
  request->clock.kinds = request->kinds.get();
  if (!request->key.empty()) {
    Result<std::vector<FieldExpr>> keys =
        parse_keys(request->key, request->clock, &request->defined);
    if (!keys.is_ok()) return keys.status().within("--key");
    map->fields.keys = std::move(*keys);
    const bool asks_kinds = asks_kinds_of_keys(*request);
    for (FieldExpr &key : map->fields.keys) {
      const bool is_constant = key.computed && key.computed->fields().empty();
      if (is_constant && request->program.stage->makes == Makes::groups) {
        return Status::error(
            fmt::format("--key: {}: it has no field, and is the same for all records",
                        key.computed->expression().typed));
      }
      if (asks_kinds) key.kind = shown_kind_of_field(key, request->clock);
    }
  }
  Result<std::shared_ptr<const Filter>> filter =
      make_filter(request->where, request->since, request->until, request->clock);
  if (!filter.is_ok()) return filter.status();
  map->fields.filter = std::move(*filter);
  for (const LookupSpec &lookup : request->lookups) {
    request->program.lookups.push_back({.name = lookup.name, .field = lookup.field});
  }
  for (Job::Choice &choice : request->job.choices) {
    const bool is_bound = choice.option == "--since" || choice.option == "--until";
    if (is_bound) choice.value = with_instant(choice.value, request->clock);
    const bool is_expression =
        std::ranges::find(kExpressions, choice.option) != std::end(kExpressions);
    if (is_expression) choice.value = with_instants(choice.value, request->clock);
  }
  return Status::ok();
}

FieldExpr whole_record() {
  FieldExpr expr;
  expr.field = {"line", 0};
  expr.text = "line";
  return expr;
}

namespace {

constexpr std::string_view kPattern = "pattern:";

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns "" if there is no such file.
Result<std::string> read_file(const std::string &path) {
  const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) return std::string();
    return Status::from_errno(path, error);
  }
  std::string text;
  std::array<char, 4096> part;
  while (const size_t size = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part.data(), size);
  }
  if (std::ferror(file.get()) != 0) return Status::from_errno(path, errno);
  return text;
}

// Returns the pattern of a format, unless it has words that are for formats of mrc only.
Result<std::string> pattern_of(const WrittenFormat &format) {
  for (const auto &[word, text] : format.texts) {
    if (word == "reader" || word == "mark" || word == "names" || word == "kinds") {
      return Status::error(word + ": a format of your own has title, lines and pattern only");
    }
  }
  const std::string lines = format.text("lines", "records");
  if (lines != "joined" && lines != "records") {
    return Status::error("lines are records or joined, not " + lines);
  }
  if (format.text("pattern").empty()) {
    return Status::error(format.text("format") + " has no pattern: write one after its name");
  }
  const Result<Pattern> compiled = Pattern::compile(format.pattern());
  return compiled.is_ok() ? Result(format.pattern()) : compiled.status();
}

}  // namespace

const char *format_choices() {
  static const std::string choices = [] {
    std::string names = "auto";
    for (const LineFormat *format : line_formats()) {
      names += "|" + std::string(format->name) + (format == &LineFormat::pattern ? ":" : "");
    }
    return names;
  }();
  return choices.c_str();
}

Status choose_input(const std::string &choice, FormatSpec *spec) {
  spec->pattern.clear();
  if (choice.starts_with(kPattern)) {
    spec->format = &LineFormat::pattern;
    spec->pattern = choice.substr(kPattern.size());
    const Result<Pattern> pattern = Pattern::compile(spec->pattern);
    return pattern.is_ok() ? Status::ok() : pattern.status();
  }
  spec->format = find_named<LineFormat>(line_formats(), choice);  // null for auto
  return Status::ok();
}

std::string own_formats_path() {
  const std::string config = environment("XDG_CONFIG_HOME"), home = environment("HOME");
  if (config.starts_with('/')) return config + "/mrc/formats";
  return home.empty() ? "" : home + "/.config/mrc/formats";
}

Result<std::string> find_own_format(std::string_view text, const std::string &path,
                                    const std::string &name) {
  const WrittenFormats formats = read_formats(text, path);
  if (!formats.error.empty()) return Status::error(formats.error);
  for (const WrittenFormat &format : formats.all) {
    if (format.text("format") != name) continue;
    Result<std::string> pattern = pattern_of(format);
    return pattern.is_ok() ? pattern : pattern.status().within(format.place);
  }
  return std::string();
}

Result<std::string> meaning_of_format(const std::string &name, std::string *origin) {
  const bool known = name == "auto" || name.starts_with(kPattern) ||
                     find_named<LineFormat>(line_formats(), name) != nullptr;
  const std::string path = own_formats_path();
  if (known || name.empty() || path.empty()) return name;
  const Result<std::string> text = read_file(path);
  if (!text.is_ok()) return text.status();
  Result<std::string> pattern = find_own_format(*text, path, name);
  if (!pattern.is_ok()) return pattern.status();
  if (pattern->empty()) return name;
  *origin = fmt::format("{} of {}", name, path);
  return std::string(kPattern) + *pattern;
}

}  // namespace mrc
