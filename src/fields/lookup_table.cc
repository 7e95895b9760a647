// A table is made by all workers: each reads a part of the rows, and then adds the keys whose place
// is in its part of the index.
#include "fields/lookup_table.h"

#include "fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace mrc {
namespace {

std::string shortened(Bytes key) {
  constexpr size_t kMost = 60;
  return std::string(key.substr(0, kMost)) + (key.size() > kMost ? "..." : "");
}

std::vector<FieldName> by_number(size_t fields) {
  std::vector<FieldName> names;
  for (size_t i = 1; i <= fields; ++i) names.push_back({.text = "", .number = static_cast<i64>(i)});
  return names;
}

}  // namespace

// What one worker has read of the rows.
struct LookupTable::Part {
  Bytes text;
  Arena unescaped = {};
  std::vector<Bytes> keys = {}, values = {};
  std::vector<u64> hashes = {};
  std::vector<i64> left_out = {};  // numbers of records in this part, from 1
  i64 records = 0;

  // Copies a value, unless it is in the text already because it has no escapes.
  Bytes kept(Bytes value) {
    const std::less<> before;
    const bool is_there =
        !before(value.data(), text.data()) && before(value.data(), text.data() + text.size());
    if (is_there || value.data() == nullptr) return value;
    char *copy = reinterpret_cast<char *>(unescaped.alloc(std::ssize(value) + kPadding));
    std::ranges::copy(value, copy);
    return {copy, value.size()};
  }
};

LookupTable::LookupTable(std::string rows, size_t columns, Seed seed)
    : text_(std::move(rows.append(kPadding, '\0'))), columns_(columns), seed_(seed) {}

Result<std::shared_ptr<const LookupTable>> LookupTable::make(std::string rows, size_t columns,
                                                             Seed seed, WorkerPool *pool) {
  const std::shared_ptr<LookupTable> table(new LookupTable(std::move(rows), columns, seed));
  if (Status status = table->read(pool); !status.is_ok()) return status;
  return std::shared_ptr<const LookupTable>(table);
}

Status LookupTable::read_part(Part *part) const {
  Dialect dialect{.format = &LineFormat::rows};
  dialect.names.resize(columns_ + 1);
  const auto reader = make_reader(dialect, by_number(columns_ + 1));
  if (!reader.is_ok()) return reader.status();
  const Chunk chunk{.bytes = part->text};
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  RecordBatch batch;
  batch.fields.resize(columns_ + 1);
  for (; next < end; part->records += batch.size) {
    batch.clear();
    (*reader)->read(chunk, &next, &batch);
    for (size_t i = 0; i < static_cast<size_t>(batch.size); ++i) {
      if (batch.fields[0][i].empty()) {
        part->left_out.push_back(part->records + static_cast<i64>(i) + 1);
        continue;
      }
      part->keys.push_back(part->kept(batch.fields[0][i]));
      part->hashes.push_back(hash_bytes(part->keys.back(), seed_));
      for (size_t c = 1; c <= columns_; ++c) part->values.push_back(part->kept(batch.fields[c][i]));
    }
  }
  return Status::ok();
}

Status LookupTable::read(WorkerPool *pool) {
  std::vector<Part> parts(static_cast<size_t>(pool->size()));
  Bytes rest = Bytes(text_).substr(0, text_.size() - kPadding);
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t end = rest.find('\n', rest.size() / (parts.size() - i));
    parts[i].text = rest.substr(0, i + 1 == parts.size() || end == rest.npos ? rest.npos : end + 1);
    rest.remove_prefix(parts[i].text.size());
  }
  Status status = pool->run(pool->size(), [&](i64 worker) {
    return guarded([&] { return read_part(&parts[static_cast<size_t>(worker)]); });
  });
  if (!status.is_ok()) return status;
  return take(&parts, pool);
}

// Puts the parts together.
Status LookupTable::take(std::vector<Part> *parts, WorkerPool *pool) {
  std::vector<size_t> first{1};  // row of each part
  i64 records = 0;
  for (Part &part : *parts) {
    for (const i64 record : part.left_out) left_out_.push_back(records + record);
    records += part.records;
    first.push_back(first.back() + part.keys.size());
    unescaped_.adopt(&part.unescaped);
  }
  keys_.resize(first.back());
  values_.resize(first.back() * columns_);
  std::vector<u64> hashes(first.back());
  Status status = pool->run(pool->size(), [&](i64 worker) {
    Part &part = (*parts)[static_cast<size_t>(worker)];
    const auto row = static_cast<std::ptrdiff_t>(first[static_cast<size_t>(worker)]);
    std::ranges::copy(part.keys, keys_.begin() + row);
    std::ranges::copy(part.hashes, hashes.begin() + row);
    std::ranges::copy(part.values, values_.begin() + row * static_cast<std::ptrdiff_t>(columns_));
    part = {};
    return Status::ok();
  });
  return status.is_ok() ? fill_index(hashes, pool) : status;
}

// Adds the rows whose home is in a worker's range of slots. Returns the first row whose key an
// earlier row has; 0: none. `late`: rows for which the range has no room after their home.
u32 LookupTable::add_part(size_t worker, size_t workers, const std::vector<u64> &hashes,
                          std::vector<u32> *late) {
  constexpr size_t kAhead = 16;  // rows whose slots are prefetched
  const size_t begin = index_.slots() * worker / workers;
  const size_t end = index_.slots() * (worker + 1) / workers;
  const auto is_own = [&](size_t row) {
    const size_t home = index_.home(hashes[row]);
    return home >= begin && home < end;
  };
  for (size_t row = 1; row < keys_.size(); ++row) {
    const size_t ahead = std::min(row + kAhead, keys_.size() - 1);
    if (is_own(ahead)) index_.prefetch(hashes[ahead]);
    if (!is_own(row)) continue;
    const u32 found = index_.add_before(end, hashes[row], static_cast<u32>(row),
                                        [&](u32 other) { return keys_[other] == keys_[row]; });
    if (found == 0) {
      late->push_back(static_cast<u32>(row));
    } else if (found != row) {
      return static_cast<u32>(row);
    }
  }
  return 0;
}

// Rows with equal keys have the same home, so that both are late or none.
u32 LookupTable::add_late(const std::vector<u32> &late, const std::vector<u64> &hashes) {
  for (const u32 row : late) {
    const auto is_it = [&](u32 other) { return keys_[other] == keys_[row]; };
    if (index_.find(hashes[row], is_it) != 0) return row;
    index_.add(hashes[row], row);
  }
  return 0;
}

Status LookupTable::fill_index(const std::vector<u64> &hashes, WorkerPool *pool) {
  index_ = HashIndex(keys_.size());
  const size_t workers = static_cast<size_t>(pool->size());
  std::vector<std::vector<u32>> late(workers);
  std::vector<u32> twice(workers);
  Status status = pool->run(pool->size(), [&](i64 worker) {
    const size_t own = static_cast<size_t>(worker);
    return guarded([&] {
      twice[own] = add_part(own, workers, hashes, &late[own]);
      return Status::ok();
    });
  });
  if (!status.is_ok()) return status;
  for (const std::vector<u32> &rows : late) twice.push_back(add_late(rows, hashes));
  std::erase(twice, 0u);
  if (twice.empty()) return Status::ok();
  const u32 row = std::ranges::min(twice);
  return standing_twice(row, hashes[row]);
}

Status LookupTable::standing_twice(u32 row, u64 hash) const {
  const u32 first = index_.find(hash, [&](u32 other) { return keys_[other] == keys_[row]; });
  return Status::error(fmt::format(
      "records {} and {} both have the key \"{}\"; each key of a table stands there once "
      "(mrc join makes a row for each)",
      record_of(first), record_of(row), shortened(keys_[row])));
}

i64 LookupTable::record_of(u32 row) const {
  i64 record = row;
  for (const i64 other : left_out_) record += other <= record;
  return record;
}

// The cache misses of a large table overlap.
void LookupTable::find(std::span<const Bytes> keys, u32 *rows) const {
  std::array<u64, RecordBatch::kCapacity> hashes;
  for (size_t i = 0; i < keys.size(); ++i) {
    hashes[i] = keys[i].empty() ? 0 : hash_bytes(keys[i], seed_);
    index_.prefetch(hashes[i]);
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    const Bytes key = keys[i];
    rows[i] = key.empty() ? 0 : index_.find(hashes[i], [&](u32 row) { return keys_[row] == key; });
  }
}

i64 LookupTable::bytes() const {
  return std::ssize(text_) + unescaped_.size() + index_.bytes() +
         (std::ssize(keys_) + std::ssize(values_)) * i64{sizeof(Bytes)};
}

u64 LookupTable::digest() const { return hash_bytes(text_, kFixedSeed); }

}  // namespace mrc
