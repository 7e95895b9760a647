// kept: which partials make up a whole: each unit once, with all of its states.
#pragma once

#include "kept/missing_units.h"
#include "kept/partial_reader.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// What is merged. Sources, units and positions have the numbers of the whole. Immutable.
struct MergedPartials {
  Partial whole;
  i64 state_bytes = 0;

  // States in one file. Positions in them are shifted by so much; unset: no one number is right,
  // as other partials have the same sources in another order.
  struct Stretch {
    std::shared_ptr<const RunFile> file;
    std::vector<BlockInfo> blocks;
    std::optional<u64> shift;
    std::string name;
  };
  std::vector<Stretch> stretches;
  std::vector<std::string> notes;    // for people
  std::vector<std::string> missing;  // messages: units that no partial has

  // How the first source with a header is read, if the job prints records, and the first of all
  // rows may be here; null: no header is to be printed.
  const Dialect *header() const;
  i64 records() const;
  // Of all pieces.
  PartialFlaw bad_records() const, bad_values() const;
  i64 used() const;
};

// What is to be done with what comes twice, or not at all.
struct MergeTerms {
  bool once = false;             // count what comes twice once; else it is an error
  bool some_partitions = false;  // partitions that are not there are elsewhere; else an error
  bool partial_ok = false;       // units that are not there are left out on purpose
  std::optional<PartitionSet> only = {};  // no others are merged here; unset: all
};

// Takes partials, one after the other. One thread.
class PartialMerger {
 public:
  explicit PartialMerger(MergeTerms terms) : terms_(terms) {}

  // `argument`: the number of the input that it comes from; these do not descend. An error names
  // what does not fit, and what it does not fit to.
  Status take(i64 argument, PartialStates states);
  bool is_empty() const { return stretches_.empty(); }
  // Once. REQUIRES: !is_empty()
  Result<MergedPartials> finish();

 private:
  struct Table {
    PartialTable table;
    std::vector<std::string> names;
    i64 first = 0;  // its first source, in the order in which tables came
    i64 base = -1;  // the same, in the whole
  };
  struct Piece {
    PartialPiece piece;  // with sources as they came
    std::string name;    // where it came from first
  };
  // Tables that one partial has, in its order.
  struct Order {
    i64 argument;
    bool is_line;
    std::vector<size_t> tables;
  };
  struct Stretch {
    PartialStates states;
    size_t order;
  };

  Status check_job(const PartialStates &states);
  Status check_ranges(const PartialStates &states);
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
  std::string first_;  // the name of the first partial
  Partial job_;        // of it, without pieces
  i64 state_bytes_ = 0;
  std::vector<Table> tables_;
  std::vector<Order> orders_;
  std::vector<Piece> pieces_;
  std::map<std::pair<size_t, i64>, size_t> units_;  // by table and number: the piece
  std::vector<Stretch> stretches_;
  std::vector<std::string> notes_;
};

}  // namespace mrc
