// kept: checks that partials make up a whole: each unit once, with all of its states.
#pragma once

#include "base/int.h"
#include "kept/partial.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Why a unit is missing: its input is lost; the user wants to leave it out; or it may be in
// partials that are merged elsewhere.
enum class Absence { fault, wanted, unknown };

// Returns a message that lists the units below `units` that are not in `there`; "": all are.
std::string describe_missing(const std::set<i64> &there, i64 units, Absence absence);

// The job of all partials that are merged. One thread.
class PartialJob {
 public:
  // Takes the job of the first partial, and checks that others have the same. An error names the
  // partial and the one that it does not fit.
  Status take(const PartialStates &states);

  // Returns the job, without pieces. Its ranges have the smallest limit of all.
  const Partial &partial() const { return job_; }
  i64 state_bytes() const { return state_bytes_; }

 private:
  void take_job(const PartialStates &states);
  Status other_job(const PartialStates &states) const;
  Status check_ranges(const PartialStates &states);

  // The name of the first partial that has records, or else of the first; "": none was taken.
  std::string first_;
  Partial job_;            // the job of this partial
  bool fits_any_ = false;  // this partial fits others of any kinds of fields
  i64 state_bytes_ = 0;
};

// Two pieces of different tables that have read the same bytes of a source of this name.
struct RepeatedInput {
  size_t piece = 0, other = 0;
  std::string source;
};

// Finds units, and runs of adjacent units, that have the same name and content in two tables. An
// input that is repeated in one table was named twice, and counts twice. A range is not found if
// its borders are no borders in the other table.
std::optional<RepeatedInput> find_repeated_input(const Partial &whole);

// The partials as one. Sources, units and positions have the numbers of the whole. Immutable.
struct MergedPartials {
  Partial whole;
  i64 state_bytes = 0;

  // The states of one file. `shift` is added to their positions; unset: no single number is right,
  // because other partials have the same sources in another order.
  struct Stretch {
    std::shared_ptr<const RunFile> file;
    std::vector<BlockInfo> blocks;
    std::optional<u64> shift;
    std::string name;
  };
  std::vector<Stretch> stretches;
  std::vector<std::string> notes;    // for the user
  std::vector<std::string> missing;  // messages about units that no partial has

  // Returns how the first source with a header is read, if the job prints records and the first of
  // all rows may be here; null: no header is printed.
  const Dialect *header() const;
  i64 records() const;
  // Sums over all pieces.
  PartialFlaw bad_records() const, bad_values() const;
  i64 used() const;
};

// How to treat states that come twice or never.
struct MergeTerms {
  bool once = false;             // count repeated units once; else they are an error
  bool some_partitions = false;  // missing partitions are merged elsewhere; else they are an error
  bool partial_ok = false;       // missing units are left out on purpose
  std::optional<PartitionSet> only = {};  // merges only these partitions; unset: all
};

// Takes partials, one after another. One thread.
class PartialMerger {
 public:
  explicit PartialMerger(MergeTerms terms) : terms_(terms) {}

  // `argument`: the index of the input that it comes from, never lower than that of the call
  // before. An error names the partial and the one that it does not fit.
  Status take(i64 argument, PartialStates states);
  bool is_empty() const { return stretches_.empty(); }
  // Call once. REQUIRES: !is_empty()
  Result<MergedPartials> finish();

 private:
  struct Table {
    PartialTable table;
    std::vector<std::string> names;
    i64 first = 0;  // its first source, in the order in which tables came
    i64 base = -1;  // its first source in the whole; -1: not set
  };
  struct Piece {
    PartialPiece piece;  // its sources are numbered in the order in which tables came
    std::string name;    // the partial that it came from first
  };
  // The tables of a partial, in its order.
  struct Order {
    i64 argument;
    bool is_line;
    std::vector<size_t> tables;
  };
  struct Stretch {
    PartialStates states;
    size_t order;
  };

  Result<size_t> add_order(i64 argument, const PartialStates &states);
  Result<size_t> add_table(const PartialTable &table, std::vector<std::string> names,
                           const std::string &name);
  void renumber(const Order &order, PartialPiece *piece) const;
  Result<Piece *> find_piece(const PartialPiece &piece, const std::string &name);
  Status add_pieces(PartialStates *states, const Order &order);
  bool has_partitions(const PartialStates &states, const PartitionSet &said) const;
  Status check_whole() const;
  std::vector<std::string> missing_units() const;
  Absence absence() const;
  void place_tables();
  std::vector<std::string> names_of(const Order &order) const;
  std::optional<u64> shift_of(const Order &order) const;

  const MergeTerms terms_;
  PartialJob job_;
  std::vector<Table> tables_;
  std::vector<Order> orders_;
  std::vector<Piece> pieces_;
  std::map<std::pair<size_t, i64>, size_t> units_;  // by table and number: the index of the piece
  std::vector<Stretch> stretches_;
  std::vector<std::string> notes_;
};

}  // namespace mrc
