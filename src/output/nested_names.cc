#include "output/inner/nested_names.h"

#include "base/json_text.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace mrc {
namespace {

std::string as_json(std::string_view text) {
  std::string json;
  append_json(text, &json);
  return json;
}

// Returns -1 for a text that is no place in an array, such as 01.
i64 place_in_array(std::string_view part) {
  constexpr size_t kMostDigits = 9;
  const bool is_plain = !part.empty() && part.size() <= kMostDigits &&
                        std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; }) &&
                        (part.size() == 1 || part[0] != '0');
  return is_plain ? std::stoll(std::string(part)) : -1;
}

// True for a name that is no path: a part is empty, or there are too many.
bool is_one_part(std::string_view name) {
  return name.empty() || name.starts_with('.') || name.ends_with('.') ||
         name.find("..") != name.npos || std::ranges::count(name, '.') >= NestedNames::kMostParts;
}

}  // namespace

// Nodes by their paths, while names are added.
struct NestedNames::Tree {
  struct Entry {
    std::string_view name, whole;
    i64 number = -1;  // its place in an array; -1: it has none
    i64 value = -1;
    std::vector<size_t> members = {};
  };
  std::vector<Entry> entries{1};
  std::unordered_map<std::string_view, size_t> places;

  void add(std::string_view name, i64 value) {
    size_t at = 0;
    const bool is_one = is_one_part(name);
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = is_one ? name.size() : std::min(name.find('.', begin), name.size());
      at = member(at, name.substr(begin, end - begin), name.substr(0, end));
      begin = end + 1;
    }
    entries[at].value = value;
  }
  size_t member(size_t of, std::string_view name, std::string_view whole) {
    const auto [place, is_new] = places.try_emplace(whole, entries.size());
    if (!is_new) return place->second;
    entries.push_back({.name = name, .whole = whole, .number = place_in_array(name)});
    entries[of].members.push_back(place->second);
    return place->second;
  }
  // Puts elements of arrays in their order; other members keep that of the columns. Returns true
  // for an array.
  bool order_members(size_t of) {
    std::vector<size_t> &members = entries[of].members;
    const auto number = [&](size_t member) { return entries[member].number; };
    if (of == 0 || members.empty() || std::ranges::find(members, -1, number) != members.end()) {
      return false;
    }
    std::ranges::sort(members, {}, number);
    return number(members.back()) + 1 == std::ssize(members);
  }
};

NestedNames::NestedNames(std::span<const std::string> names) {
  Tree tree;
  for (size_t i = 0; i < names.size(); ++i) tree.add(names[i], static_cast<i64>(i));
  std::vector<bool> are_arrays;
  for (size_t i = 0; i < tree.entries.size(); ++i) are_arrays.push_back(tree.order_members(i));
  lay_out(tree, are_arrays, 0);
}

void NestedNames::lay_out(const Tree &tree, const std::vector<bool> &are_arrays, size_t from) {
  const Tree::Entry &entry = tree.entries[from];
  const size_t place = nodes_.size();
  nodes_.push_back({.name = as_json(entry.name),
                    .whole = as_json(entry.whole),
                    .value = entry.value,
                    .is_array = are_arrays[from]});
  for (const size_t member : entry.members) lay_out(tree, are_arrays, member);
  nodes_[place].end = nodes_.size();
}

class NestedNames::Record {
 public:
  Record(const std::vector<Node> &nodes, std::span<const Bytes> values, std::string *out)
      : nodes_(nodes), values_(values), out_(*out), before_(nodes.size() + 1) {
    for (size_t i = 0; i < nodes.size(); ++i) before_[i + 1] = before_[i] + (has_value(i) ? 1 : 0);
  }

  void append_object(size_t node) {
    out_.push_back('{');
    each_member(node, [&](size_t member) {
      if (!has_value(member)) return append_below(member);
      append_label(nodes_[member].name);
      append_value(member);
      for (size_t i = member + 1; i < nodes_[member].end; ++i) {
        if (!has_value(i)) continue;
        append_label(nodes_[i].whole);
        append_value(i);
      }
    });
    out_.push_back('}');
  }

 private:
  bool has_value(size_t node) const {
    const i64 value = nodes_[node].value;
    return value >= 0 && !values_[static_cast<size_t>(value)].empty();
  }
  // True if a value is there below the node.
  bool has_below(size_t node) const { return before_[nodes_[node].end] > before_[node + 1]; }
  template <typename Take>
  void each_member(size_t of, Take take) {
    for (size_t i = of + 1; i < nodes_[of].end; i = nodes_[i].end) take(i);
  }

  void append_comma() {
    const char last = out_.back();
    if (last != '{' && last != '[') out_.push_back(',');
  }
  void append_label(const std::string &name) {
    append_comma();
    out_.append(name).push_back(':');
  }
  void append_value(size_t node) { out_.append(values_[static_cast<size_t>(nodes_[node].value)]); }
  void append_below(size_t node) {
    if (!has_below(node)) return;
    append_label(nodes_[node].name);
    append_nested(node);
  }
  void append_nested(size_t node) { is_array(node) ? append_array(node) : append_object(node); }

  // An element with a value and others below it would lose its name.
  bool is_array(size_t node) {
    bool fits = nodes_[node].is_array;
    if (fits) each_member(node, [&](size_t i) { fits &= !has_value(i) || !has_below(i); });
    return fits;
  }
  void append_array(size_t node) {
    out_.push_back('[');
    const size_t all = before_[nodes_[node].end];
    each_member(node, [&](size_t element) {
      if (before_[element] == all) return;  // neither it nor a later one is there
      append_comma();
      if (has_value(element)) return append_value(element);
      has_below(element) ? append_nested(element) : void(out_.append("null"));
    });
    out_.push_back(']');
  }

  const std::vector<Node> &nodes_;
  const std::span<const Bytes> values_;
  std::string &out_;
  std::vector<size_t> before_;  // how many values are there before each node
};

void NestedNames::append(std::span<const Bytes> values, std::string *out) const {
  Record(nodes_, values, out).append_object(0);
}

}  // namespace mrc
