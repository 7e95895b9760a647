// Options of verbs that read records with fields.
#include "base/names.h"
#include "base/text.h"
#include "cmd/values.h"
#include "cmd/verb.h"
#include "expr/expression.h"
#include "fields/binary.h"
#include "fields/format_text.h"
#include "fields/grok.h"
#include "fields/pattern.h"
#include "fields/server_format.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace mrc {
namespace {

FormatSpec *format_of(Ask *ask) {
  ask->reads_fields = true;
  return &ask->input;
}

template <Literal kError, auto... kPath>
Status set_of_fields(Ask *ask, const std::string &value) {
  ask->reads_fields = true;
  return set_text<kError, kPath...>(ask, value);
}

const Option kFieldOptions[] = {
    {"-k, --key", "FIELDS", "fields to group by or to print: FIELD[:BUCKET] or [NAME=]EXPRESSION",
     nullptr, set_of_fields<"needs the name or number of a field", &Ask::key>, Effect::state, false,
     true},
    {"-f, --from", "FORMAT", "input format; auto: detected from the first records",
     format_choices(),
     [](Ask *r, const std::string &value) { return choose_input(value, format_of(r)); },
     Effect::state, false, false, false,
     [](Ask *r, const std::string &value) {
       return meaning_of_format(value, &format_of(r)->pattern_name);
     }},
    {"--regex", "RE", "take the named groups of RE as fields; implies --from regex", nullptr,
     set_of_fields<"needs a regular expression", &Ask::input, &FormatSpec::regex>},
    {"--record-start", "RE", "a record begins at each line that RE matches, and has those after it",
     nullptr, set_of_fields<"needs a regular expression", &Ask::input, &FormatSpec::record_start>},
    {"--binary", "LAYOUT", "read records of binary fields, such as 'u32 id, f64 x, s10 name'",
     nullptr, [](Ask *r, const std::string &value) { return choose_layout(value, format_of(r)); }},
    {"--record", "BYTES", "read records of this size; their fields are bytes BEGIN:END", nullptr,
     [](Ask *r, const std::string &value) { return choose_record(value, format_of(r)); }},
    {"-d, --delimiter", "C", "field separator (\\t: a tab); implies --from fields", nullptr,
     [](Ask *r, const std::string &value) {
       return parse_byte(value, &format_of(r)->delimiter.emplace());
     }},
    {"--header-in", "WHEN", "whether the first record names the fields", "auto|yes|no",
     [](Ask *r, const std::string &value) {
       format_of(r)->header = parse_header(value);
       return Status::ok();
     }},
    {"-H", nullptr, "same as --header-in yes --header-out yes", nullptr,
     [](Ask *r, const std::string &) {
       format_of(r)->header = true;
       r->display.header = When::always;
       return Status::ok();
     }},
    {"--columns", "NAMES", "names of the fields, in order", nullptr,
     [](Ask *r, const std::string &value) {
       std::vector<std::string> *columns = &format_of(r)->columns;
       Status status = parse_names(value, columns);
       *columns = distinct_names(*columns);
       return status;
     }},
    {"--each", "FIELD[:SEP]",
     "use a record for each element of an array, or each piece of a text between SEP", nullptr,
     [](Ask *r, const std::string &value) { return choose_each(value, &format_of(r)->spread); },
     Effect::state, false, false, true},
    {"--stack", "COLUMNS",
     "use a record for each of these columns: [KEY,VALUE=]FIELDS; default: key,value", nullptr,
     [](Ask *r, const std::string &value) { return choose_stack(value, &format_of(r)->spread); },
     Effect::state, false, false, true},
    {"-w, --where", "EXPR", "use only records for which EXPR holds; see mrc-expressions(7)",
     nullptr,
     [](Ask *ask, const std::string &value) {
       ask->reads_fields = true;
       ask->where.push_back(value);
       return value.empty() ? Status::error("needs an expression") : Status::ok();
     },
     Effect::state, false, false, true},
    {"--within", "FIELDS", "groups in which functions such as lag() look at earlier records",
     nullptr, set_of_fields<"needs the name or number of a field", &Ask::within>, Effect::state,
     false, true},
    {"--since", "T", "use only records of this time or later", nullptr,
     set_of_fields<"needs a time", &Ask::since>},
    {"--until", "T", "use only records before this time", nullptr,
     set_of_fields<"needs a time", &Ask::until>},
    {"--tz", "ZONE", "time zone of times without one, and of the output; default: UTC", nullptr,
     set_text<"needs a time zone", &Ask::zone>},
    {"--dates", "ORDER", "order of day and month in dates such as 03/11/2026", "dmy|mdy",
     [](Ask *r, const std::string &value) {
       r->dates = r->input.dates = *find_date_order(value);
       return Status::ok();
     }},
    {"--geo", "FILE", "database of networks for geo(ADDRESS, PART); see mrc-expressions(7)",
     nullptr,
     [](Ask *ask, const std::string &value) {
       ask->geo.push_back(value);
       return value.empty() ? Status::error("needs the name of a file") : Status::ok();
     },
     Effect::state, false, false, true},
    {"--index-dir", "DIR",
     "directory of range indexes; default: beside the files; see mrc-index(1)", nullptr,
     set_text<"needs the name of a directory", &Ask::run, &RunSettings::ranges,
              &RangeIndexSpec::directory>,
     Effect::conduct},
    {"--kinds", "NAME=KIND,...", "kinds of fields, as another process has found them", nullptr,
     set_text<"needs names and kinds of fields", &Ask::kinds, &KindTexts::found>, Effect::state,
     true},
    {"--shown-kinds", "NAME=KIND,...", "the same, of fields that are shown", nullptr,
     set_text<"needs names and kinds of fields", &Ask::kinds, &KindTexts::shown>, Effect::answer,
     true},
    kStrictOption,
    kBadOption,
};

}  // namespace

std::span<const Option> field_options() { return kFieldOptions; }

namespace {

constexpr std::string_view kPattern = "pattern:", kGrok = "grok:";

std::string environment_text(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns "" if there is no such file.
Result<std::string> read_formats_file(const std::string &path) {
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
    if (word == "reader" || word == "mark" || word == "sign" || word == "names" ||
        word == "kinds") {
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
      const bool is_pattern = format == &LineFormat::pattern;
      names += "|" + std::string(format->name) +
               (is_pattern ? ":|" + server_format_names() + "|grok:" : "");
    }
    return names;
  }();
  return choices.c_str();
}

Status choose_layout(const std::string &text, FormatSpec *spec) {
  const Result<BinaryLayout> layout = BinaryLayout::parse(text);
  if (!layout.is_ok()) return layout.status();
  if (!spec->binary.empty() && spec->binary != text) {
    return Status::error("records have one layout: --binary or --record, once");
  }
  spec->binary = text;
  spec->record_bytes = layout->record_bytes;
  return Status::ok();
}

Status choose_record(const std::string &text, FormatSpec *spec) {
  i64 bytes = 0;
  Status status = parse_size(text, &bytes);
  return status.is_ok() ? choose_layout(BinaryLayout::of_size(bytes), spec) : status;
}

Status choose_input(const std::string &choice, FormatSpec *spec) {
  spec->pattern.clear();
  if (choice.starts_with(kPattern)) {
    spec->format = &LineFormat::pattern;
    spec->pattern = choice.substr(kPattern.size());
    const Result<Pattern> pattern = Pattern::compile(spec->pattern);
    return pattern.is_ok() ? Status::ok() : pattern.status();
  }
  if (choice.starts_with(kGrok)) {
    spec->format = &LineFormat::regex;
    Result<std::string> regex = regex_of_grok(choice.substr(kGrok.size()));
    if (!regex.is_ok()) return regex.status();
    spec->regex = std::move(*regex);
    return Status::ok();
  }
  spec->format = find_named<LineFormat>(line_formats(), choice);  // null for auto
  return Status::ok();
}

std::string own_formats_path() {
  const std::string config = environment_text("XDG_CONFIG_HOME"), home = environment_text("HOME");
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
  if (std::optional<Result<std::string>> pattern = pattern_of_server_format(name)) {
    if (!pattern->is_ok()) return pattern->status();
    *origin = name;
    return std::string(kPattern) + **pattern;
  }
  const bool known = name == "auto" || name.starts_with(kPattern) || name.starts_with(kGrok) ||
                     find_named<LineFormat>(line_formats(), name) != nullptr;
  const std::string path = own_formats_path();
  if (known || name.empty() || path.empty()) return name;
  const Result<std::string> text = read_formats_file(path);
  if (!text.is_ok()) return text.status();
  Result<std::string> pattern = find_own_format(*text, path, name);
  if (!pattern.is_ok()) return pattern.status();
  if (pattern->empty()) return name;
  *origin = fmt::format("{} of {}", name, path);
  return std::string(kPattern) + *pattern;
}

}  // namespace mrc
