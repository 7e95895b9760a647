// Running functions of all records of a group, such as sum(x, all): what the function of the
// records so far, cumsum(x), has for the last one.
#include "expr/inner/running_table.h"
#include "expr/inner/running_values.h"

#include <algorithm>

namespace mrc {
namespace {

class OfAll : public RunningState {
 public:
  explicit OfAll(std::unique_ptr<RunningState> so_far) : so_far_(std::move(so_far)) {}

  void gather(const RunningRecords &records) override {
    Arena texts;
    std::vector<Bytes> column;
    RunningOut out(records.input, nullptr, &column, &texts);
    so_far_->fill(records, &out);
    last_.resize(static_cast<size_t>(records.groups_in_all));
    ++chunks_;
    for (size_t i = column.size(); i-- > 0;) {
      Last &last = last_[records.groups[i]];
      if (std::exchange(last.chunk, chunks_) == chunks_) continue;
      const Bytes text = column[i];
      last.text.set(text, text.data() == nullptr ? ' ' : text.data()[-1]);
      bytes_ += last.text.grown_bytes();
    }
  }
  // A job that ends early, or a file that has changed, may have groups that were not gathered.
  void fill(const RunningRecords &records, RunningOut *out) override {
    last_.resize(std::max(last_.size(), static_cast<size_t>(records.groups_in_all)));
    for (const u32 group : records.groups) {
      const EarlierText &text = last_[group].text;
      text.is_there() ? out->put(text.get(), text.mark()) : out->put_missing();
    }
  }
  i64 used_bytes() const override {
    return so_far_->used_bytes() + bytes_ + static_cast<i64>(last_.capacity() * sizeof(Last));
  }

 private:
  struct Last {
    i64 chunk = 0;  // number of the last chunk with a record of the group
    EarlierText text;
  };

  std::unique_ptr<RunningState> so_far_;
  std::vector<Last> last_;  // by group
  i64 chunks_ = 0;
  i64 bytes_ = 0;
};

}  // namespace

std::unique_ptr<RunningState> make_of_all(const RunningField &field) {
  return std::make_unique<OfAll>(field.function->so_far(field));
}

}  // namespace mrc
