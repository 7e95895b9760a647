#include "rows/inner/row_records.h"

#include "map/sort_key.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// True if the parts of a row's key (RowLayout) are within it, with or without a position between
// them.
bool has_parts(const StoredRecord &record, const RowLayout::Parts &at) {
  const size_t size = record.key.size();
  const bool is_whole = at.payload_begin == 0 && at.identity_end == size;
  const size_t between = size_t{at.payload_begin} - at.identity_end;
  return is_whole || (at.payload_begin <= size && (between == 0 || between == 8));
}

// Adds `shift` to the position, a big-endian number between identity and payload, which is
// complemented if rows descend.
void move_position(const RowLayout::Parts &at, bool descends, u64 shift, StoredRecord *record,
                   std::string *moved) {
  if (at.payload_begin <= at.identity_end) return;
  const u64 before = position_at(record->key.data() + at.identity_end);
  moved->assign(record->key.substr(0, at.identity_end));
  append_position(descends ? before - shift : before + shift, moved);
  moved->append(record->key.substr(at.payload_begin));
  record->key = *moved;
}

}  // namespace

u64 RowRecords::prefix_of(const Row &row) const {
  const u64 rank = order_.column < 0 ? 0 : states_->rank(order_.column, layout_.state(row));
  return order_prefix(order_, layout_.key(row), rank);
}

void RowRecords::append(const Row &row, u64 prefix, u64 shift, std::vector<std::byte> *to) const {
  StoredRecord record{prefix, layout_.key(row), true, nullptr, {}};
  std::string var, moved;
  if (!layout_.lines) record.fixed = layout_.state(row);
  if (shift != 0 && layout_.parts) {
    move_position(parts_of(record), order_.descending, shift, &record, &moved);
  }
  if (states_ != nullptr && !states_->is_flat()) states_->save(record.fixed, &var);
  record.var = var;
  append_record(shape(), record, to);
}

void RowRecords::add(const StoredRecord &record, RowStore *store) const {
  if (layout_.lines) {
    std::byte *line = store->arena().alloc(std::ssize(record.key) + 1);
    std::memcpy(line, record.key.data(), record.key.size());
    line[record.key.size()] = static_cast<std::byte>(layout_.terminator);
    const Bytes kept(reinterpret_cast<char *>(line), record.key.size());
    return store->add_line(record.hash, kept);
  }
  std::vector<u64> state(static_cast<size_t>(layout_.state_bytes + 7) / 8);
  auto *copy = reinterpret_cast<State *>(state.data());
  std::copy_n(record.fixed, layout_.state_bytes, copy);
  if (states_ != nullptr && !states_->is_flat()) states_->load(copy, record.var, &store->arena());
  store->add(record.hash, record.key, copy);
}

Result<StoredRecord> RowRecords::read_first(const RowRun &run, size_t block, Pages *buffer,
                                            std::string *moved) const {
  Result<StoredRecord> record = read_first_record(*run.file, shape(), run.info(block), buffer);
  if (!record.is_ok() || !run.is_adopted) return record;
  if (Status status = adapt(run, &*record, moved); !status.is_ok()) return status;
  return record;
}

// Computes the prefix anew, because it depends on Order::common of the process that wrote the row.
Status RowRecords::adapt(const RowRun &run, StoredRecord *record, std::string *moved) const {
  const Status foreign =
      Status::error(run.file->name() + ": its rows are not those of this job; it is damaged");
  if (!record->is_state || !record->var.empty()) return foreign;
  if (layout_.parts) {
    const RowLayout::Parts at = parts_of(*record);
    if (!has_parts(*record, at)) return foreign;
    if (run.shift != 0) move_position(at, order_.descending, run.shift, record, moved);
  }
  record->hash = order_prefix(order_, record->key, 0);
  return Status::ok();
}

Bytes RowRecords::identity(const StoredRecord &record) const {
  return layout_.parts ? record.key.substr(0, parts_of(record).identity_end) : record.key;
}

RowLayout::Parts RowRecords::parts_of(const StoredRecord &record) const {
  RowLayout::Parts at;
  std::memcpy(&at, record.fixed + layout_.parts_at, sizeof at);
  return at;
}

}  // namespace mrc
