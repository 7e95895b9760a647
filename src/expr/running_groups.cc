#include "base/setting_name.h"
#include "expr/inner/running_table.h"
#include "expr/running.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {

void RunningOut::put(Number number) {
  if (!is_number(number)) return put_missing();
  text_.clear();
  append_number(number, &text_);
  put(text_, ' ');
}

// Values share pieces of the arena, because most are shorter than the padding.
char *RunningOut::room_for(size_t bytes) {
  constexpr size_t kPiece = size_t{16} << 10;
  if (static_cast<size_t>(end_ - next_) < bytes) {
    const size_t size = std::max(bytes, kPiece);
    next_ = reinterpret_cast<char *>(arena_.alloc(static_cast<i64>(size) + kPadding));
    end_ = next_ + size;
  }
  return std::exchange(next_, next_ + bytes);
}

// The byte before a value tells what it is in JSON (is_json_string()).
void RunningOut::put(Bytes text, char mark) {
  char *copy = room_for(text.size() + 1);
  *copy = mark;
  std::memcpy(copy + 1, text.data(), text.size());
  column_.emplace_back(copy + 1, text.size());
}

void RunningOut::note(Bytes value, const char *reason) {
  bad_->take_value(input_.chunk, {input_.records[column_.size()], value, reason});
}

RunningGroups::RunningGroups(const RunningFields &fields) : fields_(fields) {
  for (const RunningField &field : fields.fields) {
    const RunningFunction &function = *field.function;
    states_.push_back(field.is_of_all ? function.of_all(field) : function.make(field));
  }
}

RunningGroups::~RunningGroups() = default;

namespace {

// Returns the values of a key as text for users.
std::string key_text(Bytes key) {
  std::string text;
  while (!key.empty()) {
    i64 size;
    std::memcpy(&size, key.data(), sizeof size);
    if (!text.empty()) text += ", ";
    text += key.substr(sizeof size, static_cast<size_t>(size));
    key.remove_prefix(sizeof size + static_cast<size_t>(size));
  }
  return text;
}

}  // namespace

Status RunningGroups::find_groups(const RunningInput &input) {
  group_of_record_.clear();
  if (fields_.keys.empty()) {
    group_of_record_.assign(input.records.size() + static_cast<size_t>(input.later), 0);
    return Status::ok();
  }
  for (size_t i = 0; i < input.keys.size(); ++i) {
    const bool is_same = i > 0 && input.keys[i] == input.keys[i - 1];
    group_of_record_.push_back(is_same ? group_of_record_.back() : keys_.number_of(input.keys[i]));
  }
  if (!fields_.has_stretches) return Status::ok();
  for (size_t i = 0; i < input.records.size(); ++i) {
    const u32 group = group_of_record_[i];
    if (group < last_group_) {
      return Status::error(fmt::format(
          "{} -: the records of a group do not follow one another: one of {} comes "
          "after those of {}",
          setting_name("order"), key_text(keys_.key(group)), key_text(keys_.key(last_group_))));
    }
    last_group_ = group;
  }
  return Status::ok();
}

RunningRecords RunningGroups::records_of(const RunningInput &input, size_t field) const {
  const std::span<const u32> all = group_of_record_;
  const size_t own = input.records.size();
  return {all.first(own),      all.subspan(own),   std::max<i64>(1, groups()),
          input.values[field], input.times[field], input};
}

Status RunningGroups::gather(const RunningInput &input) {
  if (Status status = find_groups(input); !status.is_ok()) return status;
  for (size_t f = 0; f < states_.size(); ++f) {
    if (fields_.fields[f].is_of_all) states_[f]->gather(records_of(input, f));
  }
  return Status::ok();
}

Status RunningGroups::compute(const RunningInput &input, BadRecordSink *bad, RunningValues *values,
                              Arena *arena) {
  if (Status status = find_groups(input); !status.is_ok()) return status;
  values->begins = input.begins;
  values->columns.resize(states_.size());
  for (size_t f = 0; f < states_.size(); ++f) {
    std::vector<Bytes> &column = values->columns[f];
    column.clear();
    column.reserve(input.records.size());
    RunningOut out(input, bad, &column, arena);
    states_[f]->fill(records_of(input, f), &out);
  }
  return Status::ok();
}

i64 RunningGroups::used_bytes() const {
  i64 bytes = keys_.used_bytes();
  for (const auto &state : states_) bytes += state->used_bytes();
  return bytes;
}

}  // namespace mrc
