// engine: which of the inputs an earlier run has read, and how far; what is kept of this one.
#pragma once

#include "base/content_hash.h"
#include "engine/program.h"
#include "engine/sealed_tiles.h"
#include "kept/directory.h"
#include "kept/identify.h"

#include <set>
#include <string>
#include <vector>

namespace mrc {

// Sources of the plan and of the manifest. The directory is locked as long as this lives. One
// thread.
class KeptInputs {
 public:
  static Result<std::unique_ptr<KeptInputs>> open(const KeepSpec &spec);

  // Puts sources that are gone, and count, in front of the inputs; of those that are known, says
  // how far. Appends notes for people. An error: an input is no file.
  Status identify(std::vector<Source> *sources, std::vector<std::string> *notes);

  // What was made of inputs before: tiles of sources of the plan.
  struct Known {
    i64 source;  // of the plan
    KeptTile tile;
  };
  std::vector<Known> known_tiles() const;
  i64 known_sources() const { return known_; }  // of which at least something is known
  i64 known_bytes() const;
  // How many run files hold them.
  i64 runs() const;

  const ContentHash &hash() const { return hash_; }
  KeptDirectory &directory() { return directory_; }

  // A tile of this run becomes part of what is kept of a source of the plan: it follows what the
  // source has, or takes its place.
  void add(i64 source, const SealedTile &tile, i64 run);
  void replace(i64 source, const SealedTile &tile, i64 run);
  // How inputs look now, for the next run. `formats`: how their records are read; "": unknown.
  // `partial`: those that could not be read to their ends.
  Status note_inputs(const std::vector<Source> &sources, const std::vector<std::string> &formats,
                     const std::set<i64> &partial);
  // REQUIRES: the runs of all tiles are committed
  Status commit();

 private:
  KeptInputs(KeptDirectory directory, bool drops_gone);
  bool counts(i64 kept) const;
  void take_gone(std::vector<Source> *sources);
  KeptSource *kept_of(i64 source);

  KeptDirectory directory_;
  const bool drops_gone_;
  ContentHash hash_;
  Manifest manifest_;      // as it becomes
  Identified identified_;  // inputs, which follow those that are gone
  i64 gone_ = 0;           // sources of the plan
  i64 known_ = 0;
  std::vector<i64> kept_;  // by source of the plan: an index of the manifest; -1: none yet
};

}  // namespace mrc
