#include "join/joined_rows.h"

#include "base/varint.h"
#include "join/changed_rows.h"
#include "join/inner/key_rows.h"
#include "map/key_parts.h"
#include "map/sort_key.h"

#include <algorithm>

namespace mrc {
namespace {

constexpr u8 kLeftBit = 1, kNoKeyBit = 2;
constexpr size_t kSideBytes = 9;  // side and position

const KeyPart kTextPart;

constexpr u64 kAfterLeft = ~u64{0};  // position of rows without a record of LEFT

class KeyJoiner : public KeyRows {
 public:
  KeyJoiner(const JoinedRowsSpec &spec, const RowSource::Take &take)
      : KeyRows(spec, take),
        kind_(spec.join.spec.kind),
        tails_(spec.tmpdir, spec.held_bytes),
        left_(spec.join.sides[kLeft].fields.size()),
        right_(spec.join.sides[kRight].fields.size()) {}

 private:
  void begin_key() override {
    has_right_ = has_left_ = false;
    tails_.clear();
  }
  Status add(const StoredSide &side) override {
    return side.side == kRight ? add_right(side) : add_left(side);
  }
  Status end_key() override;
  Status add_right(const StoredSide &side);
  Status add_left(const StoredSide &side);

  const JoinKind kind_;
  bool has_right_ = false, has_left_ = false;
  HeldTails tails_;
  std::vector<Bytes> left_, right_;
  std::string head_, tail_;
};

// Emits the records of RIGHT without a partner, if they are printed.
Status KeyJoiner::end_key() {
  if (kind_ != JoinKind::full || has_left_ || tails_.empty()) return Status::ok();
  head_.clear();
  spec_.text.append_lone_head(keys(), &head_);
  return tails_.each([this](u64 position, Bytes tail) {
    emit(kAfterLeft, position, head_, tail);
    return is_wanted();
  });
}

Status KeyJoiner::add_right(const StoredSide &side) {
  has_right_ = true;
  if (!spec_.join.spec.prints_right()) return Status::ok();
  side.read_fields(&right_);
  tail_.clear();
  spec_.text.append_tail(right_, &tail_);
  return tails_.add(side.position, tail_);
}

Status KeyJoiner::add_left(const StoredSide &side) {
  const bool matches = has_right_ && side.has_key;
  const bool pairs = matches && spec_.join.spec.prints_right();
  if (side.has_key) has_left_ = true;
  if (!pairs && matches != (kind_ == JoinKind::semi)) return Status::ok();
  if (!matches && !spec_.join.spec.keeps(kLeft)) return Status::ok();
  side.read_fields(&left_);
  head_.clear();
  spec_.text.append_head(keys(), left_, &head_);
  if (pairs) {
    return tails_.each([&](u64 position, Bytes tail) {
      emit(side.position, position, head_, tail);
      return is_wanted();
    });
  }
  tail_.clear();
  spec_.text.append_lone_tail(&tail_);
  emit(side.position, 0, head_, tail_);
  return Status::ok();
}

class JoinedRows : public RowSource {
 public:
  JoinedRows(std::unique_ptr<RowSource> rows, const JoinedRowsSpec &spec)
      : rows_(std::move(rows)), spec_(spec) {
    if (spec.join.spec.kind == JoinKind::changes) compared_ = compared_fields(spec.join);
  }

  i64 blocks() const override { return rows_->blocks(); }
  Status show(i64 block, const Take &take) override {
    const std::unique_ptr<KeyRows> joiner = make_joiner(take);
    Status joined = Status::ok();
    Status status = rows_->show(block, [&](std::span<const Row> rows) {
      joined = joiner->add(rows);
      return joined.is_ok() && joiner->is_wanted();
    });
    if (status.is_ok()) status = joined;
    return status.is_ok() ? joiner->finish() : status;
  }

 private:
  std::unique_ptr<KeyRows> make_joiner(const Take &take) const {
    if (spec_.join.spec.kind == JoinKind::changes) return compare_keys(spec_, compared_, take);
    return std::make_unique<KeyJoiner>(spec_, take);
  }

  const std::unique_ptr<RowSource> rows_;
  const JoinedRowsSpec spec_;
  std::vector<ComparedField> compared_;  // for changes
};

}  // namespace

RowLayout join_layout() {
  RowLayout layout;
  layout.parts = true;
  layout.state_bytes = sizeof(RowLayout::Parts);
  return layout;
}

void append_join_key(std::span<const Bytes> keys, std::string *out) {
  for (const Bytes key : keys) append_key_part(kTextPart, key, out);
}

void SideWriter::add(const SideRecord &record) {
  if (!record.has_key && !keeps_lone_) return;
  bytes_.clear();
  append_join_key(record.keys, &bytes_);
  RowLayout::Parts parts{static_cast<u32>(bytes_.size()), 0};
  parts.payload_begin = parts.identity_end + kSideBytes;
  const u8 side = (side_ == kLeft ? kLeftBit : 0) | (record.has_key ? 0 : kNoKeyBit);
  bytes_.push_back(static_cast<char>(side));
  append_position(record.position, &bytes_);
  for (const Bytes field : record.fields) {
    append_varint(field.data() == nullptr ? 0 : field.size() + 1, &bytes_);
    bytes_.append(field);
  }
  store_.add(order_prefix(order_, bytes_, 0), bytes_, reinterpret_cast<State *>(&parts));
}

StoredSide::StoredSide(const RowLayout &layout, const Row &row) : key(layout.identity(row)) {
  const char *at = key.data() + key.size();
  const u8 bits = static_cast<u8>(*at);
  side = (bits & kLeftBit) != 0 ? kLeft : kRight;
  has_key = (bits & kNoKeyBit) == 0;
  position = position_at(at + 1);
  fields = layout.payload(row);
}

void StoredSide::read_fields(std::vector<Bytes> *values) const {
  Bytes rest = fields;
  for (Bytes &value : *values) {
    const u64 size = take_varint(&rest);
    value = size == 0 ? Bytes() : rest.substr(0, size - 1);
    rest.remove_prefix(value.size());
  }
}

const std::vector<Bytes> &DecodedKey::decode(Bytes key) {
  for (size_t i = 0; i < texts_.size(); ++i) {
    texts_[i].clear();
    take_key_part(kTextPart, &key, &texts_[i]);
    values_[i] = texts_[i].empty() ? Bytes() : Bytes(texts_[i]);
  }
  return values_;
}

Status HeldTails::add(u64 position, Bytes text) {
  const Head head{position, text.size()};
  in_memory_.append(reinterpret_cast<const char *>(&head), sizeof head).append(text);
  if (std::ssize(in_memory_) <= most_bytes_) return Status::ok();
  if (!file_) {
    Result<RunFile> made = RunFile::temporary(tmpdir_);
    if (!made.is_ok()) return made.status();
    file_.emplace(std::move(*made));
  }
  const Bytes piece = in_memory_;
  Status status = file_->write(in_file_, {&piece, 1});
  in_file_ += std::ssize(in_memory_);
  in_memory_.clear();
  return status;
}

Result<Bytes> HeldTails::read(i64 at) {
  constexpr i64 kPiece = i64{256} << 10;
  for (i64 size = kPiece;; size *= 2) {
    size = std::min(size, in_file_ - at);
    piece_.resize(static_cast<size_t>(size));
    Result<i64> got = file_->read(at, reinterpret_cast<std::byte *>(piece_.data()), size);
    if (!got.is_ok()) return got.status();
    if (*got < size) return Status::error(file_->name() + ": a temporary file has been cut short");
    Head head;
    if (size < i64{sizeof head}) return Status::error(file_->name() + ": damaged");
    std::memcpy(&head, piece_.data(), sizeof head);
    if (head.size + sizeof head <= static_cast<u64>(size)) return Bytes(piece_);
    if (size == in_file_ - at) return Status::error(file_->name() + ": damaged");
  }
}

RowLayout joined_layout() { return join_layout(); }

std::unique_ptr<RowSource> join_rows(std::unique_ptr<RowSource> rows, const JoinedRowsSpec &spec) {
  return std::make_unique<JoinedRows>(std::move(rows), spec);
}

}  // namespace mrc
