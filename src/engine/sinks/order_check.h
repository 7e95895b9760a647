// Checks if the input is in order already, without sorting it.
#pragma once

#include "engine/inner/line_table.h"
#include "input/input.h"
#include "rows/record_rows.h"

#include <atomic>
#include <optional>
#include <span>
#include <string>

namespace mrc {

// The order of the input as seen by one worker, or by several after a merge. The inputs form one
// sequence, in the order of their names. Not thread safe.
class OrderCheck {
 public:
  // `least` is shared by all checks and outlives them: the position of the earliest chunk in which
  // they have found disorder, ~0 at first. Later chunks are not checked any more. `fields` reads
  // records with fields for this worker; null: records are lines or have a fixed size.
  OrderCheck(const SortSpec &spec, std::atomic<u64> *least, KeyedRecords *fields = nullptr);

  // Checks a chunk and returns the number of records. REQUIRES: chunks of one split come in order
  i64 add(const Chunk &chunk);
  // True if a record inside a chunk is out of order.
  bool found() const { return disorder_.has_value(); }

  // Adds the results of another worker.
  void add(OrderCheck *other);
  // Returns the first record that is out of order, as "NAME:NUMBER: disorder: RECORD", or "".
  // REQUIRES: all input before it was added to one of the merged checks
  std::string first_disorder(std::span<const Source> sources);

 private:
  // A record and its position: `number` in the chunk at `chunk`, from 0. If records have fields, it
  // is the number of the record's first line.
  struct Place {
    u64 chunk = 0;
    u64 number = 0;
    std::string record;
  };
  // A contiguous part of the input that is in order, with its first and last key.
  struct Piece {
    u64 begin = 0, end = 0;  // positions
    Place first;
    std::string first_key, last_key;
  };

  // The piece of a chunk, while its records are checked.
  struct Walk {
    const Chunk &chunk;
    Piece piece;
    i64 records = 0;         // records in order so far
    Bytes last;              // key of the last of these records
    std::string buffers[2];  // two consecutive keys
  };

  i64 walk_lines(Walk *walk);
  i64 walk_fields(Walk *walk);
  // Checks one record. False if it is out of order.
  bool take(Bytes record, Bytes key, Walk *walk);
  u64 number_of(Bytes record, const Walk &walk) const;
  // Returns the key, which `buffer` stores if it is not the record itself.
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
  std::optional<Place> disorder_;  // earliest one known
  std::vector<Piece> pieces_;
  LineTable lines_;
};

}  // namespace mrc
