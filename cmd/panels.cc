#include "cmd/panels.h"

#include "base/hash.h"
#include "cmd/found_fields.h"
#include "cmd/look.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace mrc {
namespace {

// Returns the ask for mrc stats. The scan selects records by the conditions of the report.
Ask ask_of(const PanelJob &job, const Ask &all, const OutputFormat *format) {
  Ask ask;
  ask.job.verb = "stats";
  ask.input = all.input;
  ask.reads_fields = true;
  ask.zone = all.zone;
  ask.dates = all.dates;
  ask.ignore_case = all.ignore_case;
  ask.geo = all.geo;
  ask.run.memory = all.run.memory;
  ask.run.threads = all.run.threads;
  ask.run.hands_over = true;
  ask.run.switches.sample = Sampling::off;
  ask.key = job.key;
  ask.where = job.where;
  ask.aggregates = job.aggregates;
  ask.having = job.having;
  ask.by = job.by;
  ask.top = job.top;
  ask.direction = job.direction;
  ask.display.format = format;
  ask.display.style = all.display.style;
  ask.display.color = When::never;
  ask.display.header = When::never;
  return ask;
}

// Describes what is kept of a panel. Order and number of rows do not matter, and kinds are choices
// of the job.
std::string text_of(const PanelJob &job) {
  return fmt::format("{}\n{}\n{}\n{}\n", job.key, fmt::join(job.where, "\n"), job.aggregates,
                     job.having);
}

}  // namespace

Result<const Program *> Panels::add(const PanelJob &job) {
  Compiled compiled;
  compiled.kinds = compiled_.kinds;
  compiled.newest = newest_change(compiled_);
  if (Status status = compile_verb(ask_of(job, ask_, format_), &compiled); !status.is_ok()) {
    return status;
  }
  if (compiled.program.map.fields.running != nullptr) {
    return Status::error("functions of earlier records are for jobs of their own");
  }
  kept_ += text_of(job);
  programs_.push_back(std::make_shared<const Program>(std::move(compiled.program)));
  return programs_.back().get();
}

Result<const Program *> Panels::add_next(const std::string &column, const PanelJob &job) {
  Ask ask = ask_of(job, ask_, format_);
  ask.input = {.format = &LineFormat::rows, .columns = {column}};
  Compiled compiled;
  compiled.is_fed = true;
  compiled.kinds = kinds_of_columns({{column, {.kind = ValueKind::text}}});
  if (Status status = compile_verb(ask, &compiled); !status.is_ok()) return status;
  next_ = {programs_.size() - 1, std::make_shared<const Program>(std::move(compiled.program))};
  return next_->program.get();
}

void Panels::share(std::shared_ptr<const SharedAnswer> answer) {
  Program *program = &compiled_.program;
  WantedFields all(nullptr);
  for (const auto &each : programs_) {
    const WantedFields wanted = each->map.fields.wanted();
    for (const FieldName &name : wanted.names()) all.add(name);
  }
  program->map.fields.keys.clear();
  for (const FieldName &name : all.names()) program->map.fields.keys.push_back(plain_field(name));
  take_found_fields(program);
  program->stage = &kSharedStage;
  program->shared = SharedSpec{.programs = std::move(programs_),
                               .answer = std::move(answer),
                               .digest = hash_bytes(kept_, Seed{}),
                               .next = std::move(next_)};
}

}  // namespace mrc
