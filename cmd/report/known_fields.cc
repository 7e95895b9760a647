#include "cmd/report/known_fields.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "expr/computed_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace mrc {
namespace {

// Fields with the time that a request has taken, in the order in which they are preferred.
constexpr std::string_view kSpans[] = {"request_time",  "duration_ms", "request_ms", "total_ms",
                                       "response_time", "duration",    "elapsed",    "took",
                                       "latency",       "rt"};

// True if the name can be written in expressions as it is.
bool is_word(const std::string &name) {
  const auto is_of_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  return !name.empty() && !is_digit(name[0]) && std::ranges::all_of(name, is_of_word);
}

}  // namespace

std::vector<std::string> words_of(std::string_view list, char separator) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    words.emplace_back(without_spaces_around(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

FirstFields FirstFields::in(const std::optional<FirstFile> &first) {
  if (!first) return {};
  FirstFields found{.format = first->dialect.format->name};
  for (const FieldReport &field : first->report.fields) {
    if (field.records > 0) found.fields.push_back({field.name, field.kind.kind});
  }
  return found;
}

FirstFields FirstFields::from_text(const std::string &text) {
  const Result<std::vector<std::string>> items = split_list(text);
  if (!items.is_ok() || items->empty()) return {};
  FirstFields found{.format = items->front()};
  for (const std::string &item : std::span(*items).subspan(1)) {
    const size_t sign = std::min(find_last_unquoted(item, '='), item.size());
    const std::string_view kind = std::string_view(item).substr(std::min(sign + 1, item.size()));
    found.fields.push_back({without_quotes(item.substr(0, sign)), kind_named(kind)});
  }
  return found;
}

std::string FirstFields::text() const {
  std::string text = format;
  for (const Field &field : fields) {
    text += fmt::format(",{}={}", written_name(field.name, false), kind_name(field.kind));
  }
  return text;
}

KnownFields::KnownFields(FirstFields found, const Ask &ask)
    : found_(std::move(found)),
      has_geo_(!ask.geo.empty()),
      shows_addresses_(!ask.report.anonymizes) {}

bool KnownFields::fit(std::string_view needs) const {
  return std::ranges::all_of(words_of(needs, ' '), [&](const std::string &word) {
    const bool is_unwanted = word.starts_with('-');
    return word == "several" || has(word.substr(is_unwanted ? 1 : 0)) != is_unwanted;
  });
}

ValueKind KnownFields::kind_of(const std::string &name) const {
  const FirstFields::Field *field = find(name);
  return field == nullptr ? ValueKind::unknown : field->kind;
}

std::string KnownFields::named(std::string text) const {
  for (const auto &[word, name] :
       {std::pair<std::string_view, std::string>{"TIME", time()}, {"SPAN", span()}}) {
    for (size_t at; (at = text.find(word)) != text.npos;) text.replace(at, word.size(), name);
  }
  return text;
}

bool KnownFields::has(const std::string &word) const {
  if (word == "geo") return has_geo_;
  if (word == "addresses") return shows_addresses_;
  if (word == "web") return find("path") != nullptr && find("status") != nullptr;
  if (word == "TIME") return !time().empty();
  if (word == "SPAN") return !span().empty();
  return find(word) != nullptr;
}

const FirstFields::Field *KnownFields::find(const std::string &name) const {
  const auto field = std::ranges::find(found_.fields, name, &FirstFields::Field::name);
  return field == found_.fields.end() ? nullptr : &*field;
}

// Returns the field `time` if it has times, or else the first that has.
std::string KnownFields::time() const {
  const auto is_time = [](const FirstFields::Field &field) {
    return field.kind == ValueKind::time && is_word(field.name);
  };
  const FirstFields::Field *usual = find("time");
  if (usual != nullptr && is_time(*usual)) return usual->name;
  const auto field = std::ranges::find_if(found_.fields, is_time);
  return field == found_.fields.end() ? "" : field->name;
}

std::string KnownFields::span() const {
  for (const std::string_view name : kSpans) {
    const FirstFields::Field *field = find(std::string(name));
    if (field == nullptr) continue;
    const bool is_amount = field->kind == ValueKind::number || field->kind == ValueKind::duration;
    if (is_amount) return std::string(name);
  }
  return "";
}

}  // namespace mrc
