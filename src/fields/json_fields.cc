// Finds the members of JSON records. They form a tree, in which a walk over a record moves along.
// Most records have the members of the one before in the same order, so each member is first
// compared with the one that followed before.
#include "base/text.h"
#include "base/typed_text.h"
#include "fields/found_fields.h"
#include "fields/inner/json_record.h"
#include "fields/json.h"

#include <cstring>

namespace mrc {
namespace {

class JsonFinder : public FieldFinder {
 public:
  void add(Bytes record, u64 position) override;
  void move_to(FoundFields *fields) override { move_to(kRoot, fields); }

 private:
  static constexpr size_t kRoot = 0;
  static constexpr size_t kNone = SIZE_MAX;

  // A member or an element. `members` has those in it.
  struct Node {
    FoundField field = {};
    std::vector<std::pair<std::string, size_t>> members = {};  // by names without escapes
    NameIndex places = {};                                     // in `members`
    std::vector<size_t> elements = {};  // the same by indices, up to the last known one
    u64 record = 0;                     // number of the last record that has it
  };

  bool is_full() const { return leaves_ > FoundFields::kMost || bytes_ > FoundFields::kMostBytes; }
  size_t make_node(FoundField field);
  size_t member(size_t node, size_t *next);
  size_t add_member(size_t node, Bytes name);
  size_t element(size_t node, size_t index);
  void value(size_t node);
  void object(size_t node);
  void array(size_t node);
  void see(size_t node, char first);
  void skip() { place_ = place_after_value(base_, place_); }
  Bytes name_here() const;
  void move_to(size_t node, FoundFields *fields);

  char token() const { return base_[*place_]; }

  JsonIndex index_;
  const char *base_ = nullptr;
  const u32 *place_ = nullptr;
  u64 position_ = 0, place_in_record_ = 0, record_ = 0;
  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::string unescaped_;
  i64 leaves_ = 0, bytes_ = 0;
};

void JsonFinder::add(Bytes record, u64 position) {
  if (is_full() || index_.build(record) != nullptr) return;
  base_ = record.data();
  place_ = index_.places();
  if (token() != '{') return;
  position_ = position;
  place_in_record_ = 0;
  ++record_;
  if (base_[place_[1]] != '}') object(kRoot);
}

size_t JsonFinder::make_node(FoundField field) {
  bytes_ += std::ssize(field.path);
  nodes_.push_back({.field = std::move(field)});
  return nodes_.size() - 1;
}

// Returns the name of the member that is next.
Bytes JsonFinder::name_here() const {
  const Bytes text = Bytes(base_ + *place_, place_[1] - *place_);
  return text.substr(1, text.rfind('"') - 1);
}

size_t JsonFinder::add_member(size_t node, Bytes name) {
  const FoundField &of = nodes_[node].field;
  const size_t added =
      make_node({.path = json_path(of.path, name),
                 .name = node == kRoot ? std::string(name) : of.name + "." + std::string(name)});
  nodes_[node].places.add(name, std::ssize(nodes_[node].members));
  nodes_[node].members.emplace_back(name, added);
  return added;
}

// Takes a name and the colon after it. *next is the place of the member that is expected.
size_t JsonFinder::member(size_t node, size_t *next) {
  Bytes name = name_here();
  if (std::memchr(name.data(), '\\', name.size()) != nullptr) {
    unescaped_.resize(name.size() + kPadding);
    const char *end = index_.unescape(name.data(), unescaped_.data());
    name = Bytes(unescaped_).substr(0, static_cast<size_t>(end - unescaped_.data()));
  }
  place_ += 2;
  const Node &of = nodes_[node];
  if (*next < of.members.size() && of.members[*next].first == name) {
    return of.members[(*next)++].second;
  }
  const i64 found = of.places.find(name);
  if (found < 0) {
    if (is_full()) return kNone;
    *next = of.members.size() + 1;
    return add_member(node, name);
  }
  *next = static_cast<size_t>(found) + 1;
  return of.members[static_cast<size_t>(found)].second;
}

// An element has the path of a member whose name is its index, and is the same field.
size_t JsonFinder::element(size_t node, size_t index) {
  if (index < nodes_[node].elements.size()) return nodes_[node].elements[index];
  if (is_full()) return kNone;
  const std::string step = std::to_string(index);
  const i64 found = nodes_[node].places.find(step);
  const size_t element =
      found < 0 ? add_member(node, step) : nodes_[node].members[static_cast<size_t>(found)].second;
  nodes_[node].elements.push_back(element);
  return element;
}

void JsonFinder::value(size_t node) {
  const char first = token();
  const bool is_structure = first == '{' || first == '[';
  if (is_structure && base_[place_[1]] != '}' && base_[place_[1]] != ']') {
    nodes_[node].field.has_members = nodes_[node].field.has_other = true;
    return first == '{' ? object(node) : array(node);
  }
  place_ += is_structure ? 2 : 1;
  see(node, first);
}

// If several members have the same name, the first counts.
void JsonFinder::object(size_t node) {
  ++place_;
  size_t next = 0;
  do {
    const size_t child = member(node, &next);
    if (child == kNone || nodes_[child].record == record_) {
      skip();
    } else {
      nodes_[child].record = record_;
      value(child);
    }
  } while (base_[*place_++] == ',');
}

void JsonFinder::array(size_t node) {
  ++place_;
  size_t index = 0;
  do {
    const size_t child = element(node, index++);
    child == kNone ? skip() : value(child);
  } while (base_[*place_++] == ',');
}

// `first`: first byte of the value.
void JsonFinder::see(size_t node, char first) {
  FoundField &field = nodes_[node].field;
  const u64 place = place_in_record_++;
  if (field.position == ~u64{0}) ++leaves_;
  const bool is_value = first != 'n', is_number = is_digit(first) || first == '-';
  field.has_value |= is_value;
  field.has_number |= is_number;
  field.has_other |= is_value && !is_number;
  if (position_ >= field.position) return;
  field.position = position_;
  field.place = place;
}

void JsonFinder::move_to(size_t node, FoundFields *fields) {
  const Node &of = nodes_[node];
  if (node != kRoot) fields->add(of.field);
  for (const auto &[name, child] : of.members) move_to(child, fields);
}

}  // namespace

std::unique_ptr<FieldFinder> make_json_finder(const Dialect &) {
  return std::make_unique<JsonFinder>();
}

}  // namespace mrc
