// engine: which of the inputs an earlier run has read, and how far; what is kept of this one.
#pragma once

#include "base/content_hash.h"
#include "engine/program.h"
#include "engine/sealed_tiles.h"
#include "engine/tile_index.h"
#include "kept/directory.h"
#include "kept/identify.h"

#include <functional>
#include <map>
#include <optional>
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
  const KeptDirectory &directory() const { return directory_; }
  bool is_checkpoint() const { return spec_.is_checkpoint; }
  const KeepSpec &spec() const { return spec_; }
  // The first that no run has.
  i64 next_run() const { return manifest_.next_run; }

  // With tiles by content (--state-tiles). Takes over what is kept of the tiles of a source of the
  // plan, and returns those that nothing is kept of. Once for each source.
  bool has_content_tiles() const { return spec_.tile_bytes > 0; }
  std::vector<Source::Part> take_tiles(i64 source, const std::vector<ContentTile> &tiles,
                                       u64 reads);
  i64 found_tiles() const { return found_tiles_; }
  i64 missing_tiles() const { return std::ssize(missing_); }
  // Whether a tile of this run is just what was missing: else the file has changed meanwhile.
  bool is_missing(const Covered &covered) const;
  // Of all sources of the plan: `visit` may say that their states are elsewhere now.
  Status each_tile(const std::function<Status(KeptTile *)> &visit);
  // The position that states of a tile count from.
  u64 origin_of(const Covered &covered) const {
    return position_of(covered.source, has_content_tiles() && !by_source_ ? covered.begin : 0);
  }
  // Positions of the job say the source and no more.
  void count_by_source() { by_source_ = true; }

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

  // Of checkpoints. How far a source is mapped.
  struct Mark {
    i64 end = 0;
    i64 records = 0, bad_records = 0, bad_values = 0;  // of this run
    bool finished = false;
    i64 answered = 0;  // of a job that prints text: its records in the answer, of all runs
    void extend(const Covered &covered);
  };
  using Marks = std::map<i64, Mark>;  // by source of the plan
  // Runs that hold what was made of all sources up to where this run goes on.
  const std::vector<i64> &parts() const { return parts_; }
  // What an earlier run has printed; null: nothing.
  const WrittenText *text() const { return manifest_.text ? &*manifest_.text : nullptr; }
  // How many records of a source of the plan.
  i64 answered(i64 source) const { return manifest_.sources[static_cast<size_t>(source)].answered; }
  // What earlier runs have read, and what of it is bad.
  struct KnownRecords {
    i64 records = 0, bad_records = 0, bad_values = 0;
    KeptFlaws flaws;
  };
  const KnownRecords &known_records() const { return known_records_; }
  // Where the job can go on from here: with parts() and these runs, or this text. Flaws are of
  // this run, and the text is of all runs.
  struct Checkpoint {
    Marks marks = {};
    std::vector<i64> runs = {};
    std::optional<WrittenText> text = {};
    KeptFlaws flaws = {};
  };
  // REQUIRES: runs and text are on the disk
  Status checkpoint(Checkpoint at);
  // The job cannot begin: a directory that it made goes.
  Status give_up() { return directory_.is_new() ? directory_.drop() : Status::ok(); }
  // The job has ended: nothing is left of it.
  Status end() { return is_checkpoint() ? directory_.drop() : Status::ok(); }

 private:
  KeptInputs(KeptDirectory directory, const KeepSpec &spec);
  Status go_on(std::vector<Source> *sources, std::vector<std::string> *notes);
  std::string find_difference(const std::vector<Source> &sources) const;
  bool has_grown_in_front(i64 source) const;
  bool has_longer_record(const Source &source, const KeptSource &kept) const;
  void mark(i64 source, const Mark &mark, KeptSource *kept) const;
  void note_known();
  void begin_anew(const std::vector<Source> &sources);
  bool counts(i64 kept) const;
  void take_gone(std::vector<Source> *sources);
  KeptSource *kept_of(i64 source);
  void begin_content_tiles(std::vector<std::string> *notes);
  void look_again(const Identified::Input &input, Source *source);
  static bool close_gaps(KeptSource *kept);

  KeptDirectory directory_;
  const KeepSpec spec_;
  ContentHash hash_;
  Manifest manifest_;      // as it becomes
  Identified identified_;  // inputs, which follow those that are gone
  i64 gone_ = 0;           // sources of the plan
  i64 known_ = 0;
  std::vector<i64> kept_;  // by source of the plan: an index of the manifest; -1: none yet
  std::vector<i64> parts_;
  KnownRecords known_records_;
  // With tiles by content: those of earlier runs, and those to map, by source of the plan and
  // place.
  TileIndex index_;
  std::map<std::pair<i64, i64>, ContentTile> missing_;
  i64 found_tiles_ = 0;
  bool by_source_ = false;
  std::vector<KeptTile> known_marks_;  // of checkpoints, by source: where this run goes on
};

}  // namespace mrc
