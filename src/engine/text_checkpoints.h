// engine: checkpoints of a job that prints text in the order of its input: how far the input is
// read, and how much of the text is written.
#pragma once

#include "engine/checkpoint_inputs.h"
#include "engine/run.h"
#include "engine/saver.h"
#include "engine/sinks/kept_records.h"

#include <mutex>

namespace mrc {

// All text before a place in the input is written before any text after it. So a checkpoint is a
// place and a length. The text grows in the directory; a thread of its own forces it to disk, and
// then the manifest that says how long it is. What was written later is cut off when the job goes
// on.
//
// One thread at a time: the worker that has its turn to write. note_flaws(): any thread.
class TextCheckpoints {
 public:
  // `kept`: of the records in the answer. Both outlive this.
  TextCheckpoints(Run *run, const KeptRecords *kept);

  // Text was written that was made of a part of a source. Whether a checkpoint is due.
  bool note(i64 source, const TransformedText::Part &part);
  // Of what will be written.
  void note_flaws(const KeptFlaws &flaws);
  // What is written is what this says.
  void save(WrittenText text);
  // All is written: no checkpoint is made any more. Counts them.
  void finish();

 private:
  bool may_save() const;
  KeptFlaws flaws_written();
  Status commit(CheckpointInputs::Checkpoint at);

  Run &run_;
  CheckpointInputs &inputs_;
  const KeptRecords &kept_;
  CheckpointInputs::Marks marks_;
  i64 source_ = -1;      // that was written last
  i64 read_ = 0;         // bytes of input since the last checkpoint ...
  double saved_at_ = 0;  // ... which was made then
  bool has_bad_ = false;
  i64 used_ = 0;  // records whose values were looked at
  std::mutex mutex_;
  KeptFlaws flaws_;           // the first that any worker has met
  const i64 bytes_before_;    // of text, of an earlier run
  i64 made_ = 0, bytes_ = 0;  // of the saver
  Saver saver_;
};

}  // namespace mrc
