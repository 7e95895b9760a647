#include "engine/sinks/ordered_writer.h"

#include "base/seconds.h"
#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace mrc {

Status OrderedWriter::write(i64 source, TransformedText *text) {
  Status status = Status::ok();
  if (source != source_ && !alternate_) end_input();
  source_ = source;
  if (around_) status = choose_around(text);
  if (!status.is_ok()) return status;
  if (text->records > 0 || !text->text.empty() || !text->header.empty()) {
    keep_within_limits(source, text);
    kept_->add(source, text->records);
    note_last_record(*text);
    skip_first(text);
    status = write_text(*text);
  }
  lines() += text->lines;
  const bool is_noted = checkpoints_ != nullptr && status.is_ok();
  if (is_noted && checkpoints_->note(source, *text)) checkpoints_->save(written());
  return status;
}

// Reading ends when no more records are wanted, so the last one does not count while lines after it
// may follow.
Status OrderedWriter::choose_around(TransformedText *text) {
  const i64 room = kept_->room(source_) - i64{owes_};
  Status status = around_->choose(source_, lines(), room, text);
  if (alternate_ || !status.is_ok()) return status;
  const bool is_last = text->records > 0 && text->records == room;
  if (!around_->is_open(source_, lines() + text->lines)) {
    if (std::exchange(owes_, false)) kept_->add(source_, 1);
  } else if (is_last) {
    owes_ = true;
    --text->records;
  }
  return status;
}

void OrderedWriter::end_input() {
  if (source_ < 0 || !around_) return;
  around_->forget(source_);
  if (std::exchange(owes_, false)) kept_->add(source_, 1);
}

WrittenText OrderedWriter::written() const {
  const i64 lines = source_ < 0 ? 0 : lines_[static_cast<size_t>(source_)];
  return {file_->bytes(), source_, lines, has_header_, has_record_, header_};
}

void OrderedWriter::go_on_after(const WrittenText &text) {
  source_ = text.source;
  if (source_ >= 0) lines() = text.lines;
  has_header_ = text.has_header;
  has_record_ = text.has_record;
  header_ = text.held;
}

// Removes text over the limits. For records without text, only the count is reduced.
void OrderedWriter::keep_within_limits(i64 source, TransformedText *text) const {
  const i64 room = std::max<i64>(0, kept_->room(source));
  if (text->records <= room) return;
  const i64 end = room == 0 || text->ends.empty() ? 0 : text->ends[static_cast<size_t>(room - 1)];
  if (room == 0) text->header.clear();
  text->records = room;
  text->text.resize(static_cast<size_t>(end));
  while (!text->inserts.empty() && text->inserts.back().at >= end) text->inserts.pop_back();
}

void OrderedWriter::note_last_record(const TransformedText &text) const {
  if (text.positions.empty() || text.records == 0 || !kept_->is_full()) return;
  kept_->end_at(text.positions[static_cast<size_t>(text.records - 1)]);
}

void OrderedWriter::skip_first(TransformedText *text) {
  const i64 skipped = std::min(to_skip_, text->records);
  if (skipped == 0) return;
  to_skip_ -= skipped;
  text->records -= skipped;
  const i64 size = text->ends[static_cast<size_t>(skipped - 1)];
  text->text.erase(0, static_cast<size_t>(size));
  text->ends.erase(text->ends.begin(), text->ends.begin() + skipped);
  for (i64 &end : text->ends) end -= size;
}

Status OrderedWriter::write_text(const TransformedText &text) {
  if (!text.header.empty() && !std::exchange(has_header_, true)) header_ += text.header;
  if (!has_record_ && text.records == 0 && !around_) {
    header_ += text.text;
    return Status::ok();
  }
  has_record_ = true;
  if (const std::string header = take_header(); !header.empty()) {
    if (Status status = file_->write(header); !status.is_ok()) return status;
  }
  if (drawn_ != nullptr) return drawn_->take(text.text, text.ends, text.positions);
  if (late_ != nullptr) {
    return late_->take(text.text, std::span(text.ends).first(static_cast<size_t>(text.records)));
  }
  return text.inserts.empty() ? file_->write(text.text) : write_completed(text);
}

Status OrderedWriter::write_completed(const TransformedText &text) {
  completed_.clear();
  i64 done = 0;
  for (const TransformedText::Insert &insert : text.inserts) {
    completed_.append(text.text, static_cast<size_t>(done), static_cast<size_t>(insert.at - done));
    done = insert.at;
    if (insert.line == TransformedText::Insert::kName) {
      append_name_(source_, &completed_);
    } else {
      fmt::format_to(std::back_inserter(completed_), "{}", lines() + insert.line + 1);
    }
  }
  completed_.append(text.text, static_cast<size_t>(done));
  return file_->write(completed_);
}

namespace {

template <typename T>
Bytes bytes_in(const T *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size * sizeof(T)};
}

}  // namespace

Status LateText::take(std::string text, std::span<const i64> ends) {
  if (ends.empty() || last_ == 0) return Status::ok();
  const i64 passed_over = std::max<i64>(0, std::ssize(ends) - last_);
  Piece piece{std::move(text), {ends.begin() + passed_over, ends.end()}};
  if (passed_over > 0) {
    const i64 begin = ends[static_cast<size_t>(passed_over - 1)];
    piece.text.erase(0, static_cast<size_t>(begin));
    for (i64 &end : piece.ends) end -= begin;
  }
  bytes_ += bytes_of(piece);
  records_ += std::ssize(piece.ends);
  pieces_.push_back(std::move(piece));
  while (records_ - std::ssize(pieces_.front().ends) >= last_) {
    bytes_ -= bytes_of(pieces_.front());
    records_ -= std::ssize(pieces_.front().ends);
    pieces_.pop_front();
  }
  if (bytes_ <= memory_) return Status::ok();
  if (last_ == INT64_MAX) return spill();
  return Status::memory_error(
      fmt::format("{}: the last {} records take more than {} bytes; ask for fewer, or raise {}",
                  setting_name("tail"), last_, memory_, setting_name("memory")));
}

Status LateText::spill() {
  if (!file_) {
    Result<RunFile> file = RunFile::temporary(tmpdir_);
    if (!file.is_ok()) return file.status();
    file_.emplace(std::move(*file));
  }
  for (const Piece &piece : pieces_) {
    const Footer footer{std::ssize(piece.text), std::ssize(piece.ends)};
    const std::array<Bytes, 3> parts = {piece.text, bytes_in(piece.ends.data(), piece.ends.size()),
                                        bytes_in(&footer, 1)};
    if (Status status = file_->write(file_bytes_, parts); !status.is_ok()) return status;
    file_bytes_ += bytes_of(piece) + i64{sizeof footer};
  }
  pieces_.clear();
  bytes_ = records_ = 0;
  return Status::ok();
}

// Reads the last piece of the file, and removes it.
Result<LateText::Piece> LateText::unspill() {
  const auto read = [&](void *to, i64 bytes) {
    file_bytes_ -= bytes;
    const Result<i64> got = file_->read(file_bytes_, static_cast<std::byte *>(to), bytes);
    if (!got.is_ok()) return got.status();
    return *got == bytes ? Status::ok() : Status::error(tmpdir_ + ": a file is cut short");
  };
  Footer footer;
  if (Status status = read(&footer, sizeof footer); !status.is_ok()) return status;
  Piece piece{std::string(static_cast<size_t>(footer.text_bytes), '\0'),
              std::vector<i64>(static_cast<size_t>(footer.records))};
  Status status = read(piece.ends.data(), footer.records * i64{sizeof(i64)});
  if (status.is_ok()) status = read(piece.text.data(), footer.text_bytes);
  if (!status.is_ok()) return status;
  return piece;
}

Status LateText::write(const Piece &piece, i64 passed_over, OutputFile *file) const {
  const auto begin_of = [&](i64 record) {
    return record == 0 ? 0 : static_cast<size_t>(piece.ends[static_cast<size_t>(record - 1)]);
  };
  if (!reversed_) return file->write(Bytes(piece.text).substr(begin_of(passed_over)));
  std::string reversed;
  reversed.reserve(piece.text.size());
  for (i64 record = std::ssize(piece.ends); record-- > passed_over;) {
    reversed.append(piece.text, begin_of(record), begin_of(record + 1) - begin_of(record));
  }
  return file->write(reversed);
}

Result<i64> LateText::write_to(OutputFile *file) {
  const i64 passed_over = std::max<i64>(0, records_ - last_);  // in the first piece
  i64 written = records_ - passed_over;
  const i64 size = std::ssize(pieces_);
  for (i64 i = 0; i < size; ++i) {
    const i64 at = reversed_ ? size - 1 - i : i;
    Status status = write(pieces_[static_cast<size_t>(at)], at == 0 ? passed_over : 0, file);
    if (!status.is_ok()) return status;
  }
  while (file_bytes_ > 0) {  // only if all records are wanted, in reverse order
    const Result<Piece> piece = unspill();
    if (!piece.is_ok()) return piece.status();
    if (Status status = write(*piece, 0, file); !status.is_ok()) return status;
    written += std::ssize(piece->ends);
  }
  return written;
}

TextCheckpoints::TextCheckpoints(Run *run, const KeptRecords *kept)
    : run_(*run),
      inputs_(*run->plan.checkpoint),
      kept_(*kept),
      saved_at_(seconds_now()),
      bytes_before_(inputs_.text() == nullptr ? 0 : inputs_.text()->bytes),
      saver_(complaint_to(run)) {
  run_.report.known_bytes = inputs_.known_bytes();
}

// Text of another source marks the source before as finished.
bool TextCheckpoints::note(i64 source, const TransformedText &text) {
  if (source_ != source && source_ >= 0) marks_[source_].finished = true;
  source_ = source;
  CheckpointInputs::Mark &mark = marks_[source];
  mark.mapped.add(text.of);
  mark.answered = kept_.of_source(source);
  has_bad_ |= text.of.has_bad();
  used_ += text.used;
  read_ += text.of.end - text.of.begin;
  const KeepSpec &spec = run_.program.keep;
  if (read_ == 0) return false;
  return read_ >= spec.every_bytes ||
         (spec.every_seconds > 0 &&
          seconds_now() - saved_at_ >= static_cast<double>(spec.every_seconds));
}

// False after input that ends the job: damaged input, a malformed record with --strict, or the last
// record that is wanted. A resumed job must meet it again.
bool TextCheckpoints::may_save() const {
  if (kept_.is_full() || (has_bad_ && run_.program.strict)) return false;
  const std::lock_guard lock(run_.mutex);
  return run_.damaged.empty();
}

void TextCheckpoints::save(WrittenText text) {
  read_ = 0;
  saved_at_ = seconds_now();
  if (saver_.has_failed() || !may_save()) return;
  CheckpointInputs::Checkpoint at{
      .marks = marks_, .text = std::move(text), .flaws = flaws_written()};
  saver_.save([this, at = std::move(at)] { return commit(at); });
}

void TextCheckpoints::note_flaws(const KeptFlaws &flaws) {
  const std::lock_guard lock(mutex_);
  flaws_.add(flaws);
}

// Text is in the order of the input. So if the first fault lies after the written part, that part
// has no faults.
KeptFlaws TextCheckpoints::flaws_written() {
  const u64 end = position_of(source_, marks_[source_].mapped.end);
  const std::lock_guard lock(mutex_);
  KeptFlaws written{.used = used_, .record = {}, .value = {}};
  if (flaws_.record.position < end) written.record = flaws_.record;
  if (flaws_.value.position < end) written.value = flaws_.value;
  return written;
}

Status TextCheckpoints::commit(CheckpointInputs::Checkpoint at) {
  if (Status status = run_.output->sync(); !status.is_ok()) return status;
  ++made_;
  bytes_ = at.text->bytes - bytes_before_;
  return inputs_.commit(std::move(at));
}

void TextCheckpoints::finish() {
  saver_.finish();
  run_.report.checkpoints = made_;
  run_.report.sealed_bytes = bytes_;
}

}  // namespace mrc
