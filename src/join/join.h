// join: joins two inputs by the keys of their records.
#pragma once

#include "base/status.h"
#include "expr/expr.h"
#include "expr/record_scan.h"
#include "output/output.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

// The rows that are printed. inner: pairs. left: pairs, and records of LEFT without a partner.
// full: pairs, and records of both sides without a partner. anti: records of LEFT without a
// partner. semi: records of LEFT that have one. changes: the values in which a pair differs, and
// those of records without a partner; each side has a key once (changed_rows.h).
enum class JoinKind { inner, left, full, anti, semi, changes };

// The values are the indexes of the inputs, and decide the side bit in stored records.
enum Side : size_t { kLeft = 0, kRight = 1 };

// The files of an input that is a directory, if the hash of a field divides them.
struct HashedFiles {
  struct File {
    i64 partition;  // from 0; `partitions`: records without the field
    i64 records;
  };
  std::string field = {};
  i64 partitions = 0;               // 0: no hash divides them
  std::vector<File> files = {};     // in the order of the input
  std::string reason_against = {};  // why it is of no use; empty: it may be used
};

// The user's options for one input.
struct JoinInput {
  FormatSpec format = {};
  std::vector<FieldExpr> keys = {};                          // as many as on the other side
  std::optional<std::vector<FieldExpr>> fields = {};         // to print; unset: all except the keys
  std::shared_ptr<const Filter> filter = {};                 // null: all records are wanted
  std::function<FieldKind(const FieldExpr &)> kind_of = {};  // empty: kinds are unknown
  std::vector<std::string> folders = {};  // fields that folders give to all records, and to print
  HashedFiles hashed = {};
};

struct JoinSpec {
  JoinKind kind = JoinKind::inner;
  bool stable = false;  // rows are in the order of LEFT; false: in the order of the keys
  std::array<JoinInput, 2> inputs;
  i64 left_sources = 1;  // the files of LEFT come first
  // The part of the key whose hash divides the files of both inputs alike; -1: there is none.
  i64 hashed_key = -1;

  bool has_binary_side() const {
    return inputs[kLeft].format.record_bytes > 0 || inputs[kRight].format.record_bytes > 0;
  }
  Side side_of(i64 source) const { return source < left_sources ? kLeft : kRight; }
  bool prints_right() const { return kind != JoinKind::anti && kind != JoinKind::semi; }
  // True if all fields of a side are printed, so that the fields must be known.
  bool prints_all(Side side) const {
    return !inputs[side].fields && (side == kLeft || prints_right());
  }
  // True if records of a side without a partner are printed; a record without a key has none.
  bool keeps(Side side) const {
    if (side == kRight) return kind == JoinKind::full || kind == JoinKind::changes;
    return kind != JoinKind::inner && kind != JoinKind::semi;
  }
};

// Checks that the records of a file have the hash of its partition. Thread safe.
class PartitionCheck {
 public:
  // `first`: the number of the first source of these files.
  PartitionCheck(const HashedFiles &files, i64 first, size_t key)
      : files_(files), first_(first), key_(key) {}

  // REQUIRES: no part of the key is missing
  void take(i64 source, std::span<const Bytes> keys) const;
  // Returns a source that has a record of another partition; -1: none that was seen.
  i64 misplaced() const { return misplaced_.load(std::memory_order_relaxed); }

 private:
  const HashedFiles &files_;
  const i64 first_;
  const size_t key_;
  mutable std::atomic<i64> misplaced_{-1};
};

// The fields that are read of one side, and its filter.
struct JoinSide {
  std::vector<FieldExpr> keys, fields;
  std::shared_ptr<const Filter> filter;
  bool is_lines = false;                             // a record is one field, the whole line
  bool needs_key = false;                            // a record without a key is malformed
  std::shared_ptr<const PartitionCheck> check = {};  // null: records may be in any file

  WantedFields wanted() const;
};

// Files of both inputs that have all records of some partitions.
struct JoinPart {
  std::array<i64, 2> begin = {}, end = {};  // their sources, by side

  bool has(Side side, i64 source) const { return begin[side] <= source && source < end[side]; }
};

// A join whose inputs have been examined. Immutable.
struct Join {
  JoinSpec spec;
  std::array<JoinSide, 2> sides;
  std::vector<JoinPart> parts;  // which are joined one by one; empty: inputs are joined as a whole
};

// Returns the setting that names the fields of a side.
const char *setting_of_fields(const JoinSpec &spec, Side side);

// Returns what is read of an input. `dialect` may be null if the fields to print need not be known.
// `name` is the input's name in messages. Fails if the dialect does not have the fields.
Result<JoinSide> join_side(const JoinSpec &spec, Side side, const Dialect *dialect,
                           const std::string &name);

// Returns distinct column names: the second column with a name gets the suffix _2, the third _3,
// like members of JSON objects.
std::vector<std::string> join_columns(const Join &join);
// Returns the kinds of the columns. A key has the kind that it has on both sides, or none.
std::vector<FieldKind> join_kinds(const Join &join);

// Parses "FIELD", or "FIELD=FIELD" for keys with different names, separated by commas.
Status parse_join_keys(std::string_view text, const Clock &clock, JoinSpec *spec);

// Reads one side of a join: keys and printed values of records.

// A record of one side. Its bytes are borrowed until the next record.
struct SideRecord {
  std::span<const Bytes> keys;    // null if missing or empty
  std::span<const Bytes> fields;  // null if missing
  bool has_key = false;           // no part of the key is missing: the record may have partners
  u64 position = 0;
};

// Reads the records of a side from chunks. For one worker; not thread safe.
class SideRecords {
 public:
  // REQUIRES: all arguments outlive this
  SideRecords(const JoinSide &side, const InputReaders &readers, BadRecordSink *bad);

  // Calls take(record) for each record that the filter selects and whose values fit their buckets,
  // until take() returns false. Returns the number of records read.
  template <typename Take>
  i64 each(const Chunk &chunk, Take take) {
    return scan_.each(chunk, [&] {
      for (i64 k = 0; k < batch_.selected; ++k) {
        const size_t i = batch_.selection[static_cast<size_t>(k)];
        if (!read(chunk, i)) continue;
        if (!take(record_)) return false;
      }
      return true;
    });
  }

 private:
  struct Cell {
    const FieldExpr *expr;
    size_t column;  // column of the batch
    std::string not_of_kind;
    std::string text = {};  // the value's bucket
  };
  static std::vector<Cell> cells_of(const std::vector<FieldExpr> &exprs,
                                    const WantedFields &wanted);
  bool read(const Chunk &chunk, size_t record);
  bool read_cells(const Chunk &chunk, size_t record, std::vector<Cell> *cells,
                  std::vector<Bytes> *values);
  // Returns false if the value does not fit the cell's bucket.
  static bool apply_bucket(Cell *cell, Bytes *value);

  BadRecordSink *bad_;
  const PartitionCheck *const check_;
  const bool needs_key_;
  std::vector<Cell> keys_, fields_;
  std::vector<Bytes> key_values_, field_values_;
  RecordScan scan_;
  const SelectedRecords &batch_ = *scan_.batch();
  SideRecord record_;
};

// The text of joined rows: the key, the fields of LEFT, the fields of RIGHT. A row is a head, which
// is the key and the fields of LEFT, and a tail, which is the fields of RIGHT and the end of the
// record. The tail of changes has the columns of a change, and their head is the key. Thread safe.
class JoinText {
 public:
  // Uses these members of the shape: format (one with field_text), header, raw, terminal and
  // terminator.
  JoinText(const Join &join, const RowShape &shape);

  void append_header(std::string *out) const;
  // A value whose data() is null is missing; an empty key is missing, too.
  void append_head(std::span<const Bytes> keys, std::span<const Bytes> left,
                   std::string *out) const;
  // Append the two parts of a head.
  void append_keys(std::span<const Bytes> keys, std::string *out) const {
    append_cells(0, keys, out);
  }
  void append_left(std::span<const Bytes> left, std::string *out) const {
    append_cells(keys_, left, out);
  }
  void append_tail(std::span<const Bytes> right, std::string *out) const;
  // Append the missing parts of records without a partner on the other side.
  void append_lone_left(std::string *out) const;
  void append_lone_head(std::span<const Bytes> keys, std::string *out) const;
  void append_lone_tail(std::string *out) const { out->append(lone_tail_); }

 private:
  struct Cell {
    std::string name;
    std::string label;       // text before the value in JSON
    bool is_number = false;  // numbers of a bucket
    ValueKind kind = ValueKind::unknown;
  };
  void append_cells(size_t first, std::span<const Bytes> values, std::string *out) const;
  void append_cell(const Cell &cell, Bytes value, std::string *out) const;
  bool labelled() const { return separator_ == '\0'; }

  const RowShape shape_;
  const char separator_;
  const AppendKey append_text_;
  std::vector<Cell> cells_;
  size_t keys_, lefts_;
  std::string lone_tail_;
};

}  // namespace mrc
