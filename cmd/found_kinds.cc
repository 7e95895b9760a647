#include "cmd/found_kinds.h"

#include "base/text.h"
#include "base/typed_text.h"
#include "combine/formula.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

// Returns NAME=KIND[/UNIT][/WORDS of levels][/ORDER of day and month].
std::string text_of_kind(const std::string &name, const FieldKind &kind) {
  std::string text = fmt::format("{}={}", written_name(name, false), kind_name(kind.kind));
  const auto levels = static_cast<int>(kind.levels);
  if (kind.unit_ns != 0 || levels != 0) text += fmt::format("/{}", kind.unit_ns);
  if (levels != 0) text += fmt::format("/{}", levels);
  if (is_settled(kind.dates)) text += fmt::format("/{}", date_order_name(kind.dates));
  return text;
}

// Removes and returns the text before the next slash.
std::string_view take_part(std::string_view *text) {
  const std::string_view part = text->substr(0, text->find('/'));
  text->remove_prefix(std::min(part.size() + 1, text->size()));
  return part;
}

FieldKind kind_of_text(std::string_view text) {
  FieldKind kind;
  kind.kind = kind_named(take_part(&text));
  if (const auto order = find_date_order(text.substr(text.rfind('/') + 1))) {
    kind.dates = *order;
    text.remove_suffix(std::min(text.size(), date_order_name(*order).size() + 1));
  }
  int levels = 0;
  read_number(take_part(&text), &kind.unit_ns);
  if (read_number(take_part(&text), &levels)) kind.levels = static_cast<LevelWords>(levels);
  return kind;
}

std::map<std::string, FieldKind> kinds_of_text(const std::string &text) {
  std::map<std::string, FieldKind> kinds;
  const Result<std::vector<std::string>> items = split_list(text);
  if (text.empty() || !items.is_ok()) return kinds;
  for (const std::string &item : *items) {
    const size_t sign = std::min(find_last_unquoted(item, '='), item.size());
    kinds[without_quotes(item.substr(0, sign))] =
        kind_of_text(std::string_view(item).substr(std::min(sign + 1, item.size())));
  }
  return kinds;
}

}  // namespace

FoundKinds::FoundKinds(std::string given) : text_(std::move(given)), given_(kinds_of_text(text_)) {}

FieldKind FoundKinds::given(const std::string &field) const {
  const auto found = given_.find(field);
  return found == given_.end() ? FieldKind() : found->second;
}

// A text is treated like an unknown kind, so it is not kept.
void FoundKinds::add(const std::string &field, const FieldKind &kind) {
  const bool is_text = kind.kind == ValueKind::text || kind.kind == ValueKind::unknown;
  if (!is_text || is_settled(kind.dates)) asked_[field] = kind;
}

std::string FoundKinds::text() const {
  if (is_given()) return text_ == kNoKinds ? "" : text_;
  std::string text;
  for (const auto &[name, kind] : asked_) {
    text += text.empty() ? "" : ",";
    text += text_of_kind(name, kind);
  }
  return text;
}

}  // namespace mrc
