#include "rows/inner/run_ranges.h"

#include "map/sort_key.h"
#include "rows/inner/row_records.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace mrc {
namespace {

// True if the parts of a row's key (RowLayout) are within it, with or without a position between
// them. The rows of a join have a byte for the side before the position.
bool has_parts(const StoredRecord &record, const RowLayout::Parts &at) {
  const size_t size = record.key.size();
  const bool is_whole = at.payload_begin == 0 && at.identity_end == size;
  const size_t between = size_t{at.payload_begin} - at.identity_end;
  return is_whole || (at.payload_begin <= size && (between == 0 || between == 8 || between == 9));
}

// Adds `shift` to the position, a big-endian number right before the payload, which is complemented
// if rows descend.
void move_position(const RowLayout::Parts &at, bool descends, u64 shift, StoredRecord *record,
                   std::string *moved) {
  if (at.payload_begin <= at.identity_end) return;
  const size_t place = at.payload_begin - sizeof(u64);
  const u64 before = position_at(record->key.data() + place);
  moved->assign(record->key.substr(0, place));
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

// Yields the first rows of the blocks of all runs, in the order of rows. The blocks of one run are
// in order, so a heap holds the next block of each run.
class RunRanges::Fronts {
 public:
  Fronts(const RowRecords &records, const std::vector<RowRun> &runs)
      : records_(records), runs_(runs), fronts_(runs.size()), reached_(runs.size()) {
    for (size_t run = 0; run < runs.size(); ++run) enter(run);
  }

  bool at_end() const { return heap_.empty() || !status_.is_ok(); }
  // Returns the error of a block that could not be read.
  const Status &status() const { return status_; }
  void next() {
    const size_t run = take();
    ++reached_[run];
    enter(run);
  }

  size_t run() const { return heap_.front(); }
  size_t block() const { return reached_[run()]; }
  i64 raw_bytes() const { return runs_[run()].info(block()).raw_bytes; }
  Bytes identity() {
    const Front &front = read(run());
    return Bytes(front.key).substr(0, front.identity);
  }
  // By run: the first block that next() has not passed.
  const std::vector<u32> &reached() const { return reached_; }
  i64 blocks_read() const { return blocks_read_; }

 private:
  struct Front {
    u64 prefix = 0;
    bool is_read = false;  // the following members are set
    std::string key;
    size_t identity = 0;  // size of the identity
  };

  // Reads the front of an adopted run, because its stored prefixes are those of another process.
  void enter(size_t run) {
    if (reached_[run] == runs_[run].size) return;
    Front &front = fronts_[run];
    front.is_read = false;
    front.prefix = runs_[run].is_adopted ? read(run).prefix : runs_[run].info(reached_[run]).lo;
    heap_.push_back(run);
    std::push_heap(heap_.begin(), heap_.end(),
                   [this](size_t a, size_t b) { return is_after(a, b); });
  }
  size_t take() {
    std::pop_heap(heap_.begin(), heap_.end(),
                  [this](size_t a, size_t b) { return is_after(a, b); });
    const size_t run = heap_.back();
    heap_.pop_back();
    return run;
  }

  bool is_after(size_t a, size_t b) {
    if (fronts_[a].prefix != fronts_[b].prefix) return fronts_[a].prefix > fronts_[b].prefix;
    const int order = records_.compare_keys(read(a).key, read(b).key);
    return order != 0 ? order > 0 : a > b;
  }

  const Front &read(size_t run) {
    Front &front = fronts_[run];
    if (std::exchange(front.is_read, true)) return front;
    ++blocks_read_;
    const Result<StoredRecord> record =
        records_.read_first(runs_[run], reached_[run], &buffer_, &moved_);
    if (!record.is_ok()) {
      status_ = record.status();
      return front;
    }
    front.prefix = record->hash;
    front.key = record->key;
    front.identity = records_.identity(*record).size();
    return front;
  }

  const RowRecords &records_;
  const std::vector<RowRun> &runs_;
  std::vector<Front> fronts_;  // by run
  std::vector<u32> reached_;   // by run
  std::vector<size_t> heap_;   // runs that have a front
  Pages buffer_;
  std::string moved_;
  Status status_ = Status::ok();
  i64 blocks_read_ = 0;
};

Status RunRanges::cut(i64 bytes) {
  return cut(bytes, records_.order().unique ? Keep::identities : Keep::nothing);
}

Status RunRanges::cut_by_identity(i64 bytes) { return cut(bytes, Keep::groups); }

// Begins a group where the identity of a front differs from the front before. That place is before
// all rows of the new identity. A large group is split into several ranges.
Status RunRanges::cut(i64 bytes, Keep keep) {
  Fronts fronts(records_, runs_);
  groups_ = {0};
  std::optional<std::string> last;  // identity of the last front
  for (i64 taken = 0; !fronts.at_end(); taken += fronts.raw_bytes(), fronts.next()) {
    if (taken < bytes) {
      last.reset();
      continue;
    }
    const bool is_new = keep == Keep::nothing || (last && *last != fronts.identity());
    const bool is_large = keep == Keep::groups && taken >= 2 * bytes;
    if (is_new) groups_.push_back(size());
    if (is_new || is_large) {
      splitters_.push_back(
          {fronts.run(), fronts.block(), is_new && keep != Keep::nothing, fronts.reached()});
      taken = 0;
    }
    if (keep != Keep::nothing) last = fronts.identity();
  }
  groups_.push_back(size());
  blocks_read_ += fronts.blocks_read();
  return fronts.status();
}

Status RunRanges::load(i64 range, RangeBuffers *buffers) const {
  buffers->store.clear();
  const auto read = [&](i64 splitter, RangeBorder *border) {
    if (splitter < 0 || splitter >= std::ssize(splitters_)) return Status::ok();
    return read_border(splitters_[static_cast<size_t>(splitter)], &buffers->block, border);
  };
  Status status = read(range - 1, &buffers->low);
  if (status.is_ok()) status = read(range, &buffers->high);
  for (size_t run = 0; run < runs_.size() && status.is_ok(); ++run) {
    status = load_run(run, range, buffers);
  }
  if (!status.is_ok()) return status;
  Rows &rows = buffers->store.rows();
  sort_range(rows, records_.order(), records_.layout());
  if (records_.order().unique) drop_repeated(records_.layout(), &rows);
  return Status::ok();
}

Status RunRanges::read_border(const Splitter &splitter, Pages *buffer, RangeBorder *border) const {
  ++blocks_read_;
  std::string moved;
  const Result<StoredRecord> first =
      records_.read_first(runs_[splitter.run], splitter.block, buffer, &moved);
  if (!first.is_ok()) return first.status();
  border->prefix = first->hash;
  border->key = splitter.by_identity ? records_.identity(*first) : first->key;
  return Status::ok();
}

// The block before the first reached one begins before the range, and may extend into it. The last
// block begins in the range, and may extend past it. All other blocks are within the range.
Status RunRanges::load_run(size_t run, i64 range, RangeBuffers *buffers) const {
  const auto at = static_cast<size_t>(range);
  const Splitter *const low = at == 0 ? nullptr : &splitters_[at - 1];
  const Splitter *const high = at == splitters_.size() ? nullptr : &splitters_[at];
  const size_t reached = low == nullptr ? 0 : low->reached[run];
  const size_t end = high == nullptr ? runs_[run].size : high->reached[run];
  for (size_t block = reached == 0 ? 0 : reached - 1; block < end; ++block) {
    Status status = load_block(run, block, block < reached ? low : nullptr,
                               block + 1 == end ? high : nullptr, buffers);
    if (!status.is_ok()) return status;
  }
  return Status::ok();
}

Status RunRanges::load_block(size_t run, size_t block, const Splitter *low, const Splitter *high,
                             RangeBuffers *buffers) const {
  const RowRun &from = runs_[run];
  const RecordShape shape = records_.shape();
  ++blocks_read_;
  Result<Bytes> bytes = read_block(*from.file, shape, from.info(block), &buffers->block);
  if (!bytes.is_ok()) return bytes.status();
  const auto *at = reinterpret_cast<const std::byte *>(bytes->data());
  const auto *end = at + bytes->size();
  StoredRecord record;
  std::string moved;
  while (at < end) {
    at = read_record(at, shape, &record);
    if (from.is_adopted) {
      if (Status status = records_.adapt(from, &record, &moved); !status.is_ok()) return status;
    }
    if (low != nullptr && is_before(record, run, block, *low, buffers->low)) continue;
    if (high != nullptr && !is_before(record, run, block, *high, buffers->high)) break;
    records_.add(record, &buffers->store);
  }
  return Status::ok();
}

bool RunRanges::is_before(const StoredRecord &record, size_t run, size_t block,
                          const Splitter &splitter, const RangeBorder &border) const {
  if (splitter.by_identity) {
    return records_.compare_keys(records_.identity(record), border.key) < 0;
  }
  if (record.hash != border.prefix) return record.hash < border.prefix;
  const int order = records_.compare_keys(record.key, border.key);
  if (order != 0) return order < 0;
  return run != splitter.run ? run < splitter.run : block < splitter.block;
}

}  // namespace mrc
