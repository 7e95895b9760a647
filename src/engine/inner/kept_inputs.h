// engine: the directory in which a job keeps its results, and how much of each input these cover.
// StateInputs is for results kept for good, CheckpointInputs for those of one job.
#pragma once

#include "base/hash.h"
#include "engine/inner/content_tiles.h"
#include "engine/inner/program.h"
#include "engine/inner/sealed_tiles.h"
#include "kept/directory.h"
#include "kept/identify.h"
#include "kept/kept.h"
#include "portion.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mrc {

// The directory is locked as long as this object lives. One thread.
class KeptInputs {
 public:
  // Opens the directory. Returns an error if it belongs to another job, or another process uses it.
  static Result<KeptDirectory> open(const KeepSpec &spec);
  // `directory`: the result of open() for `spec`.
  KeptInputs(KeptDirectory directory, const KeepSpec &spec);
  virtual ~KeptInputs() = default;

  // Sets how far each input is known, and appends notes for the user. Called once. Returns an error
  // if an input is not a file, or if the job may not begin with these inputs.
  virtual Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) = 0;
  // Removes a directory that the job has just made. Called if the job cannot begin.
  Status give_up() { return directory_.is_new() ? directory_.drop() : Status::ok(); }

  // Number of the plan's sources of which at least a part is known.
  i64 known_sources() const { return known_sources_; }
  virtual i64 known_bytes() const = 0;
  KeptDirectory &directory() { return directory_; }

 protected:
  // Returns an error if a source is not a named file. `setting`: the setting to name in it.
  static Status check_files(const std::vector<Source> &sources, const std::string &setting);
  KeptSource &kept(i64 index) { return manifest_.sources[static_cast<size_t>(index)]; }
  const KeptSource &kept(i64 index) const { return manifest_.sources[static_cast<size_t>(index)]; }

  KeptDirectory directory_;
  const KeepSpec spec_;
  Manifest manifest_;  // the one to commit next
  i64 known_sources_ = 0;
};

// Finds, by their content, the tiles of the inputs that earlier runs have kept, and those to map. A
// tile is found in any source and at any position. Only a tile at the front of its source may have
// a header, so tiles at the front and tiles elsewhere do not match each other. One thread.
class TileIndex {
 public:
  // Adds the tiles that an earlier run has kept, except those of compressed files, which are whole
  // sources.
  void add(const KeptSource &source);
  // Adds the known tiles among `tiles` to `kept`, which is a source of the plan, and returns the
  // parts to map. Call it once for each source.
  std::vector<Source::Part> take(i64 source, const std::vector<ContentTile> &tiles,
                                 KeptSource *kept);

  i64 found() const { return found_; }
  i64 missing() const { return std::ssize(missing_); }
  // Returns the tile that `portion` maps. Null: its file has changed meanwhile, or it is not a tile
  // by content.
  const ContentTile *missing(const Portion &portion) const;

 private:
  struct Key {
    u64 own;
    i64 length;
    u64 reads;
    bool at_front;
    bool operator==(const Key &) const = default;
  };
  struct HashOfKey {
    size_t operator()(const Key &key) const {
      return key.own ^ static_cast<u64>(key.length) * 0x9E3779B97F4A7C15 ^ key.reads;
    }
  };

  std::unordered_map<Key, KeptTile, HashOfKey> known_;
  i64 found_ = 0;
  std::map<std::pair<i64, i64>, ContentTile> missing_;  // by source of the plan and begin
};

// Inputs whose tiles are kept for good, and how far earlier runs have read each of them. The
// sources of the plan are the inputs, preceded by sources of the manifest that are gone but still
// count. The inputs may be any sources of the manifest. One thread. With tiles by content, changed
// files are cut into tiles as a whole, and kept tiles are found by their content.
class StateInputs : public KeptInputs {
 public:
  StateInputs(KeptDirectory directory, const KeepSpec &spec);

  // Also puts the sources that are gone in front of the inputs.
  Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) override;

  // Returns an input as it is, whatever of it was kept. REQUIRES: inputs are roles
  const Source &found(i64 source) const { return found_[static_cast<size_t>(source)]; }
  // True if the records of a source of the plan were read otherwise when they were kept, such as
  // before its first lines showed a format. `reads`: a hash of how they are read; 0: unknown.
  bool was_read_otherwise(i64 source, u64 reads) const;
  // Forgets what is kept of a source of the plan, and makes *of the whole source.
  void read_again(i64 source, Source *of);

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
  // For loads (kept/loads.h), which read no byte twice:
  // Returns an identity of the files of this load, which a load that begins again gives, too.
  std::string name_of_load(const std::vector<Source> &sources) const;
  // True if the last record that was loaded of a source had no end.
  bool has_open_end(i64 source) const;
  // Keeps that a range of a source is loaded.
  void add_loaded(const Portion &portion);
  // Adds the files of this load, of which there may be none.
  void add_files(std::vector<LoadedFile> files);
  // Visits the kept tiles of all sources of the plan. `visit` may change where their states are.
  Status each_tile(const std::function<Status(KeptTile *)> &visit);
  // Notes how the inputs look now, for the next run. `readings`: how the records of each are read.
  // `partial`: sources that the next run must examine again, such as those that could not be read
  // to their ends.
  Status note_inputs(const std::vector<Source> &sources, const std::vector<Reading> &readings,
                     const std::set<i64> &partial);
  // REQUIRES: the runs of all tiles are committed
  Status commit();

 private:
  bool is_load() const { return !spec_.loads_into.empty(); }
  void note_repeated(std::vector<std::string> *notes) const;
  void note_copies(const std::vector<Source> &sources, std::vector<std::string> *notes) const;
  void check_tile_bytes(std::vector<std::string> *notes);
  Identified identify_roles(const std::vector<Source> &sources, Change change) const;
  void take_gone(std::vector<Source> *sources);
  void take_input(const Identified::Input &input, Source *source);
  void look_again(const Identified::Input &input, Source *source);
  void forget(i64 kept, Source *source);
  bool counts(i64 kept) const;
  KeptSource *kept_of(i64 source);
  Status note_input(const Source &source, const Identified::Input &input, bool partial,
                    KeptSource *kept) const;

  const ContentHash hash_;
  Identified identified_;      // its inputs follow the gone sources in the plan
  i64 gone_ = 0;               // sources of the plan that are gone
  std::vector<i64> kept_;      // by source of the plan: its index in the manifest; -1: none yet
  std::vector<Source> found_;  // if inputs are roles
  TileIndex tile_index_;       // empty unless tiles are by content
  bool by_source_ = false;
};

// Inputs of a job that makes checkpoints: how far they are mapped, and where the job can resume.
// The sources of the plan are those of the manifest: the inputs must be those of the checkpoint, in
// its order, and unchanged as far as they were mapped. They may have grown. One thread.
class CheckpointInputs : public KeptInputs {
 public:
  using KeptInputs::KeptInputs;

  // Resumes the job, or starts over with a note if it cannot. Returns an error if it cannot but
  // must resume.
  Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) override;

  // Counts of the records that earlier runs have read, and their first faults.
  const Portion &known_records() const { return known_records_; }
  const KeptFlaws &known_flaws() const { return known_flaws_; }
  i64 known_bytes() const override;
  // Runs that hold the states of all sources up to where this run resumes.
  const std::vector<i64> &parts() const { return parts_; }
  // Returns a number for a new run: all from there on are free.
  i64 next_run() const { return manifest_.next_run; }
  // Returns the text that earlier runs have printed; null: none.
  const WrittenText *text() const { return manifest_.text ? &*manifest_.text : nullptr; }
  // Returns the number of a source's records in that text.
  i64 answered(i64 source) const { return kept(source).answered; }

  // Tells how far a source is mapped.
  struct Mark {
    Portion mapped = {};  // by this run
    bool finished = false;
    i64 answered = 0;  // if the job prints text: its records in the answer, of all runs
  };
  using Marks = std::map<i64, Mark>;  // by source
  // A point where the job can resume: from parts() and these runs, or from this text. Flaws are
  // those of this run, and the text is that of all runs.
  struct Checkpoint {
    Marks marks = {};
    std::vector<i64> runs = {};
    std::optional<WrittenText> text = {};
    KeptFlaws flaws = {};
  };
  // REQUIRES: runs and text are on disk
  Status commit(Checkpoint at);
  // Removes the directory, because the job has ended. The object must not be used after that.
  Status end() { return directory_.drop(); }

 private:
  void look_at_files(const std::vector<Source> &sources);
  Status choose_start(const std::vector<Source> &sources, std::vector<std::string> *notes);
  std::string find_difference(const std::vector<Source> &sources) const;
  bool has_grown_in_front(i64 source) const;
  void begin_anew(const std::vector<Source> &sources);
  Status move_mark(i64 source, const Mark &mark);

  std::vector<FileStamp> files_;  // by source
  std::vector<KeptTile> known_;   // by source: the range that earlier runs have read
  Portion known_records_;         // their counts
  KeptFlaws known_flaws_;
  std::vector<i64> parts_;
};

}  // namespace mrc
