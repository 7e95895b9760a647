// engine: inputs of a job that makes checkpoints: how far they are mapped, and where the job can
// resume.
#pragma once

#include "engine/inner/kept_inputs.h"
#include "portion.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

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
