// How running functions keep what they need of each group, and put values.
#pragma once

#include "expr/inner/running_table.h"
#include "expr/inner/running_values.h"

namespace mrc {

// Keeps a Group for each group, and calls rule(group, record, out) for each record.
template <typename Group, typename Rule>
class StateBy : public RunningState {
 public:
  explicit StateBy(Rule rule) : rule_(std::move(rule)) {}

  void fill(const RunningRecords &records, RunningOut *out) override {
    groups_.resize(static_cast<size_t>(records.groups_in_all));
    for (size_t i = 0; i < records.groups.size(); ++i) {
      Group *group = &groups_[records.groups[i]];
      rule_(records, i, group, out);
      if constexpr (requires { group->grown_bytes(); }) bytes_ += group->grown_bytes();
    }
  }
  i64 used_bytes() const override {
    return static_cast<i64>(groups_.capacity() * sizeof(Group)) + bytes_;
  }

 private:
  Rule rule_;
  std::vector<Group> groups_;
  i64 bytes_ = 0;
};

template <typename Group, typename Rule>
std::unique_ptr<RunningState> make_state(Rule rule) {
  return std::make_unique<StateBy<Group, Rule>>(std::move(rule));
}

inline Number whole(i64 number) { return make_number(number, 0); }

inline void put_text(const EarlierText &text, RunningOut *out) {
  text.is_there() ? out->put(text.get(), text.mark()) : out->put_missing();
}
inline void keep_text(const RunningRecords &in, size_t i, EarlierText *text) {
  text->set(in.values.texts[i], in.values.marks[i]);
}

}  // namespace mrc
