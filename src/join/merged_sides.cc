#include "join/merged_sides.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace mrc {
namespace {

constexpr size_t kLongestKey = 4096;

// Drops malformed records, because the scan that found the order has reported them.
class NotedBefore : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

// The keys in [from, to). Null: from the first key, or up to the last one.
struct KeyRange {
  const std::string *from = nullptr, *to = nullptr;
};

using Pieces = std::vector<SortedPiece>;

// Returns the first keys of all blocks except the first one, in ascending order, without
// duplicates.
std::vector<std::string> cut_blocks(const std::array<Pieces, 2> &sides, i64 block_bytes) {
  std::vector<const SortedPiece *> pieces;
  for (const Pieces &side : sides) {
    for (const SortedPiece &piece : side) pieces.push_back(&piece);
  }
  std::ranges::sort(pieces, {}, [](const SortedPiece *piece) { return Bytes(piece->first); });
  std::vector<std::string> starts;
  i64 bytes = 0;
  for (const SortedPiece *piece : pieces) {
    const bool is_new = piece->first > (starts.empty() ? pieces[0]->first : starts.back());
    if (bytes >= block_bytes && is_new) {
      starts.push_back(piece->first);
      bytes = 0;
    }
    bytes += piece->end - piece->begin;
  }
  return starts;
}

// Reads one side's rows of a range of keys, piece by piece.
class SideCursor {
 public:
  SideCursor(const MergedSidesSpec &spec, Side side, const InputFile &file, const KeyRange &range)
      : spec_(spec),
        side_(side),
        file_(file),
        range_(range),
        records_(spec.join.sides[side], spec.readers, &noted_),
        writer_(side, by_key_, &store_, spec.join.spec.keeps(side)) {
    const Pieces &pieces = spec.pieces[side];
    if (range.from == nullptr) return;
    // Skips pieces that end before the key.
    const auto first = std::ranges::lower_bound(pieces, *range.from, {}, &SortedPiece::last);
    next_ = static_cast<size_t>(first - pieces.begin());
  }

  // Returns the rest of the current piece. REQUIRES: load() was called
  std::span<const Row> rows() const { return rows_; }
  void take(size_t rows) { rows_ = rows_.subspan(rows); }
  // Loads the next piece that has rows in the range. rows() is empty if there is none.
  Status load();

 private:
  Result<Chunk> read(const SortedPiece &piece);
  void keep_range();
  Status changed() const {
    return Status::error(spec_.sources[side_].name() + ": it has changed while it was read");
  }

  const MergedSidesSpec &spec_;
  const Side side_;
  const InputFile &file_;
  const KeyRange range_;
  const RowLayout layout_ = join_layout();
  const Order by_key_;
  size_t next_ = 0;  // number of the next piece
  Pages buffer_;
  NotedBefore noted_;
  SideRecords records_;
  RowStore store_{layout_, KeyBytes::copied};
  SideWriter writer_;
  std::span<const Row> rows_;
};

Status SideCursor::load() {
  const Pieces &pieces = spec_.pieces[side_];
  for (rows_ = {}; rows_.empty() && next_ < pieces.size(); ++next_) {
    const SortedPiece &piece = pieces[next_];
    if (range_.to != nullptr && piece.first >= *range_.to) return Status::ok();
    const Result<Chunk> chunk = read(piece);
    if (!chunk.is_ok()) return chunk.status();
    store_.clear();
    records_.each(*chunk, [&](const SideRecord &record) {
      writer_.add(record);
      return true;
    });
    rows_ = store_.rows();
    if (!std::ranges::is_sorted(rows_, {}, &Row::prefix)) return changed();
    keep_range();
  }
  return Status::ok();
}

Result<Chunk> SideCursor::read(const SortedPiece &piece) {
  const i64 size = piece.end - piece.begin;
  if (buffer_.size() < size + kPadding) buffer_.grow(size + kPadding);
  char *const bytes = reinterpret_cast<char *>(buffer_.data());
  const Result<i64> got = file_.read_at(piece.begin, bytes, size);
  if (!got.is_ok()) return got.status();
  if (*got < size) return changed();
  return Chunk{Bytes(bytes, static_cast<size_t>(size)), static_cast<i64>(side_), piece.begin};
}

void SideCursor::keep_range() {
  const auto key = [this](const Row &row) { return layout_.identity(row); };
  if (range_.from != nullptr) {
    rows_ = {std::ranges::lower_bound(rows_, Bytes(*range_.from), {}, key), rows_.end()};
  }
  if (range_.to != nullptr) {
    rows_ = {rows_.begin(), std::ranges::lower_bound(rows_, Bytes(*range_.to), {}, key)};
  }
}

class MergedSides : public RowSource {
 public:
  MergedSides(MergedSidesSpec spec, std::array<InputFile, 2> files)
      : spec_(std::move(spec)),
        files_(std::move(files)),
        starts_(cut_blocks(spec_.pieces, spec_.block_bytes)) {}

  i64 blocks() const override { return std::ssize(starts_) + 1; }
  Status show(i64 block, const Take &take) override;

 private:
  static constexpr size_t kRowsOfStep = 4096;

  KeyRange range_of(i64 block) const {
    const auto at = static_cast<size_t>(block);
    return {at == 0 ? nullptr : &starts_[at - 1], at == starts_.size() ? nullptr : &starts_[at]};
  }

  const MergedSidesSpec spec_;
  const std::array<InputFile, 2> files_;
  const std::vector<std::string> starts_;
};

// Merges the rows of both sides until one side has no more, then shows the rest of the other.
Status MergedSides::show(i64 block, const Take &take) {
  const KeyRange range = range_of(block);
  SideCursor left(spec_, kLeft, files_[kLeft], range);
  SideCursor right(spec_, kRight, files_[kRight], range);
  Status status = left.load();
  if (status.is_ok()) status = right.load();
  const Before before(Order{}, join_layout());
  std::vector<Row> merged;
  for (bool wanted = true; status.is_ok() && wanted;) {
    if (left.rows().empty() || right.rows().empty()) {
      SideCursor &rest = left.rows().empty() ? right : left;
      if (rest.rows().empty()) return Status::ok();
      wanted = take(rest.rows());
      status = rest.load();
      continue;
    }
    merged.clear();
    size_t l = 0, r = 0;
    const std::span<const Row> of_left = left.rows(), of_right = right.rows();
    while (l < of_left.size() && r < of_right.size() && merged.size() < kRowsOfStep) {
      merged.push_back(before(of_right[r], of_left[l]) ? of_right[r++] : of_left[l++]);
    }
    wanted = take(merged);
    left.take(l);
    right.take(r);
    if (left.rows().empty()) status = left.load();
    if (right.rows().empty() && status.is_ok()) status = right.load();
  }
  return status;
}

}  // namespace

bool AscendingKeys::add(const SideRecord &record) {
  key_.clear();
  append_join_key(record.keys, &key_);
  if (count_ == 0) {
    first_ = key_;
  } else if (key_ < last_) {
    return false;
  }
  last_.swap(key_);
  ++count_;
  return true;
}

i64 SideOrder::add(const Chunk &chunk, bool counts_lone, SideRecords *records) {
  keys_.clear();
  const i64 read = records->each(chunk, [&](const SideRecord &record) {
    if (record.has_key || counts_lone) found_disorder_ |= !keys_.add(record);
    return !found_disorder_;
  });
  if (keys_.count() == 0) return read;
  found_disorder_ |= std::max(keys_.first().size(), keys_.last().size()) > kLongestKey;
  add_piece({chunk.offset, chunk.offset + std::ssize(chunk.bytes), keys_.first(), keys_.last()});
  return read;
}

void SideOrder::add_piece(SortedPiece piece) {
  SortedPiece *const before = pieces_.empty() ? nullptr : &pieces_.back();
  const bool grows =
      before != nullptr && before->end == piece.begin && before->end - before->begin < piece_bytes_;
  if (!grows) return pieces_.push_back(std::move(piece));
  found_disorder_ |= piece.first < before->last;
  before->end = piece.end;
  before->last = std::move(piece.last);
}

void SideOrder::add(SideOrder *other) {
  found_disorder_ |= other->found_disorder_;
  std::ranges::move(other->pieces_, std::back_inserter(pieces_));
}

std::optional<std::vector<SortedPiece>> SideOrder::pieces() {
  std::ranges::sort(pieces_, {}, &SortedPiece::begin);
  const auto disorder = std::ranges::adjacent_find(
      pieces_, [](const SortedPiece &a, const SortedPiece &b) { return b.first < a.last; });
  if (found_disorder_ || disorder != pieces_.end()) return std::nullopt;
  return std::move(pieces_);
}

Result<std::unique_ptr<RowSource>> merge_sides(MergedSidesSpec spec) {
  std::array<InputFile, 2> files;
  for (const Side side : {kLeft, kRight}) {
    if (spec.pieces[side].empty()) continue;
    Result<InputFile> file = InputFile::open(spec.sources[side]);
    if (!file.is_ok()) return file.status();
    files[side] = std::move(*file);
  }
  return std::unique_ptr<RowSource>(
      std::make_unique<MergedSides>(std::move(spec), std::move(files)));
}

}  // namespace mrc
