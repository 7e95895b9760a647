#include "engine/sinks/ordered_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace mrc {

Status OrderedWriter::write(i64 source, TransformedText *text) {
  Status status = Status::ok();
  source_ = source;
  if (text->records > 0 || !text->text.empty() || !text->header.empty()) {
    keep_within_limits(source, text);
    kept_->add(source, text->records);
    note_last_record(*text);
    status = write_text(*text);
  }
  lines() += text->lines;
  const bool is_noted = checkpoints_ != nullptr && status.is_ok();
  if (is_noted && checkpoints_->note(source, *text)) checkpoints_->save(written());
  return status;
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

Status OrderedWriter::write_text(const TransformedText &text) {
  if (!text.header.empty() && !std::exchange(has_header_, true)) header_ += text.header;
  if (!has_record_ && text.records == 0) {
    header_ += text.text;
    return Status::ok();
  }
  has_record_ = true;
  if (const std::string header = take_header(); !header.empty()) {
    if (Status status = file_->write(header); !status.is_ok()) return status;
  }
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

}  // namespace mrc
