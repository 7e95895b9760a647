#include "cmd/compile.h"
#include "plugin/plugin_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

struct NamedConduct {
  ConductOption conduct;
  const char *option;
  const char *options;  // all that only this conduct uses
};
constexpr NamedConduct kConducts[] = {
    {kState, "--state", "--state, --state-wait, --state-gone, --state-tiles, --state-last-line"},
    {kCheckpoint, "--checkpoint", "--checkpoint, --checkpoint-every, --resume"},
    {kFollow, "--follow", "--follow"},
    {kLive, "--live", "--live, --live-to"},
    {kIsolate, "--isolate", "--isolate, --unit-timeout"},
    {kPartials, "--to partial", ""},
};

bool makes(const Compiled &compiled, std::initializer_list<Makes> any) {
  return std::ranges::find(any, compiled.program.stage->makes) != any.end();
}

// The properties that conducts.inc names.
bool is_check(const Compiled &r) { return makes(r, {Makes::verdict}); }
bool orders_records(const Compiled &r) { return makes(r, {Makes::records, Makes::verdict}); }
bool has_no_first_rows(const Compiled &r) { return !makes(r, {Makes::groups, Makes::records}); }
bool orders_all_records(const Compiled &r) {
  return makes(r, {Makes::records}) && r.program.order.limit < 0;
}
bool has_no_parts(const Compiled &r) {
  return !makes(
      r, {Makes::groups, Makes::records, Makes::text, Makes::pairs, Makes::files, Makes::report});
}
bool stops_early(const Compiled &r) {
  return makes(r, {Makes::text}) && r.program.transform->terms().limited();
}
bool prints_moving_offsets(const Compiled &r) {
  return r.grep.json && r.program.keep.tile_bytes > 0;
}
bool has_running(const Compiled &r) {
  return r.program.map.fields.running != nullptr || r.program.numbers_groups();
}
bool names_inputs_of_tiles(const Compiled &r) {
  return r.program.map.fields.wanted().have_input_name() && r.program.keep.tile_bytes > 0;
}
bool is_late(const Compiled &r) {
  return makes(r, {Makes::text}) && r.program.transform->terms().is_late();
}
bool transposes(const Compiled &r) { return r.program.shape.transposed; }
bool compresses_text(const Compiled &r) {
  return makes(r, {Makes::text}) && is_zstd_name(r.program.output);
}
bool writes_files(const Compiled &r) { return r.program.files.has_value(); }
bool draws(const Compiled &r) {
  return makes(r, {Makes::text}) && r.program.transform->terms().random;
}
bool skips(const Compiled &r) {
  return makes(r, {Makes::text}) && r.program.transform->terms().skipped > 0;
}
bool prints_around(const Compiled &r) {
  return makes(r, {Makes::text}) && r.program.transform->terms().has_around();
}
bool limits_around(const Compiled &r) { return prints_around(r) && stops_early(r); }
bool follows_text(const Compiled &r) { return makes(r, {Makes::text}) && r.program.follows; }
bool has_nothing_to_save(const Compiled &r) {
  return !makes(r, {Makes::groups, Makes::text, Makes::records});
}
bool has_no_states(const Compiled &r) {
  return !makes(r, {Makes::groups, Makes::records, Makes::estimate});
}
bool prints_to_pipe(const Compiled &r) {
  return makes(r, {Makes::text}) && !is_output_file(r.program.output);
}
bool reads_commands(const Compiled &r) { return !r.program.input_command.empty(); }
bool maps_by_command(const Compiled &r) { return !r.program.feed.command.empty(); }
bool maps_files(const Compiled &r) { return r.program.io == IoMode::mmap; }
bool is_explained(const Compiled &r) { return r.reporting.explain != Reporting::Explain::nothing; }
bool keeps_bad_records(const Compiled &r) { return !r.program.bad_path.empty(); }
bool numbers_lines(const Compiled &r) {
  const MapSpec &map = r.program.map;
  return map.values == MapSpec::Values::line && map.records != MapSpec::Records::fields;
}
bool has_tiles(const Compiled &r) {
  return r.program.tile_bytes > 0 || r.program.tiling == Tiling::cache;
}
bool has_late_container(const Compiled &r) {
  return r.program.container != nullptr && !r.program.container->shows_early;
}
bool has_rounds(const Compiled &r) {
  return r.program.plugin && r.program.plugin->functions().round != nullptr;
}
bool looks_at_rows(const Compiled &r) {
  return r.program.plugin && r.program.plugin->looks_at_rows();
}
bool has_own_splits(const Compiled &r) {
  return r.program.plugin && r.program.plugin->has_own_splits();
}
bool is_kept(const Compiled &r) { return !r.program.keep.path.empty(); }
bool has_checkpoint(const Compiled &r) { return is_kept(r) && r.program.keep.is_checkpoint; }
bool has_state(const Compiled &r) { return is_kept(r) && !r.program.keep.is_checkpoint; }
bool has_state_and_ends(const Compiled &r) { return has_state(r) && !r.program.follows; }
bool follows(const Compiled &r) { return r.program.follows; }
bool is_live(const Compiled &r) { return r.program.live.is_wanted(); }
bool follows_or_is_live(const Compiled &r) { return follows(r) || is_live(r); }
bool shows_order_and_follows(const Compiled &r) { return follows(r) && r.program.live.in_order; }
bool is_isolated(const Compiled &r) { return r.program.isolation.is_wanted; }

struct Reason {
  u32 conducts;
  bool (*holds)(const Compiled &compiled);
  const char *reason;
};
#define LACKS(verb, conducts, reason)
constexpr Reason kReasons[] = {
#define REFUSES(conducts, property, reason) {conducts, property, reason},
#include "cmd/conducts.inc"
#undef REFUSES
};
#undef LACKS

struct Lack {
  std::string_view verb;
  u32 conducts;
  const char *reason;
};
#define REFUSES(conducts, property, reason)
constexpr Lack kLacks[] = {
#define LACKS(verb, conducts, reason) {#verb, conducts, reason},
#include "cmd/conducts.inc"
#undef LACKS
};
#undef REFUSES

}  // namespace

std::vector<Absent> absent_options(const Verb &verb) {
  std::vector<Absent> absent(verb.absent.begin(), verb.absent.end());
  for (const Lack &lack : kLacks) {
    if (lack.verb != verb.name) continue;
    for (const NamedConduct &named : kConducts) {
      if ((lack.conducts & named.conduct) != 0) absent.push_back({named.options, lack.reason});
    }
  }
  return absent;
}

Status check_conduct(ConductOption conduct, const Compiled &compiled) {
  const auto *found = std::ranges::find_if(kReasons, [&](const Reason &each) {
    return (each.conducts & conduct) != 0 && each.holds(compiled);
  });
  if (found == std::end(kReasons)) return Status::ok();
  const auto *named = std::ranges::find(kConducts, conduct, &NamedConduct::conduct);
  return Status::error(fmt::format("{}: {}", named->option, found->reason));
}

Status choose_isolate(Compiled *compiled) {
  IsolationSpec &isolation = compiled->program.isolation;
  if (!isolation.is_wanted) {
    const bool has_commands = compiled->is_fed || !compiled->program.feed.command.empty();
    return isolation.unit_seconds > 0 && !has_commands
               ? Status::error("--unit-timeout: there is no --isolate")
               : Status::ok();
  }
  isolation.only_plans = compiled->reporting.explain != Reporting::Explain::nothing;
  return check_conduct(kIsolate, *compiled);
}

}  // namespace mrc
