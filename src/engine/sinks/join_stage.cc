#include "engine/sinks/join_sides.h"

#include <fmt/format.h>

namespace mrc {

namespace {

bool is_file(const Source &source) { return !source.stream && source.codec == Codec::none; }

}  // namespace

i64 table_share(const JoinSpec &spec, Side side) { return spec.stable && side == kRight ? 5 : 16; }

// The first rows alone come soonest with a table of RIGHT, and bad records of RIGHT are kept first.
Side first_side(const Program &program, const Plan &plan) {
  constexpr i64 kMuchSmaller = 4;
  const Source &left = plan.sources[kLeft], &right = plan.sources[kRight];
  const bool sizes_known = is_file(left) && is_file(right);
  const bool is_free = program.order.limit < 0 && program.bad_path.empty();
  const bool is_small = (left.end - left.begin) * kMuchSmaller < right.end - right.begin;
  return sizes_known && is_free && is_small ? kLeft : kRight;
}

namespace {

class JoinStage : public Stage {
 public:
  explicit JoinStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return 0; }
  void plan(Plan *plan) const override;
  bool is_limited() const override { return program_.join->stable && program_.order.limit >= 0; }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return make_join_sink(run);
  }

 private:
  const Program &program_;
};

void JoinStage::plan(Plan *plan) const {
  const bool stable = program_.join->stable;
  const Side side = first_side(program_, *plan);
  const Source &first = plan->sources[side];
  const bool fits =
      (first.end - first.begin) * 2 < plan->memory / table_share(*program_.join, side);
  const char *which = side == kLeft ? "first" : "second";
  if (!stable && program_.order.limit >= 0) {
    plan->decisions.push_back(
        {"join", "by key", "records of both inputs are sorted by it, and the first rows wanted"});
  } else if (first.stream) {
    plan->decisions.push_back(
        {"join", "to be seen", fmt::format("it depends on how much the {} input has", which)});
  } else if (fits) {
    const bool sorts = !stable || side == kLeft;
    plan->decisions.push_back({"join",
                               !sorts   ? "broadcast"
                               : stable ? "broadcast, then by position"
                                        : "broadcast, then by key",
                               fmt::format("the {} input fits in memory as a table", which)});
  } else {
    plan->decisions.push_back(
        {"join", stable ? "by key, then by position" : "by key",
         fmt::format("the {} input may be too large for a table in memory", which)});
  }
}

}  // namespace

constinit const StageType kJoinStage = make_stage_type<JoinStage>("join");

}  // namespace mrc
