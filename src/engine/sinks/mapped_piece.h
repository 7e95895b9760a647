// What a run has mapped of its input, and the partial that it makes of it.
#pragma once

#include "base/content_hash.h"
#include "engine/covered.h"
#include "engine/line_table.h"
#include "engine/run.h"
#include "kept/partial.h"
#include "store/store.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace mrc {

class MappedPiece {
 public:
  explicit MappedPiece(Run *run) : run_(*run), hash_(kPartialBase) {}

  // One worker's notes of what it maps.
  class Notes {
   public:
    explicit Notes(const MappedPiece &of) : hash_(of.hash_) {}
    void add(const Chunk &chunk) {
      const i64 end = chunk.offset + std::ssize(chunk.bytes);
      add_covered({chunk.source, chunk.offset, end, hash_.of(chunk.offset, chunk.bytes)},
                  &covered_);
    }

   private:
    friend class MappedPiece;
    const ContentHash &hash_;
    std::vector<Covered> covered_;
  };
  // Any worker.
  void add(Notes notes);
  void add(const LineTable &lines) { lines_.add(lines); }

  // After the scan: an error if something was not mapped that had to be.
  Status check() const;

  // Adds all blocks of states to a run, and says which partitions have some.
  using AddStates = std::function<Status(RunWriter *writer, PartitionSet *made)>;
  // Writes the partial. `ranges`: of rows; unset: it has states of groups.
  Status write(i64 state_bytes, std::optional<PartialRanges> ranges, const AddStates &add_states,
               OutputFile *to);

 private:
  Status write_run(RunWriter *writer, std::optional<PartialRanges> ranges,
                   const AddStates &add_states);
  Partial describe(const PartitionSet &made) const;
  PartialPiece describe_mapped() const;
  std::optional<Dialect> header() const;

  Run &run_;
  const ContentHash hash_;
  std::vector<Covered> covered_;
  LineTable lines_;
};

// A hand that notes what it maps, besides what `Base` does with it.
template <typename Base>
class NotingHand final : public Base {
 public:
  // `args`: of Base.
  template <typename... Args>
  explicit NotingHand(MappedPiece *piece, Args &&...args)
      : Base(std::forward<Args>(args)...), piece_(*piece), notes_(*piece) {}

  Status take(const Chunk &chunk, i64 *records) override {
    notes_.add(chunk);
    return Base::take(chunk, records);
  }
  Status seal(bool whole) override {
    piece_.add(std::move(notes_));
    return Base::seal(whole);
  }

 private:
  MappedPiece &piece_;
  MappedPiece::Notes notes_;
};

}  // namespace mrc
