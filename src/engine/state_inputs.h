// engine: inputs whose tiles are kept for good: which of them earlier runs have read, and how far.
#pragma once

#include "base/content_hash.h"
#include "engine/kept_inputs.h"
#include "engine/sealed_tiles.h"
#include "engine/tile_index.h"
#include "kept/identify.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace mrc {

// Sources of the plan are the inputs, whichever sources of the manifest they are, and before them
// those that are gone and still count. One thread.
//
// With tiles by content, files that have changed are looked at as a whole, and what is kept of
// their tiles is found by content.
class StateInputs : public KeptInputs {
 public:
  StateInputs(KeptDirectory directory, const KeepSpec &spec);

  // Puts sources that are gone in front of the inputs.
  Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) override;

  // What was made of inputs before: tiles of sources of the plan.
  struct Known {
    i64 source;  // of the plan
    KeptTile tile;
  };
  std::vector<Known> known_tiles() const;
  i64 known_bytes() const override;
  // How many run files hold them.
  i64 runs() const;
  // Of the bytes of sources.
  const ContentHash &hash() const { return hash_; }

  bool has_content_tiles() const { return spec_.tile_bytes > 0; }
  // Takes over what is kept of the tiles of a source of the plan, and returns those that nothing is
  // kept of. `reads`: a hash of how its records are read. Once for each source.
  // REQUIRES: has_content_tiles()
  std::vector<Source::Part> take_tiles(i64 source, const std::vector<ContentTile> &tiles,
                                       u64 reads);
  const TileIndex &tile_index() const { return tile_index_; }

  // The position that states of a tile count from: the front of the source, or of a tile that may
  // move.
  u64 origin_of(const Covered &covered) const {
    return position_of(covered.source, has_content_tiles() && !by_source_ ? covered.begin : 0);
  }
  // Positions of the job say the source and no more.
  void count_by_source() { by_source_ = true; }

  // A tile of this run becomes part of what is kept of a source of the plan: it follows what the
  // source has, or takes its place.
  void add(i64 source, const SealedTile &tile, i64 run);
  void replace(i64 source, const SealedTile &tile, i64 run);
  // Of all sources of the plan: `visit` may say that their states are elsewhere now.
  Status each_tile(const std::function<Status(KeptTile *)> &visit);
  // How inputs look now, for the next run. `formats`: how their records are read; "": unknown.
  // `partial`: those that could not be read to their ends.
  Status note_inputs(const std::vector<Source> &sources, const std::vector<std::string> &formats,
                     const std::set<i64> &partial);
  // REQUIRES: the runs of all tiles are committed
  Status commit();

 private:
  void check_tile_bytes(std::vector<std::string> *notes);
  void take_gone(std::vector<Source> *sources);
  void take_input(const Identified::Input &input, Source *source);
  void look_again(const Identified::Input &input, Source *source);
  void forget(i64 kept, Source *source);
  bool counts(i64 kept) const;
  KeptSource *kept_of(i64 source);
  Status note_input(const Source &source, const Identified::Input &input, bool partial,
                    KeptSource *kept) const;

  const ContentHash hash_;
  Identified identified_;  // inputs, which follow those that are gone
  i64 gone_ = 0;           // sources of the plan
  std::vector<i64> kept_;  // by source of the plan: an index of the manifest; -1: none yet
  TileIndex tile_index_;   // empty unless tiles are by content
  bool by_source_ = false;
};

}  // namespace mrc
