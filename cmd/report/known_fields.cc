#include "cmd/report/known_fields.h"

#include "base/text.h"
#include "expr/computed_field.h"

#include <algorithm>

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

KnownFields::KnownFields(std::optional<FirstFile> first, const Ask &ask)
    : first_(std::move(first)),
      has_geo_(!ask.geo.empty()),
      shows_addresses_(!ask.report.anonymizes) {}

bool KnownFields::fit(std::string_view needs) const {
  return std::ranges::all_of(words_of(needs, ' '), [&](const std::string &word) {
    const bool is_unwanted = word.starts_with('-');
    return word == "several" || has(word.substr(is_unwanted ? 1 : 0)) != is_unwanted;
  });
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

const FieldReport *KnownFields::find(const std::string &name) const {
  const FieldReport *field = first_ ? first_->field(whole_name(name)) : nullptr;
  return field == nullptr || field->records == 0 ? nullptr : field;
}

// Returns the field `time` if it has times, or else the first that has.
std::string KnownFields::time() const {
  if (!first_) return "";
  const auto is_time = [](const FieldReport &field) {
    return field.kind.kind == ValueKind::time && is_word(field.name);
  };
  const FieldReport *usual = find("time");
  if (usual != nullptr && is_time(*usual)) return usual->name;
  const auto field = std::ranges::find_if(first_->report.fields, is_time);
  return field == first_->report.fields.end() ? "" : field->name;
}

std::string KnownFields::span() const {
  for (const std::string_view name : kSpans) {
    const FieldReport *field = find(std::string(name));
    if (field == nullptr) continue;
    const ValueKind kind = field->kind.kind;
    if (kind == ValueKind::number || kind == ValueKind::duration) return std::string(name);
  }
  return "";
}

}  // namespace mrc
