#include "fields/json_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

// The names of a path. A quote that nothing closes is part of its name.
std::vector<std::string> names_of(Bytes path) {
  std::vector<std::string> names;
  for (;;) {
    const size_t quote = path.starts_with('"') ? path.find('"', 1) : Bytes::npos;
    const bool quoted =
        quote != Bytes::npos && (quote + 1 == path.size() || path[quote + 1] == '.');
    const size_t dot = quoted ? quote + 1 : path.find('.');
    names.emplace_back(quoted ? path.substr(1, quote - 1) : path.substr(0, dot));
    if (dot == Bytes::npos || dot >= path.size()) return names;
    path.remove_prefix(dot + 1);
  }
}

i64 index_of(const std::string &name) {
  i64 index = -1;
  const char *end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, index);
  return error == std::errc() && stop == end && name[0] != '-' ? index : -1;
}

}  // namespace

Result<JsonPaths> JsonPaths::of(std::span<const FieldName> wanted) {
  JsonPaths paths;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const FieldName &field = wanted[i];
    if (field.number > 0) {
      return Status::error(fmt::format(
          "no field {}: the members of JSON objects have names; \"{}\" in quotes is one",
          field.number, field.number));
    }
    if (field.number == 0) {
      paths.whole_records_.push_back(i);
      continue;
    }
    const std::vector<std::string> names = names_of(field.text);
    paths.add(names, i);
    if (names.size() > 1) paths.add({field.text}, i);
  }
  return paths;
}

void JsonPaths::add(const std::vector<std::string> &path, size_t field) {
  size_t node = kRoot;
  for (const std::string &name : path) {
    auto step = std::ranges::find(nodes_[node].steps, name, &Step::name);
    if (step == nodes_[node].steps.end()) {
      nodes_[node].steps.push_back({name, index_of(name), size()});
      node = nodes_.size();
      nodes_.emplace_back();
    } else {
      node = static_cast<size_t>(step->node);
    }
  }
  nodes_[node].fields.push_back(field);
}

i64 JsonPaths::member(i64 node, Bytes name) const {
  for (const Step &step : nodes_[static_cast<size_t>(node)].steps) {
    if (step.name == name) return step.node;
  }
  return kUnwanted;
}

i64 JsonPaths::element(i64 node, i64 index) const {
  for (const Step &step : nodes_[static_cast<size_t>(node)].steps) {
    if (step.index == index) return step.node;
  }
  return kUnwanted;
}

std::string json_path(const std::string &path, Bytes name) {
  const bool plain = name.find_first_of(".\"") == Bytes::npos;
  const std::string step = plain ? std::string(name) : fmt::format("\"{}\"", name);
  return path.empty() ? step : path + "." + step;
}

}  // namespace mrc
