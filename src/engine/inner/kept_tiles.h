// engine: results that outlive the run (--state). Tiles are sealed while the input is mapped. In
// the end the tiles of all runs are loaded.
#pragma once

#include "engine/inner/conduct.h"
#include "engine/inner/sealed_tiles.h"
#include "engine/inner/state_inputs.h"

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mrc {

class KeptTiles : public Conduct {
 public:
  // Both arguments outlive this.
  KeptTiles(Run *run, Products *products);

  Status open() override;
  std::unique_ptr<Hand> make_hand(i64 worker, BadRecordSink *bad) override;
  void adjust(GroupSettings *settings) const override;
  bool shares_partitions() const override { return false; }
  bool adopts() const override { return true; }
  // Commits the tiles of this run, and then loads all tiles.
  Status adopt() override;

 private:
  struct OpenRun {
    i64 number;
    RunFile file;
    std::optional<RunReader> reader = {};
  };

  Status keep();
  Status close_tiles();
  bool is_whole(const SealedTile &tile) const;
  std::set<i64> partial_sources() const;
  std::vector<std::string> formats() const;
  Status compact();
  Status copy_tiles();
  Result<std::vector<KeptStretch>> known_stretches();
  Result<std::vector<KeptStretch>> stretches();
  Result<KeptStretch> stretch_of(i64 run, const Portion &portion, const SealedBlocks &blocks);
  Result<const OpenRun *> open_run(i64 number);

  Run &run_;
  Products &products_;
  StateInputs &inputs_;
  i64 number_ = -1;  // number of this run's file
  std::optional<RunFile> file_;
  std::optional<SealedTiles> tiles_;  // unset: there is no input to read
  std::deque<OpenRun> runs_;
  std::vector<SealedTile> partial_;  // tiles that count for this answer only, see is_whole()
};

}  // namespace mrc
