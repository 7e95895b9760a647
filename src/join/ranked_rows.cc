#include "join/ranked_rows.h"

#include "map/sort_key.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace mrc {
namespace {

constexpr u32 kPackedBytes = 8;
constexpr size_t kTextOfRanks = size_t{1} << 20;  // size of text before it is drained

class RankedText : public Formatter {
 public:
  RankedText(const RankedSpec &spec, std::string header)
      : spec_(spec), header_(std::move(header)) {}

  void header(std::string *out) const override { out->append(header_); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    stream(rows, out, nullptr);
  }
  void stream(std::span<const Row> rows, std::string *out, Drain *drain) const override;
  // A record of LEFT is printed as often as it has partners, so the number dropped is negative.
  i64 dropped() const override { return -more_.load(); }

 private:
  void append_pairs(const JoinTable::Entry &entry, Bytes head, Bytes left, std::string *out,
                    Drain *drain) const;

  const RankedSpec spec_;
  const std::string header_;
  const RowLayout layout_ = ranked_layout();
  mutable std::atomic<i64> more_{0};
};

void RankedText::stream(std::span<const Row> rows, std::string *out, Drain *drain) const {
  constexpr size_t kFetchAhead = 12;
  const JoinTable &table = spec_.table;
  const u64 position_mask = spec_.packed(1, 0) - 1;
  std::string lone;
  i64 more = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i + kFetchAhead < rows.size()) __builtin_prefetch(layout_.data(rows[i + kFetchAhead]));
    const Bytes bytes = layout_.key(rows[i]);
    const u64 packed = position_at(bytes.data()), rank = packed >> spec_.position_bits;
    if (rank % 2 == 0) {
      out->append(layout_.payload(rows[i]));
      spec_.text.append_lone_tail(out);
      continue;
    }
    const JoinTable::Entry &entry = table.entry(rank / 2);
    Bytes head = table.key_text(rank / 2), left = bytes.substr(kPackedBytes);
    if (!spec_.join.spec.prints_right()) {
      out->append(head).append(left);
      spec_.text.append_lone_tail(out);
      continue;
    }
    if ((packed & position_mask) == position_mask) {
      lone.clear();
      spec_.text.append_lone_left(&lone);
      left = lone;
    }
    more += static_cast<i64>(entry.end - entry.first) - 1;
    append_pairs(entry, head, left, out, drain);
  }
  more_ += more;
}

void RankedText::append_pairs(const JoinTable::Entry &entry, Bytes head, Bytes left,
                              std::string *out, Drain *drain) const {
  for (u64 tail = entry.first; tail < entry.end; ++tail) {
    out->append(head).append(left).append(spec_.table.record_text(tail));
    if (out->size() > kTextOfRanks && drain != nullptr) drain->take(out);
  }
}

class PairText : public Formatter {
 public:
  PairText(const RankedPairs &pairs, std::string header)
      : pairs_(pairs), header_(std::move(header)) {}

  void header(std::string *out) const override { out->append(header_); }
  void rows(std::span<const Row> rows, std::string *out) const override {
    constexpr size_t kFetchAhead = 12;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kFetchAhead < rows.size()) __builtin_prefetch(layout_.data(rows[i + kFetchAhead]));
      const u64 rank = position_at(layout_.key(rows[i]).data()) >> pairs_.position_bits();
      if (rank % 2 == 1) out->append(pairs_.table().record_text(pairs_.record_at(rank)));
      out->append(layout_.payload(rows[i]));
    }
  }

 private:
  const RankedPairs &pairs_;
  const std::string header_;
  const RowLayout layout_ = ranked_layout();
};

}  // namespace

bool RankedSpec::has_room(i64 entries, int position_bits) {
  return static_cast<int>(std::bit_width(rank_of_entry(static_cast<u64>(entries)))) +
             position_bits <=
         64;
}

void RankedWriter::add(const SideRecord &record) {
  const JoinTable::Entry *entry = record.has_key ? spec_.table.find(record.keys, &key_) : nullptr;
  const JoinSpec &join = spec_.join.spec;
  if (entry == nullptr) {
    if (join.keeps(kLeft)) add_lone(record);
    return;
  }
  if (join.kind == JoinKind::anti) return;
  if (join.kind == JoinKind::full) spec_.table.mark(entry);
  add_matched(record, *entry);
}

void RankedWriter::add_matched(const SideRecord &record, const JoinTable::Entry &entry) {
  const u64 rank = RankedSpec::rank_of_entry(spec_.table.number_of(entry));
  const u64 packed = spec_.packed(rank, record.position);
  row_.clear();
  append_position(packed, &row_);
  spec_.text.append_left(record.fields, &row_);
  add_row(packed, kPackedBytes);
}

void RankedWriter::add_lone(const SideRecord &record) {
  const u64 packed = spec_.packed(spec_.table.lower_bound(record.keys, &key_) * 2, 0);
  row_.clear();
  append_position(packed, &row_);
  append_join_key(record.keys, &row_);
  append_position(record.position, &row_);
  const u32 identity_end = static_cast<u32>(row_.size());
  spec_.text.append_head(record.keys, record.fields, &row_);
  add_row(packed, identity_end);
}

void RankedWriter::add_row(u64 packed, u32 identity_end) {
  const RowLayout::Parts parts{identity_end, identity_end};
  store_.add(packed, row_, reinterpret_cast<const State *>(&parts));
}

void RankedWriter::add_lone_entries() {
  const JoinTable &table = spec_.table;
  for (u64 i = 0; i < table.entries(); ++i) {
    if (table.is_marked(table.entry(i))) continue;
    const u64 packed = spec_.packed(RankedSpec::rank_of_entry(i) + 1, 0) - 1;
    row_.clear();
    append_position(packed, &row_);
    add_row(packed, kPackedBytes);
  }
}

RowLayout ranked_layout() { return join_layout(); }

std::unique_ptr<Formatter> make_ranked_formatter(const RankedSpec &spec, std::string header) {
  return std::make_unique<RankedText>(spec, std::move(header));
}

RankedPairs::RankedPairs(const Join &join, const JoinText &text, const JoinTable &table,
                         int position_bits)
    : join_(join), text_(text), table_(table), position_bits_(position_bits) {
  if (!join.spec.stable) return;
  records_.resize(static_cast<size_t>(table.records()));
  std::iota(records_.begin(), records_.end(), u64{0});
  std::ranges::sort(records_, {}, [&](u64 record) { return table.position(record); });
  places_.resize(records_.size());
  for (size_t place = 0; place < records_.size(); ++place) places_[records_[place]] = place;
}

void PairWriter::add(const SideRecord &record) {
  const JoinTable &table = pairs_.table();
  const JoinSpec &join = pairs_.join().spec;
  const JoinTable::Entry *entry = record.has_key ? table.find(record.keys, &key_) : nullptr;
  if (entry == nullptr) {
    if (join.keeps(kRight)) add_lone_right(record);
    return;
  }
  if (join.kind != JoinKind::inner) table.mark(entry);
  if (!join.prints_right()) return;
  tail_.clear();
  pairs_.text().append_tail(record.fields, &tail_);
  for (u64 left = entry->first; left < entry->end; ++left) {
    const u64 packed = pairs_.packed(pairs_.rank_of(left), record.position);
    row_.clear();
    append_position(packed, &row_);
    row_.append(tail_);
    add_row(packed, kPackedBytes);
  }
}

// The row follows the records of LEFT with keys up to this one, or all of them in the order of
// LEFT. LEFT may have the same key only if a part of it is missing.
void PairWriter::add_lone_right(const SideRecord &record) {
  const JoinTable &table = pairs_.table();
  const bool stable = pairs_.join().spec.stable;
  const u64 place =
      stable ? static_cast<u64>(table.records()) : table.first_record_after(record.keys, &key_);
  const u64 packed = pairs_.packed(place * 2, 0);
  row_.clear();
  append_position(packed, &row_);
  if (!stable) append_join_key(record.keys, &row_);
  append_position(record.position, &row_);
  const u32 identity_end = static_cast<u32>(row_.size());
  pairs_.text().append_lone_head(record.keys, &row_);
  pairs_.text().append_tail(record.fields, &row_);
  add_row(packed, identity_end);
}

void PairWriter::add_lone_left() {
  const JoinTable &table = pairs_.table();
  const JoinKind kind = pairs_.join().spec.kind;
  if (kind == JoinKind::inner) return;
  tail_.clear();
  pairs_.text().append_lone_tail(&tail_);
  for (u64 i = 0; i < table.entries(); ++i) {
    const JoinTable::Entry &entry = table.entry(i);
    if (table.is_marked(entry) != (kind == JoinKind::semi)) continue;
    for (u64 left = entry.first; left < entry.end; ++left) {
      const u64 packed = pairs_.packed(pairs_.rank_of(left), 0);
      row_.clear();
      append_position(packed, &row_);
      row_.append(tail_);
      add_row(packed, kPackedBytes);
    }
  }
}

void PairWriter::add_row(u64 packed, u32 identity_end) {
  const RowLayout::Parts parts{identity_end, identity_end};
  store_.add(packed, row_, reinterpret_cast<const State *>(&parts));
}

std::unique_ptr<Formatter> make_pair_formatter(const RankedPairs &pairs, std::string header) {
  return std::make_unique<PairText>(pairs, std::move(header));
}

}  // namespace mrc
