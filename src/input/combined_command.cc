// A mapper prints more than fits in memory, so that its output is combined in batches: a batch is
// sorted by key, and one copy of the combiner reads it, before the next batch is taken. What the
// copies print goes on as if the mapper had printed it; the job groups it by key in any case. So
// each batch may have any size, and the answer is the same if the command is associative and
// commutative.
//
// A combiner prints keys that it has got, in their order. This costs one walk through the sorted
// batch, and finds commands such as uniq -c, whose output has another form.
#include "input/inner/combined_command.h"

#include "base/one_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kRoomToRead = i64{64} << 10;

Source alone(Source source) {
  source.combiner = nullptr;
  return source;
}

}  // namespace

CombinedCommand::CombinedCommand(const Source &source)
    : spec_(source.combiner),
      most_seconds_(source.feed_seconds),
      batch_(spec_->terminator, spec_->most_bytes) {}

Result<std::unique_ptr<Stream>> CombinedCommand::open(const Source &source) {
  Result<InputFile> command = InputFile::open(alone(source));
  if (!command.is_ok()) return command.status();
  std::unique_ptr<CombinedCommand> stream(new CombinedCommand(source));
  stream->command_ = std::move(*command);
  return std::unique_ptr<Stream>(std::move(stream));
}

Result<i64> CombinedCommand::read(char *to, i64 size) {
  while (taken_ == checked_) {
    if (last_) return last_->is_ok() ? Result<i64>(i64{0}) : *last_;
    read_on();
  }
  const i64 bytes = std::min(size, checked_ - taken_);
  std::memcpy(to, output_.data() + taken_, static_cast<size_t>(bytes));
  taken_ += bytes;
  return bytes;
}

void CombinedCommand::read_on() {
  if (combiner_) return read_combiner();
  fill();
  batch_.sort();
  if (batch_.size() > 0) return start_combiner();
  last_ = end_;
}

// If the command fails, the lines before are combined first.
void CombinedCommand::fill() {
  while (!has_ended_ && !batch_.is_full()) {
    const std::span<char> room = batch_.room();
    const Result<i64> got = command_.read(room.data(), std::ssize(room));
    has_ended_ = !got.is_ok() || *got == 0;
    if (!got.is_ok()) end_ = got.status();
    has_ended_ ? batch_.end_last_line() : batch_.take(*got);
  }
}

// The command waits until its output is read again, which is not its fault.
void CombinedCommand::start_combiner() {
  command_.hold(true);
  Source source{.path = "combine", .command = spec_->command, .stream = true};
  source.feed = make_batch_feed(batch_);
  source.feed_seconds = most_seconds_;
  Result<InputFile> opened = InputFile::open(source);
  if (!opened.is_ok()) {
    last_ = opened.status();
    return;
  }
  combiner_.emplace(std::move(*opened));
  at_ = 0;
  spec_->lines_in += batch_.size();
  spec_->bytes_in += batch_.bytes();
}

void CombinedCommand::read_combiner() {
  output_.erase(0, static_cast<size_t>(checked_));
  have_ -= checked_;
  checked_ = taken_ = 0;
  output_.resize(static_cast<size_t>(have_ + kRoomToRead));
  const Result<i64> got = combiner_->read(output_.data() + have_, kRoomToRead);
  if (!got.is_ok()) {
    last_ = got.status();
  } else if (*got > 0) {
    take_output(*got);
  } else {
    if (have_ > 0) {  // the last line has no terminator
      output_[static_cast<size_t>(have_)] = spec_->terminator;
      take_output(1);
    }
    if (!last_) end_combiner();
  }
}

// Checks the lines that end in the next bytes of the output.
void CombinedCommand::take_output(i64 bytes) {
  const Bytes fresh(output_.data() + have_, static_cast<size_t>(bytes));
  const size_t end = fresh.rfind(spec_->terminator);
  if (end != Bytes::npos) {
    checked_ = check_lines({output_.data(), static_cast<size_t>(have_) + end + 1});
  }
  have_ += bytes;
}

void CombinedCommand::end_combiner() {
  combiner_.reset();
  batch_.clear();
  command_.hold(false);
}

// Returns the number of bytes before the first wrong line.
i64 CombinedCommand::check_lines(Bytes lines) {
  size_t good = 0;
  i64 number = 0;
  for (; good < lines.size(); ++number) {
    const size_t end = std::min(lines.find(spec_->terminator, good), lines.size());
    if (Status status = check_key(lines.substr(good, end - good)); !status.is_ok()) {
      last_ = status;
      break;
    }
    good = end + 1;
  }
  spec_->lines_out += number;
  spec_->bytes_out += static_cast<i64>(good);
  return static_cast<i64>(good);
}

Status CombinedCommand::check_key(Bytes line) {
  const Bytes key = LineBatch::key_of(line);
  while (at_ < batch_.size() && batch_.key(at_) < key) ++at_;
  if (at_ < batch_.size() && batch_.key(at_) == key) return Status::ok();
  bool is_known = false;
  for (i64 i = 0; i < at_ && !is_known; ++i) is_known = batch_.key(i) == key;
  constexpr size_t kMost = 60;
  return Status::error(fmt::format(
      "combine: {}: it printed \"{}\", {}", spec_->command, on_one_line(line.substr(0, kMost)),
      is_known ? "whose key comes before the last one; keys stay in order"
               : "whose key it did not get; it prints a key that it got, a tab and a value"));
}

}  // namespace mrc
