#include "cmd/conducts.h"

#include "cmd/values.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

struct NamedConduct {
  ConductOption conduct;
  const char *option;
};
constexpr NamedConduct kConducts[] = {
    {kState, "--state"}, {kCheckpoint, "--checkpoint"}, {kFollow, "--follow"},
    {kLive, "--live"},   {kIsolate, "--isolate"},       {kPartials, "--to partial"},
};

bool makes(const Request &request, std::initializer_list<Makes> any) {
  return std::ranges::find(any, request.program.stage->makes) != any.end();
}

// The properties that conducts.inc names.
bool is_check(const Request &r) { return makes(r, {Makes::verdict}); }
bool orders_records(const Request &r) { return makes(r, {Makes::records, Makes::verdict}); }
bool has_no_first_rows(const Request &r) { return !makes(r, {Makes::groups, Makes::records}); }
bool orders_all_records(const Request &r) {
  return makes(r, {Makes::records}) && r.program.order.limit < 0;
}
bool has_no_parts(const Request &r) {
  return !makes(r, {Makes::groups, Makes::records, Makes::text});
}
bool stops_early(const Request &r) {
  return makes(r, {Makes::text}) && r.program.transform->terms().limited();
}
bool prints_moving_offsets(const Request &r) {
  return r.grep.json && r.program.keep.tile_bytes > 0;
}
bool follows_text(const Request &r) { return makes(r, {Makes::text}) && r.program.follows; }
bool has_nothing_to_save(const Request &r) {
  return !makes(r, {Makes::groups, Makes::text, Makes::records});
}
bool has_no_states(const Request &r) {
  return !makes(r, {Makes::groups, Makes::records, Makes::estimate});
}
bool prints_to_pipe(const Request &r) {
  return makes(r, {Makes::text}) && !is_output_file(r.program.output);
}
bool starts_records(const Request &r) {
  return r.program.map.groups || !r.program.map.fields.format.record_start.empty();
}
bool reads_commands(const Request &r) { return !r.program.input_command.empty(); }
bool maps_files(const Request &r) { return r.program.io == IoMode::mmap; }
bool is_explained(const Request &r) { return r.explain != Request::Explain::nothing; }
bool keeps_bad_records(const Request &r) { return !r.program.bad_path.empty(); }
bool numbers_lines(const Request &r) {
  const MapSpec &map = r.program.map;
  return map.values == MapSpec::Values::line && map.records != MapSpec::Records::fields;
}
bool has_tiles(const Request &r) {
  return r.program.tile_bytes > 0 || r.program.tiling == Tiling::cache;
}
bool has_late_container(const Request &r) {
  return r.program.container != nullptr && !r.program.container->shows_early;
}
bool has_rounds(const Request &r) {
  return r.program.plugin && r.program.plugin->functions().round != nullptr;
}
bool looks_at_rows(const Request &r) {
  return r.program.plugin && r.program.plugin->looks_at_rows();
}
bool has_own_splits(const Request &r) {
  return r.program.plugin && r.program.plugin->has_own_splits();
}
bool is_kept(const Request &r) { return !r.program.keep.path.empty(); }
bool has_checkpoint(const Request &r) { return is_kept(r) && r.program.keep.is_checkpoint; }
bool has_state(const Request &r) { return is_kept(r) && !r.program.keep.is_checkpoint; }
bool has_state_and_ends(const Request &r) { return has_state(r) && !r.program.follows; }
bool follows(const Request &r) { return r.program.follows; }
bool is_live(const Request &r) { return r.program.live.is_wanted(); }
bool follows_or_is_live(const Request &r) { return follows(r) || is_live(r); }
bool shows_order_and_follows(const Request &r) { return follows(r) && r.program.live.in_order; }
bool is_isolated(const Request &r) { return r.program.isolation.is_wanted; }

struct Refusal {
  u32 conducts;
  bool (*holds)(const Request &request);
  const char *reason;
};
constexpr Refusal kRefusals[] = {
#define REFUSES(conducts, property, reason) {conducts, property, reason},
#include "cmd/conducts.inc"
#undef REFUSES
};

}  // namespace

Status check_conduct(ConductOption conduct, const Request &request) {
  const auto *refusal = std::ranges::find_if(kRefusals, [&](const Refusal &each) {
    return (each.conducts & conduct) != 0 && each.holds(request);
  });
  if (refusal == std::end(kRefusals)) return Status::ok();
  const auto *named = std::ranges::find(kConducts, conduct, &NamedConduct::conduct);
  return Status::error(fmt::format("{}: {}", named->option, refusal->reason));
}

Status choose_isolate(Request *request) {
  IsolationSpec &isolation = request->program.isolation;
  if (!isolation.is_wanted) {
    return isolation.unit_seconds > 0 ? Status::error("--unit-timeout: there is no --isolate")
                                      : Status::ok();
  }
  isolation.only_plans = request->explain != Request::Explain::nothing;
  return check_conduct(kIsolate, *request);
}

}  // namespace mrc
