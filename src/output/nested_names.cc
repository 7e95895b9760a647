#include "output/inner/nested_names.h"

#include "base/json_text.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns -1 for a text that no array has as the number of an element, such as 01.
i64 number_of(std::string_view part) {
  constexpr size_t kMostDigits = 9;
  const bool is_plain = !part.empty() && part.size() <= kMostDigits &&
                        std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; }) &&
                        (part.size() == 1 || part[0] != '0');
  return is_plain ? std::stoll(std::string(part)) : -1;
}

std::string as_json(std::string_view text) {
  std::string json;
  append_json(text, &json);
  return json;
}

bool has_empty_part(std::string_view name) {
  return name.empty() || name.starts_with('.') || name.ends_with('.') ||
         name.find("..") != name.npos;
}

}  // namespace

NestedNames::NestedNames(std::span<const std::string> names) {
  for (size_t i = 0; i < names.size(); ++i) add(names[i], static_cast<i64>(i));
  order_elements(&root_);
}

void NestedNames::add(std::string_view name, i64 value) {
  Node *node = &root_;
  const bool is_one = has_empty_part(name);
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = is_one ? name.size() : std::min(name.find('.', begin), name.size());
    node = member(name.substr(begin, end - begin), name.substr(0, end), node);
    begin = end + 1;
  }
  node->value = value;
}

NestedNames::Node *NestedNames::member(std::string_view name, std::string_view whole, Node *of) {
  const std::string json = as_json(name);
  const auto known = std::ranges::find(of->members, json, &Node::name);
  if (known != of->members.end()) return &*known;
  return &of->members.emplace_back(
      Node{.name = json, .whole = as_json(whole), .number = number_of(name), .members = {}});
}

// Puts elements of arrays in their order; other members keep that of the columns.
void NestedNames::order_elements(Node *node) {
  for (Node &each : node->members) order_elements(&each);
  if (std::ranges::find(node->members, -1, &Node::number) == node->members.end()) {
    std::ranges::stable_sort(node->members, {}, &Node::number);
  }
}

class NestedNames::Members {
 public:
  Members(std::span<const Bytes> values, std::string *out) : values_(values), out_(*out) {}

  void append_object(const Node &node) {
    out_.push_back('{');
    append_members(node);
    out_.push_back('}');
  }

 private:
  bool has_value(const Node &node) const {
    return node.value >= 0 && !values_[static_cast<size_t>(node.value)].empty();
  }
  bool has_members(const Node &node) const {
    return std::ranges::any_of(
        node.members, [&](const Node &each) { return has_value(each) || has_members(each); });
  }
  // True if the members that are there have the numbers of elements, from 0 on.
  bool is_array(const Node &node) const {
    i64 next = 0;
    for (const Node &each : node.members) {
      const bool is_plain = has_value(each), is_nested = has_members(each);
      if (!is_plain && !is_nested) continue;
      if ((is_plain && is_nested) || each.number != next) return false;
      ++next;
    }
    return true;
  }

  void append_comma() {
    const char last = out_.back();
    if (last != '{' && last != '[') out_.push_back(',');
  }
  void append_value(const Node &node) { out_.append(values_[static_cast<size_t>(node.value)]); }
  void append_label(const std::string &name) {
    append_comma();
    out_.append(name).push_back(':');
  }
  void append_members(const Node &node) {
    for (const Node &each : node.members) {
      if (has_value(each)) {
        append_label(each.name);
        append_value(each);
        append_beside(each);
      } else if (has_members(each)) {
        append_label(each.name);
        append_nested(each);
      }
    }
  }
  // Appends what is below a value with its whole names.
  void append_beside(const Node &node) {
    for (const Node &each : node.members) {
      if (has_value(each)) {
        append_label(each.whole);
        append_value(each);
      }
      append_beside(each);
    }
  }
  void append_nested(const Node &node) {
    if (!is_array(node)) return append_object(node);
    out_.push_back('[');
    for (const Node &each : node.members) {
      const bool is_plain = has_value(each);
      if (!is_plain && !has_members(each)) continue;
      append_comma();
      is_plain ? append_value(each) : append_nested(each);
    }
    out_.push_back(']');
  }

  const std::span<const Bytes> values_;
  std::string &out_;
};

void NestedNames::append(std::span<const Bytes> values, std::string *out) const {
  Members(values, out).append_object(root_);
}

}  // namespace mrc
