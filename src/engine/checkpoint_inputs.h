// engine: inputs of a job that leaves checkpoints: how far they are mapped, and from where the same
// job goes on if it did not end.
#pragma once

#include "engine/covered.h"
#include "engine/kept_inputs.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Sources of the plan are those of the manifest: the inputs must be those of the checkpoint, in the
// same order, as far as they were mapped. They may have grown. One thread.
class CheckpointInputs : public KeptInputs {
 public:
  using KeptInputs::KeptInputs;

  // A job that cannot go on begins anew, with a note. An error: it must go on.
  Status identify(std::vector<Source> *sources, std::vector<std::string> *notes) override;

  // What earlier runs have read, and what of it is bad.
  struct KnownRecords {
    i64 records = 0, bad_records = 0, bad_values = 0;
    KeptFlaws flaws;
  };
  const KnownRecords &known_records() const { return known_records_; }
  i64 known_bytes() const override;
  // Runs that hold what was made of all sources up to where this run goes on.
  const std::vector<i64> &parts() const { return parts_; }
  // The number of the first run that no checkpoint names.
  i64 next_run() const { return manifest_.next_run; }
  // What an earlier run has printed; null: nothing.
  const WrittenText *text() const { return manifest_.text ? &*manifest_.text : nullptr; }
  // How many records of a source are in that text.
  i64 answered(i64 source) const { return kept(source).answered; }

  // How far a source is mapped.
  struct Mark {
    i64 end = 0;
    i64 records = 0, bad_records = 0, bad_values = 0;  // of this run
    bool finished = false;
    i64 answered = 0;  // of a job that prints text: its records in the answer, of all runs
    void extend(const Covered &covered);
  };
  using Marks = std::map<i64, Mark>;  // by source
  // Where the job can go on from here: with parts() and these runs, or this text. Flaws are of
  // this run, and the text is of all runs.
  struct Checkpoint {
    Marks marks = {};
    std::vector<i64> runs = {};
    std::optional<WrittenText> text = {};
    KeptFlaws flaws = {};
  };
  // REQUIRES: runs and text are on the disk
  Status commit(Checkpoint at);
  // The job has ended: the directory goes. This must not be used after that.
  Status end() { return directory_.drop(); }

 private:
  void look_at_files(const std::vector<Source> &sources);
  Status choose_start(const std::vector<Source> &sources, std::vector<std::string> *notes);
  std::string find_difference(const std::vector<Source> &sources) const;
  bool has_grown_in_front(i64 source) const;
  void begin_anew(const std::vector<Source> &sources);
  void note_known();
  Status move_mark(i64 source, const Mark &mark);

  std::vector<FileStamp> files_;  // by source
  std::vector<KeptTile> known_;   // by source: all that earlier runs have read of it
  KnownRecords known_records_;
  std::vector<i64> parts_;
};

}  // namespace mrc
