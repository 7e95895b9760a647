#include "join/ranked_rows.h"

#include "map/sort_key.h"

#include <bit>

namespace mrc {
namespace {

constexpr u32 kPackedBytes = 8;
constexpr size_t kMostText = size_t{1} << 20;  // size of text before it is drained

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
    if (out->size() > kMostText && drain != nullptr) drain->take(out);
  }
}

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

}  // namespace mrc
