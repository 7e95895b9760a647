#include "engine/sinks/load_rows.h"

#include "base/one_line.h"
#include "base/setting_name.h"
#include "input/folders.h"
#include "map/key_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
void LoadFolders::add(const std::string &folder) {
  const std::lock_guard lock(mutex_);
  if (has_failed_ || !all_.insert(folder).second) return;
  too_long_ = too_long_in(folder);
  has_failed_ = !too_long_.empty() || std::ssize(all_) > spec_.most_partitions;
}

Status LoadFolders::check() const {
  if (!has_failed_) return Status::ok();
  const std::lock_guard lock(mutex_);
  if (!too_long_.empty()) {
    return Status::error(fmt::format(
        "{}...: the value is too long for the name of a folder, which has {} bytes at most",
        on_one_line(too_long_.substr(0, 60)), kLongestName));
  }
  return Status::error(fmt::format(
      "there are more than {} partitions, each of which is a folder with a file; divide "
      "by something coarser, or raise the limit by {}",
      spec_.most_partitions, setting_name("partitions")));
}

LoadRows::LoadRows(const Program &program, const RecordWriter &writer, const Order &order,
                   const InputReaders &readers, LoadFolders *folders, BadRecordSink *bad)
    : spec_(*program.load),
      writer_(writer),
      order_(order),
      readers_(readers),
      folders_(*folders),
      bad_(bad),
      encoder_(*program.sort->fields, program.map.fields.wanted()),
      scan_(program.map.fields.wanted(), readers, bad),
      values_(spec_.partitions.size()) {
  const WantedFields wanted = program.map.fields.wanted();
  for (const FieldExpr &partition : spec_.partitions) {
    columns_.push_back(wanted.column(partition.field));
    misfits_.push_back(partition.not_of_kind());
  }
}

i64 LoadRows::add(const Chunk &chunk, RowStore *rows) {
  const Dialect *dialect = readers_.dialect(chunk.source);
  if (dialect == nullptr) return 0;
  const bool json = has_json_values(*dialect);
  return scan_.each(chunk, [&] {
    add_batch(chunk, json, rows);
    return true;
  });
}

void LoadRows::add_batch(const Chunk &chunk, bool json, RowStore *rows) {
  bad_->count_used(batch_.selected);
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
    find_folder(chunk, i);
    key_ = folder_;
    key_.push_back('\0');
    RowLayout::Parts parts{static_cast<u32>(key_.size()), 0};
    encoder_.append(batch_, i, &key_);
    const i64 offset = chunk.offset + (batch_.records[i].data() - chunk.bytes.data());
    append_position(position_of(chunk.source, offset), &key_);
    parts.payload_begin = static_cast<u32>(key_.size());
    writer_.append(chunk, batch_, i, json, bad_, &value_, &key_);
    rows->add(order_prefix(order_, key_, 0), key_, reinterpret_cast<const State *>(&parts));
  }
}

// Neighbours are often of one folder.
void LoadRows::find_folder(const Chunk &chunk, size_t record) {
  for (size_t p = 0; p < columns_.size(); ++p) take_value(chunk, record, p);
  if (!is_other_) return;
  is_other_ = false;
  folder_.clear();
  for (size_t p = 0; p < columns_.size(); ++p) {
    if (p > 0) folder_.push_back('/');
    append_folder(spec_.names[p], values_[p], &folder_);
  }
  if (own_.insert(folder_).second) folders_.add(folder_);
}

// A value that does not fit its bucket counts as missing.
void LoadRows::take_value(const Chunk &chunk, size_t record, size_t partition) {
  const FieldExpr &expr = spec_.partitions[partition];
  Bytes text = batch_.column(columns_[partition])[record];
  if (expr.bucket) {
    value_.clear();
    const bool is_there = !text.empty() && text != "-";
    const bool fits = is_there && expr.bucket->append(text, &value_);
    if (is_there && !fits) {
      bad_->take_value(chunk, {batch_.records[record], text, misfits_[partition].c_str()});
    }
    text = fits ? Bytes(value_) : Bytes();
  }
  if (values_[partition] == text) return;
  values_[partition] = text;
  is_other_ = true;
}

}  // namespace mrc
