#include "rows/row_runs.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kMarkBytes = 64;
constexpr i64 kFetchAhead = 16;

}  // namespace

i64 RowRuns::bytes() const {
  i64 bytes = 0;
  for (const File &file : files_) bytes += file.writer.bytes();
  return bytes;
}

Status RowRuns::spill(RowStore *store) {
  if (store->rows().empty()) return Status::ok();
  sort_range(store->rows(), order_, layout_);
  Result<File *> file = acquire_file();
  if (!file.is_ok()) return file.status();
  RunWriter *writer = &(*file)->writer;
  RunBlocks run{(*file)->file, &writer->blocks(), writer->blocks().size(), {}};
  Status status = write_run(store->rows(), writer, &run.marks);
  std::lock_guard lock(mutex_);
  (*file)->busy = false;
  rows_ += store->rows().size();
  runs_.push_back(std::move(run));
  store->clear();
  return status;
}

RunHeader RowRuns::header() const {
  RunHeader header;
  header.shape = shape();
  return header;
}

Result<RowRuns::File *> RowRuns::acquire_file() {
  std::lock_guard lock(mutex_);
  for (File &file : files_) {
    if (!std::exchange(file.busy, true)) return &file;
  }
  Result<RunFile> opened = RunFile::temporary(tmpdir_);
  if (!opened.is_ok()) return opened.status();
  files_.emplace_back(std::move(*opened), header()).busy = true;
  return &files_.back();
}

Status RowRuns::write_run(const Rows &rows, RunWriter *writer, std::vector<Mark> *marks) {
  std::vector<std::byte> records;
  for (i64 i = 0; i < rows.size();) {
    // Sorting has used the prefixes up.
    u64 prefix = prefix_of(rows[i]);
    marks->push_back(mark(rows[i], prefix));
    BlockInfo block;
    block.lo = prefix;
    records.clear();
    for (; i < rows.size() && std::ssize(records) < block_bytes_; ++i, ++block.records) {
      if (i + kFetchAhead < rows.size()) {  // sorted rows are scattered over memory
        const char *ahead = layout_.data(rows[i + kFetchAhead]);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + 64);
      }
      prefix = prefix_of(rows[i]);
      append_row(rows[i], prefix, &records);
    }
    block.hi = prefix;
    const Bytes payload(reinterpret_cast<const char *>(records.data()), records.size());
    Status status = writer->add_block(block, payload);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

u64 RowRuns::prefix_of(const Row &row) const {
  const u64 rank = order_.column < 0 ? 0 : states_->rank(order_.column, layout_.state(row));
  return order_prefix(order_, layout_.key(row), rank);
}

void RowRuns::append_row(const Row &row, u64 prefix, std::vector<std::byte> *to) {
  StoredRecord record{prefix, layout_.key(row), true, nullptr, {}};
  std::string var;
  if (!layout_.lines) record.fixed = layout_.state(row);
  if (states_ != nullptr && !states_->is_flat()) states_->save(record.fixed, &var);
  record.var = var;
  append_record(shape(), record, to);
}

// Rows that count as repeated have the same mark up to where marks end.
RowRuns::Mark RowRuns::mark(const Row &row, u64 prefix) const {
  const Bytes key = order_.unique ? layout_.identity(row) : layout_.key(row);
  if (order_.unique) prefix = order_prefix(order_, key, 0);
  const size_t identity = layout_.parts ? layout_.identity(row).size() : 0;
  return {prefix, std::string(key.substr(0, kMarkBytes)),
          key.size() > kMarkBytes || key.size() < layout_.key(row).size(),
          std::min(identity, kMarkBytes)};
}

std::vector<std::pair<const RowRuns::Mark *, i64>> RowRuns::sorted_marks() const {
  std::vector<std::pair<const Mark *, i64>> marks;
  for (const RunBlocks &run : runs_) {
    for (size_t i = 0; i < run.marks.size(); ++i) {
      marks.emplace_back(&run.marks[i], run.info(i).raw_bytes);
    }
  }
  std::sort(marks.begin(), marks.end(), [this](const auto &a, const auto &b) {
    return compare(a.first->prefix, a.first->key, *b.first) < 0;
  });
  return marks;
}

i64 RowRuns::cut(i64 bytes) {
  i64 taken = 0;
  for (const auto &[mark, block_bytes] : sorted_marks()) {
    if (taken >= bytes) {
      splitters_.push_back(mark);
      taken = 0;
    }
    taken += block_bytes;
  }
  return std::ssize(splitters_) + 1;
}

// A group begins with an identity alone, which is before all rows that have it. Where one goes on
// beyond a range, the next range begins with a row of it, and is of the same group.
std::vector<i64> RowRuns::cut_by_identity(i64 bytes) {
  std::vector<i64> groups = {0};
  i64 taken = 0;
  for (const auto &[mark, block_bytes] : sorted_marks()) {
    if (taken >= bytes) {
      const std::string identity = mark->key.substr(0, mark->identity);
      if (identities_.empty() || identities_.back().key != identity) {
        identities_.push_back({order_prefix(order_, identity, 0), identity, false, 0});
        splitters_.push_back(&identities_.back());
        groups.push_back(std::ssize(splitters_));
      } else {
        splitters_.push_back(mark);
      }
      taken = 0;
    }
    taken += block_bytes;
  }
  groups.push_back(std::ssize(splitters_) + 1);
  return groups;
}

int RowRuns::compare(u64 prefix, Bytes key, const Mark &mark) const {
  if (prefix != mark.prefix) return prefix < mark.prefix ? -1 : 1;
  const int by_key = key.compare(mark.key);
  const bool descending = order_.column < 0 ? order_.descending : order_.ties_descending;
  return descending ? -by_key : by_key;
}

// Whether all rows that the mark may stand for are on that side of the splitter. What is cut short
// may be anything that begins so.
bool RowRuns::is_surely(const Mark &mark, const Mark &splitter, int side) const {
  const bool may_equal =
      mark.prefix == splitter.prefix && mark.cut_short && splitter.key.starts_with(mark.key);
  return !may_equal && compare(mark.prefix, mark.key, splitter) * side > 0;
}

// Blocks that may have rows of the range: those whose first row is not past it, and after which the
// first row of the next block is not before it. Marks ascend.
std::pair<size_t, size_t> RowRuns::blocks_of(const RunBlocks &run, i64 range) const {
  const std::vector<Mark> &marks = run.marks;
  size_t first = 0, end = marks.size();
  if (range > 0 && end > 0) {
    const Mark &low = *splitters_[static_cast<size_t>(range - 1)];
    const auto next = std::partition_point(
        marks.begin() + 1, marks.end(), [&](const Mark &mark) { return is_surely(mark, low, -1); });
    first = static_cast<size_t>(next - marks.begin()) - 1;
  }
  if (range < std::ssize(splitters_)) {
    const Mark &high = *splitters_[static_cast<size_t>(range)];
    const auto past = std::partition_point(
        marks.begin(), marks.end(), [&](const Mark &mark) { return !is_surely(mark, high, 1); });
    end = static_cast<size_t>(past - marks.begin());
  }
  return {first, end};
}

Status RowRuns::load(i64 range, RangeBuffers *buffers) const {
  buffers->store.clear();
  for (const RunBlocks &run : runs_) {
    const auto [first, end] = blocks_of(run, range);
    for (size_t block = first; block < end; ++block) {
      Status status = load_block(run, block, range, &buffers->block, &buffers->store);
      if (!status.is_ok()) return status;
    }
  }
  sort_range(buffers->store.rows(), order_, layout_);
  if (order_.unique) drop_repeated(layout_, &buffers->store.rows());
  return Status::ok();
}

Status RowRuns::load_block(const RunBlocks &run, size_t block, i64 range, Pages *buffer,
                           RowStore *store) const {
  Result<Bytes> records = read_block(*run.file, shape(), run.info(block), buffer);
  if (!records.is_ok()) return records.status();
  const auto *at = reinterpret_cast<const std::byte *>(records->data());
  const auto *end = at + records->size();
  const Mark *low = range == 0 ? nullptr : splitters_[static_cast<size_t>(range - 1)];
  const Mark *high =
      range < std::ssize(splitters_) ? splitters_[static_cast<size_t>(range)] : nullptr;
  StoredRecord record;
  std::string moved;
  while (at < end) {
    at = read_record(at, shape(), &record);
    if (run.is_adopted) {
      if (Status status = adapt(run, &record, &moved); !status.is_ok()) return status;
    }
    if (low != nullptr && compare(record.hash, record.key, *low) < 0) continue;
    if (high != nullptr && compare(record.hash, record.key, *high) >= 0) break;
    add_row(record, store);
  }
  return Status::ok();
}

void RowRuns::add_row(const StoredRecord &record, RowStore *store) const {
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

}  // namespace mrc
