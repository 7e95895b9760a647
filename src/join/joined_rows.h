// Sort-merge join: stores the records of both sides as rows, and joins them in order, key by key.
#pragma once

#include "base/status.h"
#include "join/join.h"
#include "rows/row_source.h"
#include "rows/rows.h"
#include "store/store.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Stores records of both sides as rows, which order by key, then side, then position.

// The key of a row has these bytes: the parts of the join key as sort fields (map/key_parts.h),
// none of which is a prefix of another; a byte for the side, by which RIGHT comes first; eight
// bytes for the position of the record; and each field after its size + 1, or a 0 if it is missing.
RowLayout join_layout();

// Stores records as rows. For one worker; not thread safe.
class SideWriter {
 public:
  // `keeps_lone`: records without a key are kept. REQUIRES: `store` is of join_layout(); `order`
  // and `store` outlive this
  SideWriter(Side side, const Order &order, RowStore *store, bool keeps_lone = true)
      : side_(side), order_(order), store_(*store), keeps_lone_(keeps_lone) {}

  void add(const SideRecord &record);

 private:
  const Side side_;
  const Order &order_;
  RowStore &store_;
  const bool keeps_lone_;
  std::string bytes_;
};

// A decoded row, borrowed from the stored row.
struct StoredSide {
  explicit StoredSide(const RowLayout &layout, const Row &row);

  Bytes key;  // encoded; equal if and only if all parts are
  Side side;
  bool has_key;  // false: it matches no other record
  u64 position;
  Bytes fields;

  // Fills *values, which has an element for each field.
  void read_fields(std::vector<Bytes> *values) const;
};

// Decodes the parts of encoded keys.
class DecodedKey {
 public:
  explicit DecodedKey(size_t parts) : texts_(parts), values_(parts) {}
  // Returns the parts, which are valid until the next call; an empty part is null.
  const std::vector<Bytes> &decode(Bytes key);

 private:
  std::vector<std::string> texts_;
  std::vector<Bytes> values_;
};

void append_join_key(std::span<const Bytes> keys, std::string *out);

// The output text of RIGHT's records of one key, in memory or, beyond a limit, in a temporary file.

// A list of tails (JoinText) with their positions. Not thread safe.
class HeldTails {
 public:
  HeldTails(std::string tmpdir, i64 most_bytes)
      : tmpdir_(std::move(tmpdir)), most_bytes_(most_bytes) {}

  bool empty() const { return in_file_ == 0 && in_memory_.empty(); }
  void clear() {
    in_file_ = 0;  // the content of the file is overwritten
    in_memory_.clear();
  }
  Status add(u64 position, Bytes text);
  // Calls take(position, text) for each tail, in the order in which they were added, until take()
  // returns false.
  template <typename Take>
  Status each(Take take) {
    bool wanted = true;
    for (i64 at = 0; at < in_file_ && wanted;) {
      Result<Bytes> piece = read(at);
      if (!piece.is_ok()) return piece.status();
      const i64 used = show(*piece, take, &wanted);
      at += used;
    }
    if (wanted) show(in_memory_, take, &wanted);
    return Status::ok();
  }

 private:
  struct Head {
    u64 position, size;
  };
  // Shows the complete tails in `bytes`; returns their size.
  template <typename Take>
  static i64 show(Bytes bytes, Take take, bool *wanted) {
    const Bytes all = bytes;
    while (*wanted && bytes.size() >= sizeof(Head)) {
      Head head;
      std::memcpy(&head, bytes.data(), sizeof head);
      if (bytes.size() - sizeof head < head.size) break;
      *wanted = take(head.position, bytes.substr(sizeof head, head.size));
      bytes.remove_prefix(sizeof head + head.size);
    }
    return std::ssize(all) - std::ssize(bytes);
  }
  // Reads a piece of the file that has at least one complete tail.
  Result<Bytes> read(i64 at);

  const std::string tmpdir_;
  const i64 most_bytes_;
  std::string in_memory_, piece_;
  std::optional<RunFile> file_;
  i64 in_file_ = 0;
};

// Joins the rows of both sides, in order, key by key.

struct JoinedRowsSpec {
  const Join &join;
  const JoinText &text;
  std::string tmpdir;
  i64 held_bytes;  // memory for the records of RIGHT of one key; the others go to a file
};

// Returns rows of joined_layout() whose payload is the text of a row, with the end of the record.
// For the order of LEFT, they must be sorted by their keys; otherwise they come in order. `rows`
// are ordered rows of join_layout(), in blocks that begin where keys do.
//
// The records of RIGHT come first for each key. Their text is kept while the records of LEFT pass.
// If the records of RIGHT do not fit in memory, they are read from a temporary file for each record
// of LEFT, which costs as much as writing the result.
std::unique_ptr<RowSource> join_rows(std::unique_ptr<RowSource> rows, const JoinedRowsSpec &spec);
RowLayout joined_layout();

}  // namespace mrc
