#include "rows/group_numbers.h"

#include "base/setting_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {
namespace {

void put_number(u32 number, char *to) {
  const u32 bytes = __builtin_bswap32(number);
  std::memcpy(to, &bytes, sizeof bytes);
}

}  // namespace

GroupNumbers::Worker *GroupNumbers::add_worker() {
  std::lock_guard lock(mutex_);
  return &workers_.emplace_back(this);
}

void GroupNumbers::stop() {
  std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

void GroupNumbers::number(const Finished &finished) {
  for (size_t i = 0; i < finished.keys.size(); ++i) {
    finished.worker->told_.push_back(all_.number_of(finished.hashes[i], finished.keys[i]));
  }
}

void GroupNumbers::number_finished() {
  for (auto next = finished_.begin(); next != finished_.end() && turns_.is_next(next->second.unit);
       next = finished_.begin()) {
    number(next->second);
    turns_.pass(next->second.unit);
    finished_.erase(next);
  }
  changed_.notify_all();
}

Status GroupNumbers::finish(Finished finished) {
  finished_.emplace(turns_.place_of(finished.unit), std::move(finished));
  number_finished();
  if (all_.used_bytes() + worker_bytes_ <= memory_) return Status::ok();
  return Status::memory_error(
      fmt::format("numbers of {} groups take more than {} bytes; more memory is {}", all_.size(),
                  memory_, setting_name("memory")));
}

// True if all workers wait for units that none of them has. Such units are missing if the input
// ends early: at an interrupt, or at a malformed record that ends the job.
bool GroupNumbers::is_stuck() const {
  const auto is_waiting = [](const Worker &one) { return one.waits_ && !one.may_go_on(); };
  return std::ranges::count_if(workers_, is_waiting) == reading_;
}

// Goes on with the first unit that is there.
void GroupNumbers::pass_over_missing() {
  const Unit *first = finished_.empty() ? nullptr : &finished_.begin()->second.unit;
  for (const Worker &one : workers_) {
    if (!one.waits_ || !one.is_in_unit_) continue;
    const bool is_first = first == nullptr || turns_.place_of(one.unit_) < turns_.place_of(*first);
    if (is_first) first = &one.unit_;
  }
  if (first != nullptr) turns_.pass_over_to(*first);
  number_finished();
}

GroupNumbers::Finished GroupNumbers::Worker::new_groups() {
  Finished groups{unit_, this, {}, {}};
  for (; handed_over_ < own_.size(); ++handed_over_) {
    groups.hashes.push_back(own_.hash(handed_over_));
    groups.keys.push_back(own_.key(handed_over_));
  }
  return groups;
}

void GroupNumbers::Worker::take_numbers() {
  numbers_.insert(numbers_.end(), told_.begin(), told_.end());
  told_.clear();
}

void GroupNumbers::Worker::begin_unit(const Unit &unit) {
  unit_ = unit;
  is_in_unit_ = true;
  std::lock_guard lock(of_.mutex_);
  take_numbers();
}

Status GroupNumbers::Worker::end_unit() {
  is_in_unit_ = false;
  Finished groups = new_groups();
  std::lock_guard lock(of_.mutex_);
  of_.worker_bytes_ += own_.used_bytes() - std::exchange(told_bytes_, own_.used_bytes());
  Status status = of_.finish(std::move(groups));
  take_numbers();
  return status;
}

void GroupNumbers::Worker::append(Bytes group, std::string *key) {
  const u32 own = own_.number_of(group);
  const bool is_known = own < numbers_.size();
  has_provisional_ |= !is_known;
  char bytes[sizeof(u32)];
  put_number(is_known ? numbers_[own] : own | kProvisional, bytes);
  key->append(bytes, sizeof bytes);
}

// Between units, the worker waits for the numbers of all its groups.
bool GroupNumbers::Worker::may_go_on() const {
  if (of_.is_stopped_) return true;
  if (is_in_unit_) return of_.turns_.is_next(unit_);
  return std::ssize(numbers_) + std::ssize(told_) == own_.size();
}

// Groups of the present unit are numbered before it ends, for the rows that it has made so far.
void GroupNumbers::Worker::wait() {
  std::unique_lock lock(of_.mutex_);
  waits_ = true;
  while (!may_go_on()) {
    of_.is_stuck() ? of_.pass_over_missing() : of_.changed_.wait(lock);
  }
  waits_ = false;
  if (is_in_unit_ && !of_.is_stopped_) of_.number(new_groups());
  take_numbers();
}

void GroupNumbers::Worker::end() {
  std::lock_guard lock(of_.mutex_);
  --of_.reading_;
  of_.changed_.notify_all();
}

void GroupNumbers::Worker::settle(RowStore *rows) {
  if (!std::exchange(has_provisional_, false)) return;
  wait();
  for (Row &row : rows->rows()) {
    const u32 own = static_cast<u32>(row.prefix >> 32);
    if ((own & kProvisional) == 0) continue;
    if ((own & ~kProvisional) >= numbers_.size()) return;  // the scan ends early
    const u32 number = numbers_[own & ~kProvisional];
    row.prefix = u64{number} << 32 | static_cast<u32>(row.prefix);
    put_number(number, rows->key_bytes_of(row));
  }
}

GroupOfRecord::GroupOfRecord(const std::vector<FieldExpr> &keys, const WantedFields &wanted,
                             GroupNumbers::Worker *worker)
    : worker_(worker) {
  for (const FieldExpr &key : keys) columns_.push_back(wanted.column(key.field));
}

// A group is the bytes of its values, with their sizes if there are several. A missing value is an
// empty one, as in keys.
void GroupOfRecord::append(const SelectedRecords &batch, size_t record, std::string *key) {
  if (worker_ == nullptr) return void(key->append(sizeof(u32), '\0'));
  if (columns_.size() == 1) return worker_->append(batch.column(columns_[0])[record], key);
  group_.clear();
  for (const size_t column : columns_) {
    const Bytes part = batch.column(column)[record];
    const i64 size = std::ssize(part);
    group_.append(reinterpret_cast<const char *>(&size), sizeof size);
    group_.append(part);
  }
  worker_->append(group_, key);
}

}  // namespace mrc
