// Records that one byte separates, in one pass: the loop for the commonest jobs on them.
#pragma once

#include "base/arena.h"
#include "base/number_column.h"
#include "map/emitter.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

// Groups by a field as it is and folds numbers of others, of all records. What the mapper
// of any fields does in passes over columns of views is done record by record from the
// list of separators, so that nothing is stored between: some 130 instructions a record,
// with a number, on lines of 14 bytes.
//
// One for each worker.
template <Fold fold>
class SeparatedMapper {
 public:
  // Null if the job is not as simple as that.
  static std::unique_ptr<SeparatedMapper> make(const FieldsSpec &spec, BadRecordSink *bad);

  // As Mapper::map().
  i64 map(const Chunk &chunk, const SeparatedFields &how, Emitter *out);

 private:
  static constexpr size_t kMostValues = 8;

  // One record and its separators: offsets from `base`, where the scan began.
  struct Cut {
    const char *base;
    const char *begin;  // of the record
    const u32 *at;      // where fields end, the last one with the record
    i64 fields;

    MRC_INLINE Bytes field(i64 i) const;
    Bytes record() const;
  };
  struct Value {
    i64 position;              // of the field in the records of the chunk
    size_t field;              // of the fields wanted
    std::string not_a_number;  // what is wrong with a bad value
    NumberColumn numbers = {};
  };

  // What most records of one value or none need: a copy for the registers of a loop.
  template <i64 kValues>
  struct Usual {
    i64 most, key, value;
    NumberColumn numbers;
    Arena *wide;

    MRC_INLINE bool take(Cut cut, EmitLoop<fold, kValues> *out);
  };

  SeparatedMapper(const FieldsSpec &spec, BadRecordSink *bad);

  // kValues: how many there are, if that is known when it is compiled; else -1.
  template <i64 kValues>
  Usual<kValues> usual();
  template <i64 kValues>
  const char *take_listed(const Chunk &chunk, const SeparatedFields &how, const char *begin,
                          bool all, Emitter *out);
  const char *take_long(const Chunk &chunk, const SeparatedFields &how, const char *begin,
                        Emitter *out);
  void take(const Chunk &chunk, Cut cut, EmitLoop<fold, -1> *out);
  // Any record, out of the loop; no EmitLoop is entered.
  void take_unusual(const Chunk &chunk, Cut cut, Emitter *out);
  Number take_bad_number(const Chunk &chunk, Cut cut, const Value &value);
  void flush(Emitter *out);

  BadRecordSink *bad_;
  size_t key_;  // of the fields wanted
  i64 key_position_ = 0;
  i64 most_ = 0;  // the last of all positions
  std::vector<Value> values_;
  ScanSeparators scan_;
  Bounds bounds_;
  Arena wide_;  // numbers that are too long for a word, until the next flush
  i64 records_ = 0;
};

}  // namespace mrc
