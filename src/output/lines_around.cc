#include "output/lines_around.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mrc {

Status LinesAround::choose(i64 source, i64 lines, i64 room, TransformedText *text) {
  Input &input = inputs_[source];
  TransformedText out;
  auto insert = text->inserts.begin();
  i64 begin = 0;
  for (const TransformedText::Line &each : text->around) {
    const auto size = static_cast<size_t>(each.end - begin);
    HeldLine line{lines + each.number, text->text.substr(static_cast<size_t>(begin), size), {}};
    for (; insert != text->inserts.end() && insert->at < each.end; ++insert) {
      const bool is_name = insert->line == TransformedText::Insert::kName;
      line.inserts.push_back({insert->at - begin, is_name ? insert->line : lines + insert->line});
    }
    begin = each.end;
    if (each.is_record) {
      if (out.records >= room) continue;  // it follows as another line
      input.last_record = line.number;
      write_before(source, line.number, lines, &input, &out);
      write(source, std::move(line), lines, &input, &out);
      ++out.records;
    } else if (line.number == input.last_record) {
      continue;  // it is written as a record
    } else if (line.number <= input.last_record + terms_.after) {
      write(source, std::move(line), lines, &input, &out);
    } else {
      hold(std::move(line), &input);
    }
  }
  text->text = std::move(out.text);
  text->inserts = std::move(out.inserts);
  text->records = out.records;
  text->around.clear();
  if (held_bytes_ <= memory_) return Status::ok();
  return Status::memory_error(fmt::format(
      "{}: the {} lines before a record take more than {} bytes; ask for fewer, or raise {}",
      setting_name("before-context"), terms_.before, memory_, setting_name("memory")));
}

// Writes the lines before a record that are held back.
void LinesAround::write_before(i64 source, i64 record, i64 lines, Input *input,
                               TransformedText *out) {
  for (HeldLine &line : std::exchange(input->held, {})) {
    held_bytes_ -= std::ssize(line.text);
    if (line.number < record - terms_.before) continue;
    write(source, std::move(line), lines, input, out);
  }
}

bool LinesAround::is_open(i64 source, i64 lines) const {
  const auto input = inputs_.find(source);
  return input != inputs_.end() && lines <= input->second.last_record + terms_.after;
}

void LinesAround::forget(i64 source) {
  const auto input = inputs_.find(source);
  if (input == inputs_.end()) return;
  for (const HeldLine &line : input->second.held) held_bytes_ -= std::ssize(line.text);
  inputs_.erase(input);
}

void LinesAround::hold(HeldLine line, Input *input) {
  if (terms_.before == 0) return;
  held_bytes_ += std::ssize(line.text);
  input->held.push_back(std::move(line));
  if (std::ssize(input->held) <= terms_.before) return;
  held_bytes_ -= std::ssize(input->held.front().text);
  input->held.pop_front();
}

void LinesAround::write(i64 source, HeldLine line, i64 lines, Input *input, TransformedText *out) {
  const bool is_adjacent = last_source_ == source && line.number == input->last_written + 1;
  if (last_source_ >= 0 && !is_adjacent) out->text += terms_.separator;
  last_source_ = source;
  input->last_written = line.number;
  const i64 begin = std::ssize(out->text);
  for (const TransformedText::Insert &insert : line.inserts) {
    const bool is_name = insert.line == TransformedText::Insert::kName;
    out->inserts.push_back({begin + insert.at, is_name ? insert.line : insert.line - lines});
  }
  out->text += line.text;
}

}  // namespace mrc
