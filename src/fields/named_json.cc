// The kinds of formats for JSON lines, and other names for the members of records.
#include "base/json_text.h"
#include "base/text.h"
#include "base/typed_text.h"
#include "fields/inner/named_formats.h"
#include "fields/json.h"
#include "kinds/level.h"
#include "kinds/timestamp.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>

namespace mrc {
namespace {

bool has(const std::vector<std::string> &names, Bytes name) {
  return std::ranges::any_of(
      names, [&](const std::string &one) { return one == name || without_quotes(one) == name; });
}

bool is_time_text(Bytes value) {
  const Timestamp found = find_timestamp(value);
  return found.size == std::ssize(value) && found.shape != TimeShape::none &&
         found.shape != TimeShape::clock && found.shape != TimeShape::uptime;
}
bool is_time_or_date(Bytes value) {
  const bool is_joined = value.size() == 8 && is_digits(value);  // 20261103
  return is_time_text(value) || is_joined || read_timestamp(value, DateOrder::day_first) ||
         read_timestamp(value, DateOrder::month_first);
}
bool is_level_or_number(Bytes value) {
  return is_log_level(value) || (is_digits(value) && value.size() <= 2);
}

// True if nine tenths of the values of a field fit, and there is a value.
bool most_values(const Dialect &dialect, const std::string &path, const InputHead &input,
                 bool (*fits)(Bytes)) {
  const std::vector<FieldName> wanted = {{path}};
  const std::unique_ptr<RecordBatch> batch = first_records(dialect, wanted, input);
  if (batch == nullptr) return false;
  i64 present = 0, agreeing = 0;
  for (size_t i = 0; i < static_cast<size_t>(batch->size); ++i) {
    const Bytes value = batch->fields[0][i];
    if (value.empty()) continue;
    ++present;
    agreeing += fits(value);
  }
  return present > 0 && agreeing * 10 >= present * 9;
}

// Named formats of JSON lines: members keep their paths, and some also have the names that other
// formats use for the same thing.

// Returns the paths to fields that have other names, the best first. The member of a field's own
// name is the last of them, but the first in logs of any program. Dialect::pattern has those that
// do not count, as "name=path name=path ...".
std::vector<JsonAlias> ranked_aliases(const Dialect &dialect) {
  const NamedFormat &row = *dialect.format->row;
  std::vector<JsonAlias> own, ranked = aliases_of(row);
  for (const JsonAlias &alias : ranked) {
    if (std::ranges::find(own, alias.name, &JsonAlias::name) == own.end()) {
      own.push_back({alias.name, alias.name});
    }
  }
  const bool is_any_log = row.kind == &kJsonLogKind;
  ranked.insert(is_any_log ? ranked.begin() : ranked.end(), own.begin(), own.end());
  const std::vector<std::string> others = words_in(dialect.pattern);
  std::erase_if(ranked, [&](const JsonAlias &alias) {
    return std::ranges::find(others, alias.name + "=" + alias.path) != others.end();
  });
  return ranked;
}

Result<std::unique_ptr<RecordReader>> make_named_json_reader(const Dialect &dialect,
                                                             std::span<const FieldName> wanted) {
  return make_json_reader(dialect, wanted, ranked_aliases(dialect));
}

// True if one of the names is the path, a name with its dots, or leads through it.
bool has_path(const std::vector<std::string> &names, const std::string &path) {
  return std::ranges::any_of(names, [&](const std::string &name) {
    return without_quotes(name) == path || name.starts_with(path + ".");
  });
}

Dialect with_format(const LineFormat &format, Dialect dialect) {
  dialect.format = &format;
  // A number in a path is an index in an array, which is not among the names.
  const auto has_member = [&](const std::string &path) {
    return has_path(dialect.names, path.substr(0, path.find(".0")));
  };
  add_aliases(*format.row, has_member, &dialect.names);
  return dialect;
}

Status complete_named_json(const InputHead &input, Dialect *dialect) {
  FormatSpec spec = input.spec;
  spec.format = &LineFormat::json;
  *dialect = with_format(*dialect->format, *sniff_json(spec, input.head, input.whole));
  return Status::ok();
}

using Fits = bool (*)(Bytes);

// Returns what the values of a field that may be the time or the level have to be; null for others.
// A field that has the name of a time may also be a date.
Fits test_of(const JsonAlias &alias) {
  if (alias.name == "level") return is_level_or_number;
  return alias.name != "time" ? nullptr : alias.path == "time" ? is_time_or_date : is_time_text;
}

// Returns the members that have the name of a time or a level, but other values. One that has the
// field's own name is the field nevertheless if no other member is.
std::string other_members(const Dialect &dialect, const NamedFormat &row, const InputHead &input) {
  std::vector<JsonAlias> all = aliases_of(row), others;
  all.insert(all.begin(), {{"time", "time"}, {"level", "level"}});
  std::vector<std::string> fitting;
  for (JsonAlias &alias : all) {
    const Fits fits = test_of(alias);
    if (fits == nullptr || !has_path(dialect.names, alias.path)) continue;
    if (most_values(dialect, alias.path, input, fits)) {
      fitting.push_back(alias.name);
    } else {
      others.push_back(std::move(alias));
    }
  }
  std::string words;
  for (const JsonAlias &alias : others) {
    if (alias.path == alias.name && !has_name(fitting, alias.name)) continue;
    words += alias.name + "=" + alias.path + " ";
  }
  return words;
}

// True if the record has a member of the name.
bool has_key(Bytes record, const std::string &quoted) {
  for (size_t at = record.find(quoted); at != Bytes::npos; at = record.find(quoted, at + 1)) {
    const Bytes next = record.substr(at + quoted.size());
    if (next.starts_with(':') || next.starts_with(" :")) return true;
  }
  return false;
}

// True if most records that may be objects have every mark; "a|b" is a or b.
bool has_marks(const NamedFormat &row, const std::vector<Bytes> &records) {
  std::vector<std::vector<std::string>> marks;
  for (const std::string &mark : words_in(row.mark)) {
    std::vector<std::string> &either = marks.emplace_back();
    for (Bytes left = mark; !left.empty();) {
      const size_t bar = std::min(left.find('|'), left.size());
      either.push_back(fmt::format("\"{}\"", left.substr(0, bar)));
      left.remove_prefix(std::min(bar + 1, left.size()));
    }
  }
  const auto has_all = [&](Bytes record) {
    return std::ranges::all_of(marks, [&](const std::vector<std::string> &either) {
      return std::ranges::any_of(either, [&](const auto &name) { return has_key(record, name); });
    });
  };
  i64 left = std::ssize(records) / 10;  // records that may lack one
  return std::ranges::all_of(records, [&](Bytes record) {
    return !record.starts_with('{') || has_all(record) || left-- > 0;
  });
}

// True if one of the first two records may be an object: a program may begin with a line of text.
bool may_be_json(const std::vector<Bytes> &records) {
  const std::span first(records.data(), std::min<size_t>(records.size(), 2));
  return std::ranges::any_of(first, [](Bytes record) { return record.starts_with('{'); });
}

std::optional<Dialect> recognize_named_json(const LineFormat &format, const InputHead &input,
                                            const std::vector<Bytes> &records) {
  if (!may_be_json(records)) return std::nullopt;
  if (!has_marks(*format.row, records)) return std::nullopt;
  std::optional<Dialect> dialect = sniff_json(input.spec, input.head, input.whole);
  if (!dialect) return std::nullopt;
  // A member called time may be a duration.
  const bool is_duration = has(dialect->names, "time") &&
                           most_values(*dialect, "time", input, is_json_number) &&
                           !has_meaning(*dialect, "time", input);
  if (is_duration) return std::nullopt;
  return with_format(format, std::move(*dialect));
}

// Recognizes JSON lines of any log whose time or level has another name.
std::optional<Dialect> recognize_json_log(const LineFormat &format, const InputHead &input,
                                          const std::vector<Bytes> &records) {
  if (!may_be_json(records)) return std::nullopt;
  std::optional<Dialect> dialect = sniff_json(input.spec, input.head, input.whole);
  if (!dialect || !has_log_members(*dialect, *format.row, input)) return std::nullopt;
  std::string others = other_members(*dialect, *format.row, input);
  Dialect log = with_format(format, std::move(*dialect));
  log.pattern = std::move(others);
  return log;
}

}  // namespace

std::vector<std::string> words_in(Bytes text) {
  std::vector<std::string> words;
  while (!(text = without_blanks_around(text)).empty()) {
    const size_t size = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return words;
}

std::vector<JsonAlias> aliases_of(const NamedFormat &row) {
  std::vector<JsonAlias> aliases;
  for (const std::string &word : words_in(row.rule)) {
    const size_t sign = word.find('=');
    aliases.push_back({word.substr(0, sign), word.substr(sign + 1)});
  }
  return aliases;
}

std::vector<JsonAlias> add_aliases(const NamedFormat &row,
                                   const std::function<bool(const std::string &)> &has,
                                   std::vector<std::string> *names) {
  std::vector<JsonAlias> added;
  for (JsonAlias &alias : aliases_of(row)) {
    const bool is_known = has_name(*names, alias.name) ||
                          std::ranges::find(added, alias.name, &JsonAlias::name) != added.end();
    if (!is_known && has(alias.path)) added.push_back(std::move(alias));
  }
  const auto added_names = added | std::views::transform(&JsonAlias::name);
  names->insert(names->begin(), added_names.begin(), added_names.end());
  return added;
}

bool has_meaning(const Dialect &dialect, const std::string &name, const InputHead &input) {
  return most_values(dialect, name, input, test_of({name, name}));
}

bool has_log_members(const Dialect &dialect, const NamedFormat &row, const InputHead &input) {
  const std::vector<JsonAlias> aliases = aliases_of(row);
  const auto finds = [&](const std::string &name) {
    if (has(dialect.names, name) && has_meaning(dialect, name, input)) return false;
    return std::ranges::any_of(aliases, [&](const JsonAlias &alias) {
      return alias.name == name && has(dialect.names, alias.path) &&
             most_values(dialect, alias.path, input, test_of(alias));
    });
  };
  return finds("time") || finds("level");
}

constinit const NamedKind kJsonLogKind = {
    make_named_json_reader, complete_named_json, recognize_json_log, false, true, true,
    make_json_finder};
constinit const NamedKind kJsonKind = {
    make_named_json_reader, complete_named_json, recognize_named_json, false, true, true,
    make_json_finder};

}  // namespace mrc
