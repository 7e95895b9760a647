#include "fields/inner/json_record.h"

#include "base/json_text.h"
#include "base/text.h"
#include "base/typed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// Takes a quoted name from the path. Returns false if there is none that ends at a dot or the end.
bool take_quoted(Bytes *path, std::string *name) {
  const size_t size = path->starts_with('"') ? read_quoted(*path, name) : 0;
  path->remove_prefix(size);
  return size > 0 && (path->empty() || path->starts_with('.'));
}

// Splits a path into names. A quote that nothing closes is part of its name.
std::vector<std::string> names_of(Bytes path) {
  std::vector<std::string> names;
  for (;;) {
    Bytes rest = path;
    std::string name;
    if (!take_quoted(&rest, &name)) {
      name = path.substr(0, path.find('.'));
      rest = path.substr(name.size());
    }
    names.push_back(std::move(name));
    if (rest.empty()) return names;
    path = rest.substr(1);
  }
}

i64 index_of(const std::string &name) {
  i64 index = -1;
  return read_number(name, &index) && name[0] != '-' ? index : -1;
}

// The second stage of a JSON parser, in place of simdjson's. It checks the whole record,
// whatever fields are wanted, but it converts nothing. The index has only the beginnings of
// tokens. The end of a token is found backwards from the next token, because only blanks can be
// between them.

}  // namespace

Result<JsonPaths> JsonPaths::of(std::span<const FieldName> wanted,
                                std::span<const JsonAlias> aliases) {
  JsonPaths paths;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const FieldName &field = wanted[i];
    if (field.number > 0) {
      return Status::error(fmt::format(
          "no field {} in json; members have names, not numbers; \"{}\" in quotes is a name",
          field.number, field.number));
    }
    if (field.number == 0) {
      paths.whole_records_.push_back(i);
      continue;
    }
    if (!field.path.empty()) {
      paths.add(names_of(field.path), {i, 0, true});
      continue;
    }
    size_t rank = 0;
    for (const JsonAlias &alias : aliases) {
      if (alias.name == field.text) paths.add_both(alias.path, {i, rank++});
    }
    if (field.whole) {
      paths.add({field.text}, {i, rank});
    } else if (rank == 0) {
      paths.add_both(field.text, {i, rank});
    }
  }
  return paths;
}

void JsonPaths::add_both(const std::string &path, Target target) {
  const std::vector<std::string> names = names_of(path);
  target.rank *= 2;
  add(names, target);
  ++target.rank;
  if (names.size() > 1) add({path}, target);
}

void JsonPaths::add(const std::vector<std::string> &path, Target target) {
  size_t node = kRoot;
  for (const std::string &name : path) {
    i64 next = nodes_[node].members.find(name);
    if (next < 0) {
      next = size();
      add_step(&nodes_[node], name, next);
      nodes_.emplace_back();
    }
    node = static_cast<size_t>(next);
  }
  nodes_[node].fields.push_back(target);
}

void JsonPaths::add_step(Node *from, const std::string &name, i64 to) {
  from->members.add(name, to);
  from->filter |= u64{1} << filter_bit(name);
  const i64 index = index_of(name);
  if (index < 0) return;
  const auto after = std::ranges::upper_bound(from->elements, index, {}, &Element::index);
  from->elements.insert(after, {index, to});
}

i64 JsonPaths::element(i64 node, i64 index) const {
  const std::vector<Element> &elements = nodes_[static_cast<size_t>(node)].elements;
  const auto found = std::ranges::lower_bound(elements, index, {}, &Element::index);
  return found != elements.end() && found->index == index ? found->node : kUnwanted;
}

std::string json_path(const std::string &path, Bytes name) {
  if (path.empty()) return written_name(name, true);
  // Only a path that is a single number could be taken for the number of a field.
  const bool index = index_of(std::string(name)) >= 0;
  return path + "." + (index ? std::string(name) : written_name(name, true));
}

JsonRecord::JsonRecord(const JsonPaths &paths, JsonIndex *index, RecordBatch *batch)
    : paths_(paths),
      index_(index),
      batch_(batch),
      visited_(static_cast<size_t>(paths.size())),
      ranks_(batch->fields.size()) {}

void JsonRecord::begin(Bytes text) {
  base_ = text.data();
  place_ = index_->places();
}

bool JsonRecord::move_to(Bytes line) {
  record_ = line;
  end_ = line.data() + line.size();
  while (at() < line.data()) ++place_;
  return at() < end_;
}

const char *JsonRecord::walk() { return token() == '{' ? walk_value() : "no JSON object"; }

const char *JsonRecord::walk_value() {
  has_escapes_ = std::memchr(record_.data(), '\\', record_.size()) != nullptr;
  reason_ = nullptr;
  ++number_;
  const size_t row = static_cast<size_t>(batch_->size);
  for (RecordBatch::Column &column : batch_->fields) column[row] = Bytes();
  if (value(JsonPaths::kRoot, 0) && at() < end_) fail("something follows the object");
  for (size_t field : paths_.whole_records()) batch_->fields[field][row] = record_;
  return reason_;
}

bool JsonRecord::value(i64 node, i64 depth) {
  if (depth > kMostDepth) return fail("nested too deep");
  switch (token()) {
    case '"': return string(node);
    case '{':
    case '[': {
      const char *begin = at();
      const char next = base_[place_[1]];
      if (!(*begin == '{' ? object(node, depth) : array(node, depth))) return false;
      if (node >= 0) set(node, Bytes(begin, base_ + place_[-1] + 1), next != '}' && next != ']');
      return true;
    }
    case '\0': return fail("ends too early");
    default: return scalar(node);
  }
}

bool JsonRecord::object(i64 node, i64 depth) {
  ++place_;
  if (token() == '}') return ++place_, true;
  for (;;) {
    i64 member = JsonPaths::kUnwanted;
    if (!key(node, &member)) return false;
    if (!skip_string(member) && !value(member, depth + 1)) return false;
    const char next = token();
    if (next != ',' && next != '}') return fail("no comma between members");
    ++place_;
    if (next == '}') return true;
  }
}

bool JsonRecord::array(i64 node, i64 depth) {
  ++place_;
  if (token() == ']') return ++place_, true;
  for (i64 index = 0;; ++index) {
    const i64 element = node < 0 ? node : paths_.element(node, index);
    if (!skip_string(element) && !value(element, depth + 1)) return false;
    const char next = token();
    if (next != ',' && next != ']') return fail("no comma between elements");
    ++place_;
    if (next == ']') return true;
  }
}

// Reads a member's name and the colon after it. If a name occurs twice, the first member counts.
bool JsonRecord::key(i64 node, i64 *member) {
  if (token() != '"') return fail("a member has no name in quotes");
  const char *begin = at() + 1;
  ++place_;
  if (token() != ':') return fail("no colon after a name");
  if (node < 0 && !has_escapes_) return ++place_, true;
  Bytes name(begin, token_end() - 1);
  ++place_;
  if (has_escapes_ && !unescaped(name, &name)) return false;
  if (node < 0) return true;
  *member = paths_.member(node, name);
  if (*member < 0) return true;
  u64 *visited = &visited_[static_cast<size_t>(*member)];
  if (*visited == number_) *member = JsonPaths::kUnwanted;
  *visited = number_;
  return true;
}

bool JsonRecord::string(i64 node) {
  const char *begin = at() + 1;
  ++place_;
  Bytes text(begin, token_end() - 1);
  if (has_escapes_ && !unescaped(text, &text)) return false;
  if (node >= 0) set(node, text);
  return true;
}

bool JsonRecord::scalar(i64 node) {
  const char *begin = at();
  ++place_;
  const Bytes text(begin, token_end());
  if (is_digit(*begin) || *begin == '-') {
    if (!is_json_number(text)) return fail("a bad number");
  } else if (text == "null") {
    return true;
  } else if (text != "true" && text != "false") {
    return fail("a value that is none of JSON's");
  }
  if (node >= 0) set(node, text);
  return true;
}

// Returns false if an escape is invalid. A string without escapes is not copied. A copy has a quote
// before it, too: see is_json_string().
bool JsonRecord::unescaped(Bytes raw, Bytes *meaning) {
  if (std::memchr(raw.data(), '\\', raw.size()) == nullptr) return true;
  char *to = reinterpret_cast<char *>(batch_->unescaped.alloc(std::ssize(raw) + 1 + kPadding));
  *to++ = '"';
  const char *end = index_->unescape(raw.data(), to);
  if (end == nullptr) return fail("a wrong escape in a string");
  *meaning = Bytes(to, static_cast<size_t>(end - to));
  return true;
}

void JsonRecord::set(i64 node, Bytes value, bool has_members) {
  for (const auto &[field, rank, leaf] : paths_.fields(node)) {
    if (leaf && has_members) continue;
    Bytes *to = &batch_->fields[field][static_cast<size_t>(batch_->size)];
    if (to->data() != nullptr && rank >= ranks_[field]) continue;
    *to = value;
    ranks_[field] = rank;
  }
}

}  // namespace mrc
