// Running functions of all records up to one, such as cumsum(x), and of all records of a group,
// such as sum(x, all): both take the records one by one, and the latter show the value after the
// last.
#include "base/arithmetic.h"
#include "expr/evaluate.h"
#include "expr/inner/running_state.h"

namespace mrc {
namespace {

// The groups of the functions: take() adds a record, and put() shows the value.

struct Sum {
  EarlierNumber sum;

  void take(const RunningRecords &in, size_t i, Arena *arena) {
    const Number number = in.values.numbers[i];
    if (is_number(number)) sum.set(is_number(sum.get()) ? add(sum.get(), number, arena) : number);
  }
  void put(RunningOut *out) const { out->put(sum.get()); }
};

struct Mean {
  EarlierNumber sum;
  i64 count = 0;

  void take(const RunningRecords &in, size_t i, Arena *arena) {
    const Number number = in.values.numbers[i];
    if (is_number(number)) sum.set(count++ > 0 ? add(sum.get(), number, arena) : number);
  }
  void put(RunningOut *out) const {
    if (count == 0) return out->put_missing();
    out->put(divide(sum.get(), whole(count), out->arena()));
  }
};

struct Count {
  i64 count = 0;

  void take(const RunningRecords &in, size_t i, Arena *) {
    count += !is_absent(in.values.texts[i]);
  }
  void put(RunningOut *out) const { out->put(whole(count)); }
};

template <int kSign>
struct Extreme {
  EarlierNumber number;
  EarlierText text;

  void take(const RunningRecords &in, size_t i, Arena *) {
    const Number own = in.values.numbers[i], before = number.get();
    const bool is_better =
        is_number(own) && (!is_number(before) || kSign * order_of_numbers(own, before) > 0);
    if (!is_better) return;
    number.set(own);
    keep_text(in, i, &text);
  }
  void put(RunningOut *out) const { put_text(text, out); }
  i64 grown_bytes() { return text.grown_bytes(); }
};

struct Last {
  EarlierText text;

  void take(const RunningRecords &in, size_t i, Arena *) { keep_text(in, i, &text); }
  void put(RunningOut *out) const { put_text(text, out); }
  i64 grown_bytes() { return text.grown_bytes(); }
};

// Gathers all records before it shows any value. Makes the text of a group once.
template <typename Group>
class OfAll : public RunningState {
 public:
  void gather(const RunningRecords &records) override {
    Arena arena;
    groups_.resize(static_cast<size_t>(records.groups_in_all));
    for (size_t i = 0; i < records.groups.size(); ++i) {
      Group *group = &groups_[records.groups[i]].group;
      group->take(records, i, &arena);
      count_growth(group);
    }
  }
  // A job that ends early, or a file that has changed, may have groups that were not gathered.
  void fill(const RunningRecords &records, RunningOut *out) override {
    groups_.resize(std::max(groups_.size(), static_cast<size_t>(records.groups_in_all)));
    for (const u32 group : records.groups) {
      Shown *shown = &groups_[group];
      if (!std::exchange(shown->is_made, true)) make_text(records.input, shown);
      put_text(shown->text, out);
    }
  }
  i64 used_bytes() const override {
    return static_cast<i64>(groups_.capacity() * sizeof(Shown)) + bytes_;
  }

 private:
  struct Shown {
    Group group;
    bool is_made = false;
    EarlierText text;
  };

  void make_text(const RunningInput &input, Shown *shown) {
    Arena arena;
    std::vector<Bytes> made;
    RunningOut out(input, nullptr, &made, &arena);
    shown->group.put(&out);
    const Bytes text = made[0];
    shown->text.set(text, text.data() == nullptr ? ' ' : text.data()[-1]);
    count_growth(&shown->text);
  }
  template <typename Part>
  void count_growth(Part *part) {
    if constexpr (requires { part->grown_bytes(); }) bytes_ += part->grown_bytes();
  }

  std::vector<Shown> groups_;
  i64 bytes_ = 0;
};

template <typename Group>
std::unique_ptr<RunningState> make_so_far(const RunningField &field) {
  if (field.is_of_all) return std::make_unique<OfAll<Group>>();
  return make_state<Group>([](const RunningRecords &in, size_t i, Group *group, RunningOut *out) {
    group->take(in, i, out->arena());
    group->put(out);
  });
}

}  // namespace

std::unique_ptr<RunningState> make_sum_so_far(const RunningField &field) {
  return make_so_far<Sum>(field);
}
std::unique_ptr<RunningState> make_mean_so_far(const RunningField &field) {
  return make_so_far<Mean>(field);
}
std::unique_ptr<RunningState> make_count_so_far(const RunningField &field) {
  return make_so_far<Count>(field);
}
std::unique_ptr<RunningState> make_least_so_far(const RunningField &field) {
  return make_so_far<Extreme<-1>>(field);
}
std::unique_ptr<RunningState> make_most_so_far(const RunningField &field) {
  return make_so_far<Extreme<1>>(field);
}
std::unique_ptr<RunningState> make_last(const RunningField &field) {
  return make_so_far<Last>(field);
}

}  // namespace mrc
