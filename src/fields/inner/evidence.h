// Evidence for the formats that the first records of an input may have. recognize() takes the
// format with the most.
#pragma once

#include "fields/fields.h"

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

using Names = std::vector<std::string>;

// True if the dialect has all of these fields.
bool has_names(const Dialect &dialect, const Names &names);

// A format that is recognized by the shape of records, and how telling this shape is (formats.inc).
struct FormatShape {
  const LineFormat *format;
  int weight;
};
// Returns the formats for all jobs and the log. The most telling shapes come first.
std::span<const FormatShape> format_shapes();
int weight_of(const LineFormat &format);

// The grounds for a candidate besides the shape of its records, from little to much.
enum class Claim {
  none,
  inside,        // the records are inside lines of another log, and have all fields asked for
  told,          // it has all fields asked for; if none is, it has a level
  timed_inside,  // `inside`, and the records have a time
  clear,         // it has all fields asked for, and a shape that no other log has
  shared,        // `clear`, and jobs that ask for no field read the records in the same format
};

// Evidence is compared member by member: first the claim, then the weight of the shape
// (formats.inc), which counts half if it is doubtful. Of equal candidates, the first is taken.
struct Evidence {
  Claim claim;
  int weight;

  auto operator<=>(const Evidence &) const = default;
};

// True if records of other formats may have this shape, too: pairs may be in messages, and columns
// without names may be those of a log. Lines around those of another program are worth less if no
// field is asked for.
bool is_doubtful(const Dialect &dialect, const Names &asked);
// `asked`: the fields that the job names.
Evidence evidence_of(const Dialect &dialect, const Names &asked);

struct Candidate {
  Candidate(Dialect found, const Names &asked)
      : dialect(std::move(found)), evidence(evidence_of(dialect, asked)) {}

  Dialect dialect;
  Evidence evidence;
};

// Takes the other dialect if there is more evidence for it.
void take_better(std::optional<Dialect> other, const Names &asked, Candidate *best);

}  // namespace mrc
