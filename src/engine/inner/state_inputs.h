// engine: inputs whose tiles are kept for good, and how far earlier runs have read each of them.
#pragma once

#include "base/hash.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/sealed_tiles.h"
#include "engine/inner/tile_index.h"
#include "kept/identify.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace mrc {

// The sources of the plan are the inputs, preceded by sources of the manifest that are gone but
// still count. The inputs may be any sources of the manifest. One thread.
//
// With tiles by content, changed files are cut into tiles as a whole, and kept tiles are found by
// their content.
class StateInputs : public KeptInputs {
 public:
  StateInputs(KeptDirectory directory, const KeepSpec &spec);

  // Also puts the sources that are gone in front of the inputs.
  Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) override;

  // Returns the kept tiles, with their sources.
  std::vector<KeptTile> known_tiles() const;
  i64 known_bytes() const override;
  // Returns the number of run files that hold the known tiles.
  i64 runs() const;
  // Hashes the bytes of sources.
  const ContentHash &hash() const { return hash_; }

  bool has_content_tiles() const { return spec_.tile_bytes > 0; }
  // Takes over those of the source's tiles that are kept, and returns the others. `reads`: a hash
  // of how the records of the source are read. Called once for each source.
  // REQUIRES: has_content_tiles()
  std::vector<Source::Part> take_tiles(i64 source, const std::vector<ContentTile> &tiles,
                                       u64 reads);
  const TileIndex &tile_index() const { return tile_index_; }

  // Returns the position from which the states of a tile count: the front of the source, or of the
  // tile if that may move.
  u64 origin_of(const Portion &portion) const {
    return position_of(portion.source, has_content_tiles() && !by_source_ ? portion.begin : 0);
  }
  // Call it if the job uses only the source of a position: then states count from the front of the
  // source.
  void count_by_source() { by_source_ = true; }

  // Keep a tile of this run for a source of the plan: after the tiles that the source has, or in
  // place of all of them.
  void add(i64 source, const SealedTile &tile, i64 run);
  void replace(i64 source, const SealedTile &tile, i64 run);
  // Visits the kept tiles of all sources of the plan. `visit` may change where their states are.
  Status each_tile(const std::function<Status(KeptTile *)> &visit);
  // Notes how the inputs look now, for the next run. `formats`: how their records are read; "":
  // unknown. `partial`: sources that the next run must examine again, such as those that could not
  // be read to their ends.
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
  Identified identified_;  // its inputs follow the gone sources in the plan
  i64 gone_ = 0;           // sources of the plan that are gone
  std::vector<i64> kept_;  // by source of the plan: its index in the manifest; -1: none yet
  TileIndex tile_index_;   // empty unless tiles are by content
  bool by_source_ = false;
};

}  // namespace mrc
