// The table of running functions.
#pragma once

#include "expr/running.h"

#include <span>

namespace mrc {

// Where a function puts the values of a chunk, record by record.
class RunningOut {
 public:
  RunningOut(const RunningInput &input, BadRecordSink *bad, std::vector<Bytes> *column,
             Arena *arena)
      : input_(input), bad_(bad), column_(*column), arena_(*arena) {}

  void put_missing() { column_.emplace_back(); }
  void put(Number number);
  // Puts a text, which is copied, with its mark (RunningInput).
  void put(Bytes text, char mark);
  // Reports a value of the record that is next.
  void note(Bytes value, const char *reason);
  Arena *arena() { return &arena_; }

 private:
  char *room_for(size_t bytes);

  const RunningInput &input_;
  BadRecordSink *const bad_;
  std::vector<Bytes> &column_;
  Arena &arena_;
  char *next_ = nullptr, *end_ = nullptr;  // free bytes of a piece of the arena, without padding
  std::string text_;
};

// The records of a chunk as one function sees them. Values and times go on with records after it.
struct RunningRecords {
  std::span<const u32> groups;        // by record
  std::span<const u32> later_groups;  // by record after the chunk
  i64 groups_in_all;
  const RunningInput::Argument &values;
  const std::vector<Number> &times;
  const RunningInput &input;
};

// A function keeps this of the records of each group. Chunks come in the order of the input.
class RunningState {
 public:
  virtual ~RunningState() = default;
  virtual void fill(const RunningRecords &records, RunningOut *out) = 0;
  // Takes the records of a chunk before the first chunk is filled, if the field is of all records.
  virtual void gather(const RunningRecords &) {}
  virtual i64 used_bytes() const = 0;
};

using MakeRunningState = std::unique_ptr<RunningState> (*)(const RunningField &field);

struct RunningFunction {
  enum class Value : u8 { none, text, number, both };
  // The parameters after the value.
  enum class Takes : u8 { nothing, count, gap, frame };
  // The kind of the results: a number, or that of the value, where times and perhaps texts are
  // refused.
  enum class Gives : u8 { number, value, measure, difference };

  const char *name;
  const char *form;  // the text after the name
  Value value;
  Takes takes;
  Gives gives;
  MakeRunningState make;              // null: the function is always of all records
  MakeRunningState of_all = nullptr;  // makes the state of a field of all records
  PlaceIn place = PlaceIn::nothing;
  bool looks_ahead = false;  // at as many records after the own one as the field has
};

// Make the states of all records up to one or, if the field is of all records, of all.
std::unique_ptr<RunningState> make_sum_so_far(const RunningField &field);
std::unique_ptr<RunningState> make_mean_so_far(const RunningField &field);
std::unique_ptr<RunningState> make_count_so_far(const RunningField &field);
std::unique_ptr<RunningState> make_least_so_far(const RunningField &field);
std::unique_ptr<RunningState> make_most_so_far(const RunningField &field);
std::unique_ptr<RunningState> make_last(const RunningField &field);
// Make the states of sessions, and of frames: the last records of a group.
std::unique_ptr<RunningState> make_session(const RunningField &field);
std::unique_ptr<RunningState> make_frame_sum(const RunningField &field);
std::unique_ptr<RunningState> make_frame_mean(const RunningField &field);
std::unique_ptr<RunningState> make_frame_count(const RunningField &field);
std::unique_ptr<RunningState> make_frame_least(const RunningField &field);
std::unique_ptr<RunningState> make_frame_most(const RunningField &field);
// Makes the states of functions that number the records, or the lines, of each input.
std::unique_ptr<RunningState> make_record_places(const RunningField &field);
std::unique_ptr<RunningState> make_line_places(const RunningField &field);

// Returns null if no function has that name.
const RunningFunction *find_running_function(std::string_view name);
std::vector<std::string> running_function_names();

}  // namespace mrc
