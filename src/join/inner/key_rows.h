// Walks over the ordered rows of both sides of a join, key by key.
#pragma once

#include "join/joined_rows.h"

#include <span>
#include <string>
#include <vector>

namespace mrc {

// Makes joined rows of the rows of one block (join_rows()). Not thread safe.
class KeyRows {
 public:
  // REQUIRES: both arguments outlive this
  KeyRows(const JoinedRowsSpec &spec, const RowSource::Take &take);
  virtual ~KeyRows() = default;

  // False if no more joined rows are wanted.
  bool is_wanted() const { return wanted_; }
  Status add(std::span<const Row> rows);
  // Called after the last row.
  Status finish();

 protected:
  virtual void begin_key() = 0;
  // Takes a record of the key; those of RIGHT come first. The record is valid during the call.
  virtual Status add(const StoredSide &side) = 0;
  virtual Status end_key() = 0;

  // The parts of the key.
  const std::vector<Bytes> &keys() const { return *keys_; }
  // Makes a row of two pieces of text. The positions of its records order it if the join is stable.
  void emit(u64 left, u64 right, Bytes head, Bytes tail);

  const JoinedRowsSpec &spec_;

 private:
  void show();

  const RowSource::Take &take_;
  const RowLayout layout_ = join_layout();
  const Order by_key_;
  std::string key_, row_;  // key_ is encoded, and empty before the first key
  DecodedKey decoded_;
  const std::vector<Bytes> *keys_ = nullptr;
  RowStore joined_{joined_layout(), KeyBytes::copied};
  bool wanted_ = true;
};

}  // namespace mrc
