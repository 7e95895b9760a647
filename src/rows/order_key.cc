// Each term is a sort field (sort_key.h). No field is a prefix of another, so that they can be
// concatenated.
//
// numbers       the rank in eight bytes, big-endian
// text          the bytes, with a terminator
// parts of keys as they are in a key; a key of one part is text
//
// Descending terms are complemented. The key follows unchanged and decides between equal terms. It
// needs no terminator, because nothing follows it.
#include "rows/order_key.h"

#include "combine/group_batch.h"
#include "map/sort_key.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace mrc {
namespace {

// True if the terms order as the key does: they are its first parts, ascending, or all its parts in
// the direction that `descending` is set to.
bool follow_key(std::span<const OrderTerm> terms, i64 parts, bool *descending) {
  *descending = !terms.empty() && terms[0].descending;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].part != static_cast<i64>(i) || terms[i].descending != *descending) return false;
  }
  return !*descending || std::ssize(terms) == parts;
}

// Drops the terms after the last part of the key, because there are no ties left.
void drop_after_key(i64 parts, std::vector<OrderTerm> *terms) {
  i64 named = 0;
  for (size_t i = 0; i < terms->size(); ++i) {
    named += (*terms)[i].part >= 0;
    if (named == parts) return terms->resize(i + 1);
  }
}

}  // namespace

void order_by(std::vector<OrderTerm> terms, const KeyShape &key, std::span<const Column> columns,
              Order *order) {
  const i64 parts = std::ssize(key.parts);
  drop_after_key(parts, &terms);
  bool descending = false;
  if (follow_key(terms, parts, &descending)) {
    order->descending = descending;
    return;
  }
  const i64 first = terms[0].column;
  const bool ranked = first >= 0 && !orders_by_text(columns[static_cast<size_t>(first)]);
  if (ranked && follow_key(std::span(terms).subspan(1), parts, &descending)) {
    order->column = first;
    order->descending = terms[0].descending;
    order->ties_descending = descending;
    return;
  }
  order->terms = std::move(terms);
}

RowLayout OrderKeyComposer::layout(const StateLayout &states) {
  RowLayout layout;
  layout.parts = true;
  layout.parts_at = states.state_bytes();
  layout.state_bytes = states.state_bytes() + static_cast<i64>(sizeof(RowLayout::Parts));
  return layout;
}

void OrderKeyComposer::compose(GroupBatch *groups, i64 group) {
  const Bytes key = groups->key(group);
  const State *state = groups->state(group);
  key_.clear();
  if (order_.custom != nullptr) append_custom(key, state);
  for (const OrderTerm &term : order_.terms) append_term(term, groups, group);
  const u32 composed = static_cast<u32>(key_.size());
  key_.append(key);

  const RowLayout::Parts parts{static_cast<u32>(key_.size()), composed};
  const size_t bytes = static_cast<size_t>(states_.state_bytes());
  state_.resize((bytes + sizeof parts) / 8);
  std::memcpy(state_.data(), state, bytes);
  std::memcpy(reinterpret_cast<std::byte *>(state_.data()) + bytes, &parts, sizeof parts);
}

// Text that compare() compares is stored unchanged.
void OrderKeyComposer::append_custom(Bytes key, const State *state) {
  if (order_.custom->compares()) return order_.custom->append_order(states_, key, state, &key_);
  text_.clear();
  order_.custom->append_order(states_, key, state, &text_);
  append_sort_field({}, text_, &key_);
}

void OrderKeyComposer::append_term(const OrderTerm &term, GroupBatch *groups, i64 group) {
  if (term.part >= 0) return append_part(term, groups->key(group));
  const Column &column = term.computed ? *term.computed : states_.column(term.column);
  if (!orders_by_text(column)) {
    const u64 rank = groups->rank(column, group);
    return append_position(term.descending ? ~rank : rank, &key_);
  }
  text_.clear();
  groups->append(column, group, Notation::text, &text_);
  append_sort_field({.descending = term.descending}, text_, &key_);
}

void OrderKeyComposer::append_part(const OrderTerm &term, Bytes key) {
  if (shape_.is_plain()) return append_sort_field({.descending = term.descending}, key, &key_);
  Bytes encoded;
  for (i64 i = 0; i <= term.part; ++i) {
    encoded = take_encoded_part(shape_.parts[static_cast<size_t>(i)], &key);
  }
  const size_t start = key_.size();
  key_.append(encoded);
  for (size_t i = start; term.descending && i < key_.size(); ++i) {
    key_[i] = static_cast<char>(~key_[i]);
  }
}

// A splitter is a prefix of a sort key. Sort keys compare as bytes, and no identity is a prefix of
// another one, so all rows of one identity are on the same side of a splitter.
//
// If keys hold positions, a splitter ends before the position: merged with other inputs, a record
// gets another position, but must stay in its range.

namespace {

constexpr size_t kMostBytes = 256;  // size of a splitter

}  // namespace

bool KeyRanges::precedes(const Row &row, const std::string &splitter) const {
  const int order = layout_.key(row).compare(splitter);
  return descending_ ? order > 0 : order < 0;
}

i64 KeyRanges::range_of(const Row &row) const {
  const auto next = std::partition_point(splitters_.begin(), splitters_.end(),
                                         [&](const auto &each) { return !precedes(row, each); });
  return next - splitters_.begin();
}

std::string splitter_at(const Row &row, const RowLayout &layout) {
  Bytes key = layout.key(row);
  if (layout.parts && layout.identity(row).size() + layout.payload(row).size() < key.size()) {
    key = layout.identity(row);
  }
  return std::string(key.substr(0, kMostBytes));
}

std::vector<std::string> choose_splitters(std::vector<std::string> sample, i64 ranges,
                                          const Order &order) {
  order.descending ? std::ranges::sort(sample, std::greater()) : std::ranges::sort(sample);
  std::vector<std::string> chosen;
  for (i64 i = 1; i < ranges && !sample.empty(); ++i) {
    const i64 at = std::ssize(sample) * i / ranges;
    const std::string &next = sample[static_cast<size_t>(at)];
    if (chosen.empty() || chosen.back() != next) chosen.push_back(next);
  }
  return chosen;
}

}  // namespace mrc
