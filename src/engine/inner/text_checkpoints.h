// engine: checkpoints of a job that prints text in the order of its input. A checkpoint says how
// far the input is read and how much of the text is written.
#pragma once

#include "engine/inner/checkpoint_inputs.h"
#include "engine/inner/run.h"
#include "engine/inner/saver.h"
#include "engine/sinks/kept_records.h"

#include <mutex>

namespace mrc {

// Text is written in the order of the input, so a checkpoint is a position in the input and a
// length of the text. The text grows in the kept directory. A separate thread forces it to disk,
// and then the manifest with its length. A job that resumes cuts off text beyond that length.
//
// One thread at a time: the worker whose turn it is to write. note_flaws(): any thread.
class TextCheckpoints {
 public:
  // `kept` counts the records in the answer. Both outlive this.
  TextCheckpoints(Run *run, const KeptRecords *kept);

  // Notes that the text of a part of a source is written. True if a checkpoint is due.
  bool note(i64 source, const TransformedText &text);
  // Notes faults of input whose text is not written yet.
  void note_flaws(const KeptFlaws &flaws);
  // Makes a checkpoint of the text that is written.
  void save(WrittenText text);
  // Called when all text is written: no more checkpoints are made. Reports their number.
  void finish();

 private:
  bool may_save() const;
  KeptFlaws flaws_written();
  Status commit(CheckpointInputs::Checkpoint at);

  Run &run_;
  CheckpointInputs &inputs_;
  const KeptRecords &kept_;
  CheckpointInputs::Marks marks_;
  i64 source_ = -1;      // source whose text was written last
  i64 read_ = 0;         // bytes of input since the last checkpoint
  double saved_at_ = 0;  // when the last checkpoint was made
  bool has_bad_ = false;
  i64 used_ = 0;  // records whose values were read
  std::mutex mutex_;
  KeptFlaws flaws_;           // first faults of all workers
  const i64 bytes_before_;    // bytes of text of earlier runs
  i64 made_ = 0, bytes_ = 0;  // written by the saver's thread
  Saver saver_;
};

}  // namespace mrc
