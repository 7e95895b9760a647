#include "fields/inner/json_paths.h"

#include "base/typed_text.h"

#include <fmt/format.h>

#include <algorithm>

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
    for (const JsonAlias &alias : aliases) {
      if (alias.name == field.text) paths.add_both(alias.path, i);
    }
    if (field.whole) {
      paths.add({field.text}, i);
      continue;
    }
    paths.add_both(field.text, i);
  }
  return paths;
}

void JsonPaths::add_both(const std::string &path, size_t field) {
  const std::vector<std::string> names = names_of(path);
  add(names, field);
  if (names.size() > 1) add({path}, field);
}

void JsonPaths::add(const std::vector<std::string> &path, size_t field) {
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
  nodes_[node].fields.push_back(field);
}

void JsonPaths::add_step(Node *from, const std::string &name, i64 to) {
  from->members.add(name, to);
  const i64 index = index_of(name);
  if (index < 0) return;
  const auto after = std::ranges::upper_bound(from->elements, index, {}, &Element::index);
  from->elements.insert(after, {index, to});
}

i64 JsonPaths::member(i64 node, Bytes name) const {
  return nodes_[static_cast<size_t>(node)].members.find(name);
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

}  // namespace mrc
