// A part is some partitions that follow each other: equal keys have equal hashes, so no record has
// a partner in another part. The records of RIGHT of one part are a table, in which the records of
// LEFT are looked up, as in a broadcast. So nothing is sorted to bring partners together, and the
// memory is that of a part.
//
// The order of LEFT is that of its files, and so of the parts. Rows in the order of the keys would
// have to be sorted all the same, which costs more than the sort of both inputs: they have the text
// of records in place of their fields.
#include "engine/sinks/join_parts.h"

#include "engine/sinks/join_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace mrc {
namespace {

// A table of this size for each worker stays in the caches, and its reading is work for all.
constexpr i64 kBytesPerWorker = i64{1} << 20;
// Upper bounds of what a record needs as a row, besides its bytes.
constexpr i64 kBytesOfRow = 96, kBytesOfField = 16, kBytesOfBucket = 64;

std::string reason_against(const Program &program, const Plan &plan) {
  const JoinSpec &spec = plan.join->spec;
  if (!program.switches.copartitions) return "as asked";
  if (!spec.stable) return "rows in the order of the keys have to be sorted";
  for (const JoinInput &input : spec.inputs) {
    if (!input.hashed.reason_against.empty()) return input.hashed.reason_against;
  }
  if (program.isolation.is_wanted) return "worker processes read both inputs at once";
  if (!program.bad_path.empty())
    return "malformed records of one input are kept before the other's";
  if (program.order.limit >= 0) return "only the first rows are wanted";
  if (spec.kind == JoinKind::full) return "records of RIGHT alone follow all others";
  const bool are_files = std::ranges::all_of(plan.sources, [](const Source &source) {
    return !source.stream && source.codec == Codec::none && !source.followed;
  });
  return are_files ? "" : "the files are compressed";
}

// The sources of one partition on both sides, and the size of its table.
struct Partition {
  i64 number = 0;
  JoinPart of = {};
  i64 bytes = 0;        // of the files of RIGHT
  i64 table_bytes = 0;  // an upper bound
};

i64 row_bytes(const JoinSide &side) {
  i64 bytes = kBytesOfRow;
  for (const auto *fields : {&side.keys, &side.fields}) {
    for (const FieldExpr &field : *fields) bytes += field.bucket ? kBytesOfBucket : kBytesOfField;
  }
  return bytes;
}

// Takes the files of both sides in their order.
class Partitions {
 public:
  explicit Partitions(const Plan &plan)
      : plan_(plan), row_bytes_(row_bytes(plan.join->sides[kRight])) {}

  bool at_end() const { return next_in(kLeft) == kNone && next_in(kRight) == kNone; }
  Partition next() {
    Partition made{.number = std::min(next_in(kLeft), next_in(kRight))};
    for (const Side side : {kLeft, kRight}) {
      made.of.begin[side] = first_of(side) + at_[side];
      for (; next_in(side) == made.number; ++at_[side]) {
        if (side == kRight) add_table(&made);
      }
      made.of.end[side] = first_of(side) + at_[side];
    }
    return made;
  }

 private:
  static constexpr i64 kNone = std::numeric_limits<i64>::max();

  const std::vector<HashedFiles::File> &files(Side side) const {
    return plan_.join->spec.inputs[side].hashed.files;
  }
  i64 first_of(Side side) const { return side == kLeft ? 0 : plan_.join->spec.left_sources; }
  i64 next_in(Side side) const {
    const i64 at = at_[side];
    return at == std::ssize(files(side)) ? kNone : files(side)[static_cast<size_t>(at)].partition;
  }
  void add_table(Partition *to) const {
    const i64 at = at_[kRight];
    const Source &source = plan_.sources[static_cast<size_t>(first_of(kRight) + at)];
    const i64 bytes = source.end - source.begin;
    to->bytes += bytes;
    to->table_bytes += bytes + files(kRight)[static_cast<size_t>(at)].records * row_bytes_;
  }

  const Plan &plan_;
  const i64 row_bytes_;
  std::array<i64, 2> at_ = {};
};

// Returns no part if the table of a partition may not fit.
std::vector<JoinPart> divide(const Plan &plan) {
  const i64 workers = plan.workers;
  const i64 most_in_table =
      std::min(plan.memory / table_share(plan.join->spec, kRight), plan.memory / workers / 4);
  std::vector<JoinPart> parts;
  Partition last;
  for (Partitions all(plan); !all.at_end();) {
    const Partition next = all.next();
    if (next.table_bytes > most_in_table) return {};
    const bool goes_on = !parts.empty() && last.table_bytes + next.table_bytes <= most_in_table &&
                         last.bytes + next.bytes <= workers * kBytesPerWorker;
    if (goes_on) {
      parts.back().end = next.of.end;
      last.bytes += next.bytes;
      last.table_bytes += next.table_bytes;
    } else {
      parts.push_back(next.of);
      last = next;
    }
  }
  return parts;
}

}  // namespace

void plan_join_parts(const Program &program, Plan *plan) {
  if (plan->join->spec.hashed_key < 0) return;
  std::string reason = reason_against(program, *plan);
  std::vector<JoinPart> parts = reason.empty() ? divide(*plan) : std::vector<JoinPart>();
  if (reason.empty() && parts.empty())
    reason = "a partition may be too large for a table in memory";
  if (!reason.empty()) {
    plan->decisions.push_back({"parts", "not used", reason});
    return;
  }
  const auto join = std::make_shared<Join>(*plan->join);
  plan->decisions.push_back(
      {"join", fmt::format("copartitions, in parts: {}", parts.size()),
       fmt::format("hash/{} of the key divides the files of both inputs, so no records of two "
                   "parts have one key",
                   join->spec.inputs[kLeft].hashed.partitions)});
  join->parts = std::move(parts);
  plan->join = join;
}

}  // namespace mrc
