#include "engine/inner/sample.h"
#include "engine/sinks/join_sides.h"
#include "engine/sinks/presorted_sides.h"

#include <fmt/format.h>

namespace mrc {

namespace {

bool is_file(const Source &source) { return !source.stream && source.codec == Codec::none; }

bool is_much_smaller(const Source &one, const Source &other) {
  return (one.end - one.begin) * 4 < other.end - other.begin;
}

}  // namespace

i64 table_share(const JoinSpec &spec, Side side) { return spec.stable && side == kRight ? 5 : 16; }

// Reads RIGHT first if only some rows are wanted, which come soonest with a table of RIGHT, or if
// malformed records are kept, as those of RIGHT come first.
Side first_side(const Program &program, const Plan &plan) {
  const Source &left = plan.sources[kLeft], &right = plan.sources[kRight];
  const bool sizes_known = is_file(left) && is_file(right);
  const bool is_free = program.order.limit < 0 && program.bad_path.empty();
  return sizes_known && is_free && is_much_smaller(left, right) ? kLeft : kRight;
}

namespace {

constexpr const char *kPresorted =
    "both inputs seem to be sorted by the key, which one scan checks";

class JoinStage : public Stage {
 public:
  explicit JoinStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return 0; }
  void plan(Plan *plan) const override;
  bool is_limited() const override { return program_.join->stable && program_.order.limit >= 0; }
  std::unique_ptr<Hand> make_sampler(const Plan &plan, Sample *sample,
                                     BadRecordSink *bad) const override {
    return make_order_sampler(plan, sample, bad);
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return make_join_sink(run);
  }

 private:
  // `first`: the side that is read first. `fits`: it fits in memory as a table.
  bool seems_presorted(Side first, bool fits, Plan *plan) const;
  Decision expected_way(Side first, bool fits, const Plan &plan) const;

  const Program &program_;
};

void JoinStage::plan(Plan *plan) const {
  const Side side = first_side(program_, *plan);
  const Source &first = plan->sources[side];
  const bool fits =
      (first.end - first.begin) * 2 < plan->memory / table_share(*program_.join, side);
  plan->seems_presorted = seems_presorted(side, fits, plan);
  plan->decisions.push_back(plan->seems_presorted ? Decision{"join", "merge", kPresorted}
                                                  : expected_way(side, fits, *plan));
}

Decision JoinStage::expected_way(Side side, bool fits, const Plan &plan) const {
  const bool stable = program_.join->stable;
  const char *which = side == kLeft ? "first" : "second";
  if (!stable && program_.order.limit >= 0) {
    return {"join", "by key", "records of both inputs are sorted by it, and the first rows wanted"};
  }
  if (plan.sources[side].stream) {
    return {"join", "to be seen", fmt::format("it depends on how much the {} input has", which)};
  }
  if (fits) {
    const bool sorts = !stable || side == kLeft;
    return {"join",
            !sorts   ? "broadcast"
            : stable ? "broadcast, then by position"
                     : "broadcast, then by key",
            fmt::format("the {} input fits in memory as a table", which)};
  }
  return {"join", stable ? "by key, then by position" : "by key",
          fmt::format("the {} input may be too large for a table in memory", which)};
}

// False if a table is faster: if one input is small, because a merge reads both inputs twice, or if
// the rows need no sorting.
bool JoinStage::seems_presorted(Side first, bool fits, Plan *plan) const {
  const Presorted presorted = program_.switches.presorted;
  if (presorted == Presorted::off || !may_be_presorted(program_, *plan)) return false;
  if (presorted == Presorted::checked) return true;
  const Source &second = plan->sources[first == kLeft ? kRight : kLeft];
  const bool is_small = is_much_smaller(plan->sources[first], second);
  const bool sorts = !program_.join->stable || first == kLeft;
  if ((fits && (is_small || !sorts)) || !worth_sampling(program_, *plan)) return false;
  PhaseTimer timer(&plan->phases);
  timer.begin("sample");
  const Sample sample = take_sample(program_, *this, *plan);
  return sample.records > 0 && !sample.disorder;
}

}  // namespace

constinit const StageType kJoinStage = make_stage_type<JoinStage>("join", Makes::pairs);

}  // namespace mrc
