// Numbers of records, and of the lines at which they begin, within their inputs. Workers count
// those of a chunk at the same time; the turns of the chunks add up what is before each of them.
#include "expr/inner/running_table.h"

#include <algorithm>

namespace mrc {

PlaceCounter::PlaceCounter(const RunningFields &fields)
    : wants_records_(fields.place(PlaceIn::records) != nullptr),
      wants_lines_(fields.place(PlaceIn::lines) != nullptr) {}

void PlaceCounter::begin(const Chunk &chunk, char terminator) {
  terminator_ = terminator;
  rest_ = chunk.bytes;
  records_ = lines_ = 0;
}

void PlaceCounter::add(const SelectedRecords &batch, RunningInput *input) {
  if (wants_records_) count_records(batch, &input->record_places);
  if (wants_lines_) count_lines(batch, &input->line_places);
}

// Malformed records are records of the input, too, so that numbers do not depend on which fields
// are read.
void PlaceCounter::count_records(const SelectedRecords &batch, RunningInput::Places *places) {
  auto bad = batch.bad.begin();
  for (size_t k = 0; k < static_cast<size_t>(batch.selected); ++k) {
    const size_t i = batch.selection[k];
    while (bad != batch.bad.end() && bad->record.data() < batch.records[i].data()) ++bad;
    places->before.push_back(records_ + static_cast<i64>(i) + (bad - batch.bad.begin()));
  }
  records_ += batch.size + std::ssize(batch.bad);
}

void PlaceCounter::count_lines(const SelectedRecords &batch, RunningInput::Places *places) {
  for (size_t k = 0; k < static_cast<size_t>(batch.selected); ++k) {
    const char *begin = batch.records[batch.selection[k]].data();
    const Bytes before = rest_.substr(0, static_cast<size_t>(begin - rest_.data()));
    lines_ += std::ranges::count(before, terminator_);
    rest_.remove_prefix(before.size());
    places->before.push_back(lines_);
  }
}

void PlaceCounter::end(RunningInput *input) {
  if (wants_lines_) lines_ += std::ranges::count(rest_, terminator_);
  input->record_places.in_all = records_;
  input->line_places.in_all = lines_;
}

namespace {

class PlaceState : public RunningState {
 public:
  using Places = RunningInput::Places;
  explicit PlaceState(Places RunningInput::*places) : places_(places) {}

  void fill(const RunningRecords &records, RunningOut *out) override {
    const size_t source = static_cast<size_t>(records.input.chunk.source);
    if (source >= before_.size()) before_.resize(source + 1);
    const Places &places = records.input.*places_;
    for (const i64 before : places.before) {
      out->put(make_number(before_[source] + before + 1, 0));
    }
    before_[source] += places.in_all;
  }
  i64 used_bytes() const override { return static_cast<i64>(before_.capacity() * sizeof(i64)); }

 private:
  Places RunningInput::*const places_;
  std::vector<i64> before_;  // by source: in the chunks before
};

}  // namespace

std::unique_ptr<RunningState> make_record_places(const RunningField &) {
  return std::make_unique<PlaceState>(&RunningInput::record_places);
}
std::unique_ptr<RunningState> make_line_places(const RunningField &) {
  return std::make_unique<PlaceState>(&RunningInput::line_places);
}

}  // namespace mrc
