#include "input/inner/line_batch.h"

#include "base/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kRoomForLines = i64{64} << 10;
constexpr i64 kPiece = i64{256} << 10;  // bytes that a combiner gets at a time

// Returns the first eight bytes as a number that orders as they do. Shorter keys end with zeros.
u64 image_of(Bytes key) {
  u64 image = 0;
  for (size_t i = 0; i < sizeof image; ++i) {
    image = image << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0U);
  }
  return image;
}

std::string shown(Bytes key) {
  constexpr size_t kMost = 40;
  return '"' + on_one_line(key.substr(0, kMost)) + (key.size() > kMost ? "...\"" : "\"");
}

class BatchReader : public Feed::Reader {
 public:
  explicit BatchReader(const LineBatch &batch) : batch_(batch) {}

  Result<Bytes> next() override {
    piece_.clear();
    first_ = at_;
    for (; at_ < batch_.size() && std::ssize(piece_) < kPiece; ++at_) piece_ += batch_.line(at_);
    return Bytes(piece_);
  }
  std::string place() const override {
    const std::string first = shown(batch_.key(first_)), last = shown(batch_.key(at_ - 1));
    return first == last ? "key " + first : fmt::format("keys {} to {}", first, last);
  }

 private:
  const LineBatch &batch_;
  i64 first_ = 0, at_ = 0;
  std::string piece_;
};

class BatchFeed : public Feed {
 public:
  explicit BatchFeed(const LineBatch &batch) : batch_(batch) {}
  std::unique_ptr<Reader> open() override { return std::make_unique<BatchReader>(batch_); }
  bool wants_all() const override { return true; }

 private:
  const LineBatch &batch_;
};

}  // namespace

LineBatch::LineBatch(char terminator, i64 most_bytes)
    : terminator_(terminator), most_bytes_(most_bytes) {
  text_.reserve(static_cast<size_t>(most_bytes + kRoomForLines));
}

std::span<char> LineBatch::room() {
  if (std::ssize(text_) < have_ + kRoomForLines)
    text_.resize(static_cast<size_t>(have_ + kRoomForLines));
  return {text_.data() + have_, static_cast<size_t>(kRoomForLines)};
}

void LineBatch::take(i64 bytes) {
  const Bytes fresh(text_.data() + have_, static_cast<size_t>(bytes));
  endings_ += std::ranges::count(fresh, terminator_);
  const size_t last = fresh.rfind(terminator_);
  if (last != Bytes::npos) ended_ = have_ + static_cast<i64>(last) + 1;
  have_ += bytes;
}

bool LineBatch::is_full() const {
  return endings_ > 0 && have_ + endings_ * i64{sizeof(Line)} >= most_bytes_;
}

void LineBatch::end_last_line() {
  if (ended_ == have_) return;
  room()[0] = terminator_;
  take(1);
}

bool LineBatch::is_before(const Line &a, const Line &b) {
  if (a.image != b.image) return a.image < b.image;
  if (a.bytes == b.bytes) return false;
  const int order = key_of(a.bytes).compare(key_of(b.bytes));
  return order != 0 ? order < 0 : a.bytes < b.bytes;
}

void LineBatch::sort() {
  lines_.reserve(static_cast<size_t>(endings_));
  const Bytes all(text_.data(), static_cast<size_t>(ended_));
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find(terminator_, at), all.size());
    const Bytes line = all.substr(at, end - at);
    lines_.push_back({image_of(key_of(line)), line});
    at = end + 1;
  }
  std::ranges::sort(lines_, is_before);
}

Bytes LineBatch::line(i64 i) const {
  const Bytes bytes = lines_[static_cast<size_t>(i)].bytes;
  return {bytes.data(), bytes.size() + 1};
}

Bytes LineBatch::key(i64 i) const { return key_of(lines_[static_cast<size_t>(i)].bytes); }

void LineBatch::clear() {
  lines_.clear();
  text_.erase(0, static_cast<size_t>(ended_));
  have_ -= ended_;
  ended_ = endings_ = 0;
}

std::shared_ptr<Feed> make_batch_feed(const LineBatch &batch) {
  return std::make_shared<BatchFeed>(batch);
}

}  // namespace mrc
