#include "engine/inner/plan_partials.h"

#include "kept/merge_partials.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

Source passed_over(const std::string &path, i64 argument) {
  Source source{.path = path};
  source.argument = argument;
  source.pass_over();
  return source;
}

void take_merged(const MergedPartials &merged, Plan *plan) {
  for (i64 i = 0; i < std::ssize(merged.whole.sources); ++i) {
    plan->sources.push_back(passed_over(merged.whole.sources[static_cast<size_t>(i)], i));
  }
  plan->notes = merged.notes;
  plan->decisions.push_back({"merge",
                             fmt::format("{} files or lines, of {} runs", merged.stretches.size(),
                                         merged.whole.pieces.size()),
                             "their states take the place of input"});
}

Status changed(const Source &source) {
  return Status::error(source.name() +
                       ": is not as it was when its units were listed; list them again");
}

// Makes the units of one input the parts of its source.
Result<Source> source_of_units(const UnitList::Input &input, const std::string &command,
                               std::vector<Source::Part> parts, i64 argument) {
  Result<Source> source = examine(input.path, input.of_command ? command : "");
  if (!source.is_ok()) return source;
  source->argument = argument;
  if (input.of_command) return source;
  if (input.packed != (source->codec != Codec::none)) return changed(*source);
  if (input.packed) {
    const bool is_same = source->packed_bytes == parts.front().end;
    return is_same ? source : Result<Source>(changed(*source));
  }
  std::ranges::sort(parts, {}, &Source::Part::begin);
  if (source->stream || parts.back().end > source->end) return changed(*source);
  source->parts = std::move(parts);
  return source;
}

void take_units(const Program &program, Plan *plan) {
  const PartialSpec &spec = program.partial;
  for (i64 i = 0; i < std::ssize(spec.listed->inputs); ++i) {
    const UnitList::Input &input = spec.listed->inputs[static_cast<size_t>(i)];
    std::vector<Source::Part> parts;
    for (const PartialUnit &unit : spec.units) {
      if (unit.source != i || (unit.end == unit.begin && !input.of_command)) continue;
      parts.push_back({unit.begin, unit.end});
    }
    if (parts.empty()) {
      plan->sources.push_back(passed_over(input.path, i));
      continue;
    }
    Result<Source> source = source_of_units(input, program.input_command, std::move(parts), i);
    if (!source.is_ok()) plan->problem = source.status();
    plan->sources.push_back(source.is_ok() ? std::move(*source) : passed_over(input.path, i));
  }
}

}  // namespace

void plan_partial_inputs(const Program &program, Plan *plan) {
  const PartialSpec &spec = program.partial;
  spec.merged ? take_merged(*spec.merged, plan) : take_units(program, plan);
}

i64 merged_blocks(const Program &program) {
  i64 blocks = 0;
  for (const MergedPartials::Stretch &stretch : program.partial.merged->stretches) {
    blocks += std::ssize(stretch.blocks);
  }
  return blocks;
}

}  // namespace mrc
