// Places where inputs may be cut, by the readers of their records.
#include "engine/inner/input_formats.h"
#include "engine/inner/plan.h"
#include "engine/inner/program.h"
#include "engine/inner/run.h"
#include "engine/inner/stage.h"
#include "fields/csv.h"
#include "fields/json.h"

namespace mrc {

LineGroups groups_of(const InputReaders &readers, i64 source) {
  static_assert(LineGroups::kHead == kHeadOfRecord);
  const RecordReader *reader = readers.of(source);
  if (reader == nullptr || !reader->joins_lines()) return {};
  return {[reader](Bytes head) { return reader->begins(head); },
          readers.dialect(source)->terminator};
}

std::optional<CsvBytes> quotes_of(const InputReaders &readers, i64 source) {
  const Dialect *dialect = readers.dialect(source);
  if (dialect == nullptr) return std::nullopt;
  return dialect->format->quoted ? std::optional(csv_bytes(*dialect)) : std::nullopt;
}

std::optional<CutRule> cut_rule_of(const InputReaders &readers, i64 source) {
  if (const std::optional<CsvBytes> quotes = quotes_of(readers, source)) {
    return CutRule::csv(*quotes);
  }
  const Dialect *dialect = readers.dialect(source);
  const JsonLayout layout = dialect == nullptr ? JsonLayout::lines : json_layout(*dialect);
  if (layout == JsonLayout::lines) return std::nullopt;
  return CutRule::json(depth_at_begin(layout));
}

// A chunk that begins with a record and whose last line end is outside quotes consists of whole
// records. So do all chunks if each ends outside quotes, since each begins where another one ends.
bool may_cut_lines(const Run &run) {
  const Program &program = run.program;
  const bool has_plain_conduct = program.keep.path.empty() && !program.live.is_wanted() &&
                                 !program.isolation.is_wanted && !program.partial.moves_states() &&
                                 program.partial.listed == nullptr && !program.follows;
  if (run.readers == nullptr || !run.stage->can_start_over() || !has_plain_conduct) return false;
  if (program.strict || program.map.fields.running != nullptr) return false;
  for (i64 i = 0; i < std::ssize(run.plan.sources); ++i) {
    const Source &source = run.plan.sources[static_cast<size_t>(i)];
    const Dialect *dialect = run.readers->dialect(i);
    const bool is_csv = dialect != nullptr && dialect->format->quoted && dialect->wrapper < 0;
    if (source.stream || source.followed || !is_csv) return false;
  }
  return true;
}

std::unique_ptr<ScannedCuts> make_scanned_cuts(const Plan &plan, const std::vector<Split> &splits) {
  std::vector<std::optional<CutRule>> rules;
  for (i64 source = 0; source < std::ssize(plan.sources); ++source) {
    rules.push_back(cut_rule_of(*plan.readers, source));
  }
  return std::make_unique<ScannedCuts>(plan.sources, splits, std::move(rules));
}

}  // namespace mrc
