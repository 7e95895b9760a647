// Numbers of groups of records by first sight, as the first part of a sort key. Workers read units
// of the input at the same time, and none waits for its turn.
//
// Each worker has a table of the groups that it has seen. When all units before one are finished,
// the groups that were new to its worker get their numbers, in the order of the unit. There are few
// of these in most units, as most groups are seen in the first ones. Until then, records of such a
// group have a provisional number, which is replaced later.
#pragma once

#include "base/key_numbers.h"
#include "expr/record_scan.h"
#include "rows/rows.h"
#include "split/unit_turns.h"

#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace mrc {

// Thread safe.
class GroupNumbers {
 public:
  // `has_units`: by source. `memory`: a limit for the tables. REQUIRES: workers claim units in the
  // order of the input, and none ever goes back
  GroupNumbers(std::vector<bool> has_units, i64 workers, i64 memory)
      : memory_(memory), turns_(std::move(has_units)), all_(seed_), reading_(workers) {}

  class Worker;
  // Makes a worker's part, which this owns.
  Worker *add_worker();
  // Ends all waiting: not all units will be finished. Any thread.
  void stop();

 private:
  struct Finished {
    Unit unit;
    Worker *worker;  // to which these groups are new
    std::vector<u64> hashes;
    std::vector<Bytes> keys;
  };
  Status finish(Finished finished);
  void number(const Finished &finished);
  void number_finished();
  bool is_stuck() const;
  void pass_over_missing();

  const i64 memory_;
  const Seed seed_ = Seed::random();
  std::mutex mutex_;
  std::condition_variable changed_;  // something that workers wait for may be there
  UnitTurns turns_;                  // of the first unit whose groups are not numbered
  std::map<UnitTurns::Place, Finished> finished_;
  KeyNumbers all_;
  std::list<Worker> workers_;
  i64 reading_;  // workers that have not ended
  i64 worker_bytes_ = 0;
  bool is_stopped_ = false;
};

// One thread.
class GroupNumbers::Worker {
 public:
  explicit Worker(GroupNumbers *of) : of_(*of), own_(of->seed_) {}

  void begin_unit(const Unit &unit);
  Status end_unit();
  // Appends the number of a group, or a provisional one, to a key that is empty.
  void append(Bytes group, std::string *key);
  // Replaces provisional numbers in the keys of rows, and in their prefixes, which are the first
  // bytes of the keys. Waits until all units before the present one are finished.
  void settle(RowStore *rows);
  // Called when the worker reads no more.
  void end();

 private:
  friend GroupNumbers;
  static constexpr u32 kProvisional = u32{1} << 31;

  // The groups of the unit that have not been handed over.
  Finished new_groups();
  void take_numbers();
  bool may_go_on() const;
  void wait();

  GroupNumbers &of_;
  KeyNumbers own_;
  std::vector<u32> numbers_;  // by group of the worker, as far as it knows them
  u32 handed_over_ = 0;       // groups
  i64 told_bytes_ = 0;
  Unit unit_;
  bool is_in_unit_ = false, has_provisional_ = false;
  bool waits_ = false;
  std::vector<u32> told_;  // numbers that follow those of numbers_; others add to them
};

// Appends the group of each record to its sort key. For one worker.
class GroupOfRecord {
 public:
  // `worker` is null for samples, in which all records are of one group.
  GroupOfRecord(const std::vector<FieldExpr> &keys, const WantedFields &wanted,
                GroupNumbers::Worker *worker);

  void append(const SelectedRecords &batch, size_t record, std::string *key);

 private:
  std::vector<size_t> columns_;
  GroupNumbers::Worker *const worker_;
  std::string group_;
};

}  // namespace mrc
