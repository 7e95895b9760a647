#include "join/ranked_pairs.h"

#include "join/ranked_rows.h"
#include "map/sort_key.h"

#include <algorithm>
#include <numeric>

namespace mrc {
namespace {

constexpr u32 kPackedBytes = 8;

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
