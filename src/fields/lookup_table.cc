// A table is made by all workers: each reads a part of the rows, and then adds the keys whose place
// is in its part of the index.
#include "fields/inner/lookup_table.h"

#include "fields/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

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

// Rows that one worker reads.
struct LookupTable::Part {
  Bytes text;
  i64 first = 0, lines = 0;  // row of the first line, and number of lines
  i64 rows = 0;              // rows that have keys
  Arena unescaped = {};

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

LookupTable::LookupTable(Pages rows, i64 size, size_t columns, Seed seed)
    : text_(std::move(rows)), size_(static_cast<size_t>(size)), columns_(columns), seed_(seed) {}

Result<std::shared_ptr<const LookupTable>> LookupTable::make(Pages rows, i64 size, size_t columns,
                                                             Seed seed, WorkerPool *pool) {
  const std::shared_ptr<LookupTable> table(new LookupTable(std::move(rows), size, columns, seed));
  if (Status status = table->read(pool); !status.is_ok()) return status;
  return std::shared_ptr<const LookupTable>(table);
}

// Cuts the text into parts of whole lines.
std::vector<LookupTable::Part> LookupTable::parts(i64 count) const {
  std::vector<Part> parts(static_cast<size_t>(count));
  Bytes rest = text();
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t end = rest.find('\n', rest.size() / (parts.size() - i));
    parts[i].text = rest.substr(0, end == rest.npos ? rest.npos : end + 1);
    rest.remove_prefix(parts[i].text.size());
  }
  return parts;
}

Status LookupTable::read(WorkerPool *pool) {
  std::vector<Part> all = parts(pool->size());
  const auto each = [&](auto task) {
    return pool->run(pool->size(), [&](i64 worker) {
      return guarded([&] { return task(&all[static_cast<size_t>(worker)]); });
    });
  };
  Status status = each([](Part *part) {
    part->lines = std::ranges::count(part->text, '\n');
    return Status::ok();
  });
  i64 lines = 1;
  for (Part &part : all) {
    part.first = lines;
    lines += part.lines;
  }
  keys_ = PagedArray<Bytes>(lines);
  values_ = PagedArray<Bytes>(lines * static_cast<i64>(columns_));
  Hashes hashes(lines);
  if (status.is_ok()) status = each([&](Part *part) { return read_part(part, &hashes); });
  for (Part &part : all) {
    rows_ += part.rows;
    unescaped_.adopt(&part.unescaped);
  }
  return status.is_ok() ? fill_index(hashes, pool) : status;
}

Status LookupTable::read_part(Part *part, Hashes *hashes) {
  Dialect dialect{.format = &LineFormat::rows};
  dialect.names.resize(columns_ + 1);
  const auto reader = make_reader(dialect, by_number(columns_ + 1));
  if (!reader.is_ok()) return reader.status();
  const Chunk chunk{.bytes = part->text};
  const char *next = chunk.bytes.data(), *end = next + chunk.bytes.size();
  RecordBatch batch;
  batch.fields.resize(columns_ + 1);
  for (i64 row = part->first; next < end; row += batch.size) {
    batch.clear();
    (*reader)->read(chunk, &next, &batch);
    for (i64 i = 0; i < batch.size; ++i) {
      const auto record = static_cast<size_t>(i);
      if (batch.fields[0][record].empty()) continue;
      const Bytes key = keys_[row + i] = part->kept(batch.fields[0][record]);
      (*hashes)[row + i] = hash_bytes(key, seed_);
      Bytes *const values = &values_[(row + i) * static_cast<i64>(columns_)];
      for (size_t c = 0; c < columns_; ++c) values[c] = part->kept(batch.fields[c + 1][record]);
      ++part->rows;
    }
  }
  return Status::ok();
}

// Adds the rows whose home is in a worker's range of slots. Returns the first row whose key an
// earlier row has; 0: none. `late`: rows for which the range has no room after their home.
u32 LookupTable::add_part(i64 worker, i64 workers, const Hashes &hashes, std::vector<u32> *late) {
  constexpr i64 kAhead = 16;  // rows whose slots are prefetched
  const size_t begin = index_.slots() * static_cast<size_t>(worker) / static_cast<size_t>(workers);
  const size_t end =
      index_.slots() * static_cast<size_t>(worker + 1) / static_cast<size_t>(workers);
  const auto is_own = [&](i64 row) {
    const size_t home = index_.home(hashes[row]);
    return home >= begin && home < end;
  };
  for (i64 row = 1; row < keys_.size(); ++row) {
    const i64 ahead = std::min(row + kAhead, keys_.size() - 1);
    if (is_own(ahead)) index_.prefetch(hashes[ahead]);
    const Bytes key = keys_[row];
    if (!is_own(row) || key.empty()) continue;
    const u32 number = static_cast<u32>(row);
    const u32 found =
        index_.add_before(end, hashes[row], number, [&](u32 other) { return keys_[other] == key; });
    if (found == 0) {
      late->push_back(number);
    } else if (found != number) {
      return number;
    }
  }
  return 0;
}

// Rows with equal keys have the same home, so that both are late or none.
u32 LookupTable::add_late(const std::vector<u32> &late, const Hashes &hashes) {
  for (const u32 row : late) {
    const auto is_it = [&](u32 other) { return keys_[other] == keys_[row]; };
    if (index_.find(hashes[row], is_it) != 0) return row;
    index_.add(hashes[row], row);
  }
  return 0;
}

Status LookupTable::fill_index(const Hashes &hashes, WorkerPool *pool) {
  index_ = HashIndex(static_cast<size_t>(keys_.size()));
  const i64 workers = pool->size();
  std::vector<std::vector<u32>> late(static_cast<size_t>(workers));
  std::vector<u32> twice(late.size());
  Status status = pool->run(pool->size(), [&](i64 worker) {
    const size_t own = static_cast<size_t>(worker);
    return guarded([&] {
      twice[own] = add_part(worker, workers, hashes, &late[own]);
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
      first, row, shortened(keys_[row])));
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
  return text_.size() + unescaped_.size() + index_.bytes() + keys_.memory_bytes() +
         values_.memory_bytes();
}

// States have digests of tables with their padding.
u64 LookupTable::digest() const {
  return hash_bytes({text().data(), size_ + static_cast<size_t>(kPadding)}, kFixedSeed);
}

}  // namespace mrc
