// Whether the input is in order already, found out without sorting it.
#pragma once

#include "engine/line_table.h"
#include "input/input.h"
#include "rows/keyed_records.h"

#include <atomic>
#include <optional>
#include <span>
#include <string>

namespace mrc {

// The order of the input as one worker has seen it, or several together. Inputs are one
// sequence, in the order in which they are named. Not thread safe.
class OrderCheck {
 public:
  // `least` belongs to all checks and outlives them: the position of the earliest chunk in
  // which they have found disorder, ~0 at first. Chunks after it are not looked at any more.
  // `fields`, of this worker, reads records that have fields, if they are to be checked.
  OrderCheck(const SortSpec &spec, std::atomic<u64> *least, KeyedRecords *fields = nullptr);

  // Returns the number of records. REQUIRES: chunks of one split come in its order.
  i64 add(const Chunk &chunk);
  // Whether a record in one of the chunks is out of order.
  bool found() const { return disorder_.has_value(); }

  // Takes over what another worker has seen.
  void add(OrderCheck *other);
  // The first record that is out of order, as "NAME:NUMBER: disorder: RECORD"; "" if
  // there is none. REQUIRES: all input before it was added, by one or another.
  std::string first_disorder(std::span<const Source> sources);

 private:
  // One record and where it is: `number` in the chunk at `chunk`, from 0; of a record with
  // fields, which may have several lines, that of its first line.
  struct Place {
    u64 chunk = 0;
    u64 number = 0;
    std::string record;
  };
  // Contiguous input, in order by itself, and what its neighbours must know of it.
  struct Piece {
    u64 begin = 0, end = 0;  // positions
    Place first;
    std::string first_key, last_key;
  };

  // The piece that a chunk becomes, record by record.
  struct Walk {
    const Chunk &chunk;
    Piece piece;
    i64 records = 0;         // so far, in order
    Bytes last;              // key of the last of them
    std::string buffers[2];  // of two keys in a row
  };

  i64 walk_lines(Walk *walk);
  i64 walk_fields(Walk *walk);
  // False if the record is out of order.
  bool take(Bytes record, Bytes key, Walk *walk);
  u64 number_of(Bytes record, const Walk &walk) const;
  // `buffer` takes the key if it is not the record itself.
  Bytes key_of(Bytes record, std::string *buffer) const;
  void complete_key(Bytes record, std::string *key) const;
  bool in_order(Bytes before, Bytes after) const;
  void add_piece(Piece piece);
  void note(Place place);

  const SortSpec &spec_;
  SortKeyEncoder encoder_;
  bool plain_;
  std::atomic<u64> *least_;
  KeyedRecords *fields_;
  std::optional<Place> disorder_;  // the first inside a piece
  std::vector<Piece> pieces_;
  LineTable lines_;
};

}  // namespace mrc
