// Mappers: words, lines and records with fields.
#pragma once

#include "base/arena.h"
#include "base/number.h"
#include "map/emitter.h"
#include "map/map.h"

#include <array>
#include <memory>
#include <vector>

namespace mrc {

// The (empty) bytes of a missing key, padded for over-reads.
alignas(64) inline constexpr char kNoKey[kPadding] = {};

std::unique_ptr<Mapper> make_field_mapper(const MapSpec &spec, const InputReaders &readers,
                                          BadRecordSink *bad);

// Each line of a chunk is a key, as for count.
std::unique_ptr<Mapper> make_line_mapper(const MapSpec &spec, const Scanner &scanner);

// Each word of a chunk is a key, as for wordcount.
std::unique_ptr<Mapper> make_word_mapper(const MapSpec &spec, const Scanner &scanner);

// Maps single-byte-delimited records in one pass: a special case for the most common jobs.

// Groups all records by one plain field, and folds the numbers of other plain fields. The general
// mapper makes passes over columns of views. This one takes record by record from the list of
// separators and stores nothing in between: some 130 instructions a record with one number, for
// lines of 14 bytes.
//
// Each worker has its own.
template <Fold fold>
class SeparatedMapper {
 public:
  // Returns null if the job needs the general mapper.
  static std::unique_ptr<SeparatedMapper> make(const FieldsSpec &spec, BadRecordSink *bad);

  // Does what Mapper::map() does.
  i64 map(const Chunk &chunk, const SeparatedFields &how, Emitter *out);

 private:
  static constexpr size_t kMostValues = 8;

  // One record and the ends of its fields, as offsets from `base`, where the scan began.
  struct Cut {
    const char *base;
    const char *begin;  // start of the record
    const u32 *at;      // ends of fields; the last one is the end of the record
    i64 fields;

    MRC_INLINE Bytes field(i64 i) const;
    Bytes record() const;
  };
  struct Value {
    i64 position;              // index of the field in the records of the chunk
    size_t field;              // index among the wanted fields
    std::string not_a_number;  // message for a bad value
    NumberColumn numbers = {};
  };

  // The state that the loop needs for most records of at most one value: a copy for registers.
  template <i64 kValues>
  struct Usual {
    i64 most, key, value;
    NumberColumn numbers;
    Arena *wide;

    MRC_INLINE bool take(Cut cut, EmitLoop<fold, kValues> *out);
  };

  SeparatedMapper(const FieldsSpec &spec, BadRecordSink *bad);

  // kValues is the number of values if it is known at compile time, else -1.
  template <i64 kValues>
  Usual<kValues> usual();
  template <i64 kValues>
  const char *take_listed(const Chunk &chunk, const SeparatedFields &how, const char *begin,
                          bool all, Emitter *out);
  const char *take_long(const Chunk &chunk, const SeparatedFields &how, const char *begin,
                        Emitter *out);
  void take(const Chunk &chunk, Cut cut, EmitLoop<fold, -1> *out);
  // Takes any record, outside the loop. REQUIRES: no EmitLoop is entered.
  void take_unusual(const Chunk &chunk, Cut cut, Emitter *out);
  Number take_bad_number(const Chunk &chunk, Cut cut, const Value &value);
  void flush(Emitter *out);

  BadRecordSink *bad_;
  size_t key_;  // index among the wanted fields
  i64 key_position_ = 0;
  i64 most_ = 0;  // the highest of all positions
  std::vector<Value> values_;
  ScanSeparators scan_;
  Bounds bounds_;
  Arena wide_;  // numbers that are too long for a word, until the next flush
  i64 records_ = 0;
};

}  // namespace mrc
