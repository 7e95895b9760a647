// map: a chunk of records becomes batches of keys, by their hashes.
#pragma once

#include "base/hash.h"
#include "record.h"
#include "scan/scan.h"

#include <memory>
#include <string>
#include <string_view>

namespace mrc {

// Takes batches, one call for up to 1,024 keys. Implemented by engine.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  virtual void take(const Batch<Key16> &batch) = 0;
  virtual void take(const Batch<Key32> &batch) = 0;
  virtual void take(const Batch<KeyRef> &batch) = 0;
};

// How ASCII letters of keys are folded to lower case. letters: all bytes of all
// keys are known to be ASCII letters, which is cheaper.
enum class Fold { none, ascii, letters };

// What to map: the record shape and what of it is the key.
struct MapSpec {
  enum class Records { words, lines } records = Records::words;
  Words words = Words::word;
  char terminator = '\n';  // of lines; CR LF counts as LF
  bool ignore_case = false;

  // What the values are: nothing, or where the record is, as a position (record.h) of
  // its first byte, of its line in its chunk, or of its input.
  enum class Values { none, byte, line, input } values = Values::none;
  std::string only = {};  // words other than this one are left out, unless it is empty

  // Words of values for each record, and whether they point into the chunk.
  i64 value_width() const { return values == Values::none ? 0 : 1; }
  bool values_borrow() const { return false; }

  // Bytes behind which input may be cut without cutting a record.
  std::string_view cut_bytes() const;
};

class Emitter;

// Thread safe: one Mapper is shared by all workers.
class Mapper {
 public:
  virtual ~Mapper() = default;
  // Emits every key of the chunk and flushes. Returns the number of keys.
  virtual i64 map(const Chunk &chunk, Emitter *out) const = 0;
};

std::unique_ptr<Mapper> make_mapper(const MapSpec &spec, const Scanner &scanner);

}  // namespace mrc
