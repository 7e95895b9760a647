#include "cmd/introduction.h"

#include "base/one_line.h"
#include "base/text.h"
#include "cmd/messages.h"
#include "expr/computed_field.h"
#include "input/input.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace mrc {
namespace {

constexpr i64 kMostShown = 16;       // fields
constexpr size_t kLongExample = 40;  // texts with longer examples are messages

// Fields that people ask for first, the most wanted ones before others.
constexpr std::string_view kKeys[] = {"status", "level", "severity", "program", "logger",
                                      "host",   "path",  "method",   "ip"};
constexpr std::string_view kAmounts[] = {"bytes", "duration", "request_time", "size", "price"};
// Names, and last words of names, of numbers that are no amounts.
constexpr std::string_view kNumbered[] = {"status", "code", "pid",     "port",
                                          "line",   "id",   "version", "priority"};

struct Suggestion {
  std::string command, about;
};

bool varies(const FieldReport &field) { return field.examples.size() > 1; }

bool is_numbered(std::string_view name) {
  return std::ranges::any_of(kNumbered, [&](std::string_view word) {
    const bool is_whole =
        name.size() == word.size() || !is_letter(name[name.size() - word.size() - 1]);
    return name.ends_with(word) && is_whole;
  });
}

bool is_amount_field(const FieldReport &field) {
  const bool is_number =
      field.kind.kind == ValueKind::number || field.kind.kind == ValueKind::duration;
  return is_number && varies(field) && !is_numbered(field.name);
}

bool is_key(const FieldReport &field) {
  using enum ValueKind;
  const ValueKind kind = field.kind.kind;
  const bool is_kind = kind == text || kind == level || kind == truth || kind == address;
  return is_kind && varies(field) &&
         std::ranges::all_of(field.examples, [](const std::string &example) {
           return example.size() < kLongExample;
         });
}

// Returns the first field of `names` that has values, else the first one that fits, else null.
template <typename Fits>
const FieldReport *choose_field(std::span<const FieldReport> fields,
                                std::span<const std::string_view> names, Fits fits) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(fields, name, &FieldReport::name);
    if (found != fields.end() && !found->examples.empty()) return &*found;
  }
  const auto found = std::ranges::find_if(fields, fits);
  return found == fields.end() ? nullptr : &*found;
}

bool has_values(std::span<const FieldReport> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FieldReport::name);
  return found != fields.end() && !found->examples.empty();
}

// Words that shells leave as they are need no quotes.
std::string command_word(const std::string &text) {
  const bool is_plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("_-./:,@%+").find(c) != std::string::npos;
  });
  return is_plain ? text : shell_word(text);
}

// A path that begins with a minus is no option.
std::string file_word(const std::string &path) {
  return command_word(path.starts_with('-') ? "./" + path : path);
}

// Returns a field as expressions name it.
std::string field_word(const FieldReport &field) {
  const bool is_bare = std::ranges::all_of(field.name, [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("_.@").find(c) != std::string::npos;
  });
  return is_bare ? field.written : in_double_quotes(field.name);
}

std::vector<Suggestion> suggest_for_lines(const std::string &file) {
  return {{"mrc count " + file, "the most frequent lines"},
          {"mrc wordcount " + file, "the most frequent words"},
          {"mrc distinct -c " + file, "how many lines differ"}};
}

std::vector<Suggestion> suggest_for_fields(std::span<const FieldReport> fields,
                                           const std::string &file) {
  const FieldReport *key = choose_field(fields, kKeys, is_key);
  if (key == nullptr) key = &fields.front();
  const FieldReport *amount = choose_field(fields, kAmounts, is_amount_field);
  std::vector<Suggestion> list = {
      {fmt::format("mrc count -k {} {}", command_word(field_word(*key)), file),
       fmt::format("how often each {} occurs", visible(key->name))}};
  if (amount != nullptr && amount != key) {
    const std::string figures = fmt::format("count,mean:{0},p95:{0}", field_word(*amount));
    list.push_back({fmt::format("mrc stats -k {} -a {} {}", command_word(field_word(*key)),
                                command_word(figures), file),
                    fmt::format("{} by {}", visible(amount->name), visible(key->name))});
  } else {
    list.push_back({fmt::format("mrc distinct -c -k {} {}", command_word(field_word(*key)), file),
                    fmt::format("how many different values {} has", visible(key->name))});
  }
  const bool is_log =
      has_values(fields, "time") && (has_values(fields, "message") || has_values(fields, "path"));
  list.push_back(is_log ? Suggestion{"mrc report -o report.html " + file, "a page about all of it"}
                        : Suggestion{"mrc summary " + file, "the values of each field"});
  return list;
}

void append_suggestions(const std::vector<Suggestion> &list, std::string *out) {
  size_t width = 0;
  for (const Suggestion &each : list) width = std::max(width, each.command.size());
  out->append("\nTry:\n");
  for (const Suggestion &each : list) {
    fmt::format_to(std::back_inserter(*out), "  {:<{}}  # {}\n", each.command, width, each.about);
  }
}

}  // namespace

bool is_file(const std::string &word) {
  struct stat info;
  return stat(word.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

Result<std::string> introduction(const std::string &path) {
  FormatSpec format;
  format.names_fields = true;
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return Status::error(fmt::format(
        "{0} is no file, and can be read only once; the verb comes first: mrc VERB {0}", path));
  }
  const Result<Source> source = examine(path, "", content_of(0));
  if (!source.is_ok()) return source.status();
  const Result<Look> look = look_at(*source, format);
  if (!look.is_ok()) return look.status();
  std::string out;
  append_look(path, *look, kMostShown, &out);
  if (look->report.records == 0) return out;
  const std::string file = file_word(path);
  const bool is_text = look->dialect.format == &LineFormat::lines || look->report.fields.empty();
  append_suggestions(
      is_text ? suggest_for_lines(file) : suggest_for_fields(look->report.fields, file), &out);
  return out + "\nmrc help lists the verbs, mrc help guide has recipes by task.\n";
}

}  // namespace mrc
