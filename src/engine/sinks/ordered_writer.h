// Writes the text of a scan in the order of the input.
#pragma once

#include "engine/inner/checkpoints.h"
#include "engine/inner/kept_inputs.h"
#include "engine/inner/run.h"
#include "map/transform.h"
#include "output/drawn_text.h"
#include "output/lines_around.h"
#include "output/ordered_text.h"
#include "output/output.h"
#include "store/store.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Text that cannot be written at once: of the last records, or of all in reverse order.
class LateText {
 public:
  // The last records stay in memory; take() fails if they do not fit. If all records are wanted,
  // those that do not fit go to a file in `tmpdir`.
  LateText(const TransformTerms &terms, i64 memory, std::string tmpdir)
      : last_(terms.last), reversed_(terms.reversed), memory_(memory), tmpdir_(std::move(tmpdir)) {}

  // Adds the next text. `ends`: the ends of its records.
  Status take(std::string text, std::span<const i64> ends);
  // Writes the wanted records of all text. Returns their number.
  Result<i64> write_to(OutputFile *file);

 private:
  struct Piece {
    std::string text;
    std::vector<i64> ends;
  };
  // Follows each piece in the file, which is read from its end.
  struct Footer {
    i64 text_bytes, records;
  };

  Status spill();
  Result<Piece> unspill();
  Status write(const Piece &piece, i64 passed_over, OutputFile *file) const;
  static i64 bytes_of(const Piece &piece) {
    return std::ssize(piece.text) + std::ssize(piece.ends) * i64{sizeof(i64)};
  }

  const i64 last_;
  const bool reversed_;
  const i64 memory_;
  const std::string tmpdir_;
  std::deque<Piece> pieces_;
  i64 bytes_ = 0, records_ = 0;  // of the pieces in memory
  std::optional<RunFile> file_;  // earlier pieces
  i64 file_bytes_ = 0;
};

// Counts the records of each input that are in the answer, and says how many more are wanted.
// Thread safe.
class KeptRecords {
 public:
  KeptRecords(const TransformTerms &terms, i64 sources)
      : terms_(terms), of_source_(static_cast<size_t>(sources)) {}

  // Returns how many more records of an input are wanted.
  i64 room(i64 source) const {
    return std::min(terms_.of_each - of_source(source),
                    terms_.of_all - all_.load(std::memory_order_relaxed));
  }
  bool is_full() const { return all_.load(std::memory_order_relaxed) >= terms_.of_all; }

  void add(i64 source, i64 records) {
    of_source_[static_cast<size_t>(source)].fetch_add(records, std::memory_order_relaxed);
    all_.fetch_add(records, std::memory_order_relaxed);
  }
  // Sets the position of the last record in the answer. Called when no more are wanted.
  void end_at(u64 position) { last_position_ = position; }
  u64 last_position() const { return last_position_; }

  i64 all() const { return all_.load(std::memory_order_relaxed); }
  // Returns at most the limit: if no text is wanted, workers count more records than they need.
  i64 of_source(i64 source) const {
    return std::min(of_source_[static_cast<size_t>(source)].load(std::memory_order_relaxed),
                    terms_.of_each);
  }

 private:
  const TransformTerms terms_;
  std::vector<std::atomic<i64>> of_source_;
  std::atomic<i64> all_{0};
  std::atomic<u64> last_position_{~u64{0}};
};

// Checkpoints of a job that prints text in the order of its input. A checkpoint says how far the
// input is read and how much of the text is written. Text is written in the order of the input, so
// a checkpoint is a position in the input and a length of the text. The text grows in the kept
// directory. A separate thread forces it to disk, and then the manifest with its length. A job that
// resumes cuts off text beyond that length. One thread at a time: the worker whose turn it is to
// write. note_flaws(): any thread.
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

// Writes as much text as is wanted of each input, with its header and its line numbers.
class OrderedWriter : public OrderedText {
 public:
  // Each worker holds back up to `share` bytes of its unit, and all workers together up to `share`
  // times their number. `kept` counts the written records. `has_units`: for each source.
  OrderedWriter(i64 share, i64 workers, std::vector<bool> has_units, KeptRecords *kept,
                OutputFile *file)
      : OrderedText(share, share * workers, has_units),
        kept_(kept),
        file_(file),
        lines_(has_units.size()) {}

  // Sets the text before the first record. It is held back until there is a record, as a job
  // without records may end without an answer. So is text of units before the first record.
  void begin_with(std::string header) { header_ = std::move(header); }
  // Returns the held text. Call it when all units are finished; not thread safe.
  std::string take_header() { return std::exchange(header_, ""); }

  // Continues after the text of an earlier run.
  void go_on_after(const WrittenText &text);
  // Leaves out the first records; their text has ends.
  void skip(i64 records) { to_skip_ = records; }
  // Also writes lines around the records; `memory` is a limit for those that are held back.
  // `alternate`: inputs do not end when text of another one comes; then records have no limit.
  void write_around(const TransformTerms &terms, i64 memory, bool alternate) {
    around_.emplace(terms, memory);
    alternate_ = alternate;
  }
  // Ends the input that was written last. Call it when all text is written.
  void end_input();
  // Sends text to `late` instead of the file; `late` outlives this.
  void write_late(LateText *late) { late_ = late; }
  // Sends records to `drawn` instead of the file; `drawn` outlives this.
  void write_drawn(DrawnText *drawn) { drawn_ = drawn; }
  // Sets how the name of an input is inserted into its text.
  using AppendName = std::function<void(i64 source, std::string *text)>;
  void name_inputs(AppendName append_name) { append_name_ = std::move(append_name); }
  // Writes the text that is next in the input. For text that comes in order.
  Status write_now(i64 source, TransformedText *text) { return write(source, text); }
  // Leaves checkpoints from here on; `checkpoints` outlives this.
  void leave_checkpoints(TextCheckpoints *checkpoints) { checkpoints_ = checkpoints; }

 protected:
  Status write(i64 source, TransformedText *text) override;

 private:
  Status choose_around(TransformedText *text);
  void keep_within_limits(i64 source, TransformedText *text) const;
  void note_last_record(const TransformedText &text) const;
  void skip_first(TransformedText *text);
  Status write_text(const TransformedText &text);
  // Inserts line numbers and names.
  Status write_completed(const TransformedText &text);
  i64 &lines() { return lines_[static_cast<size_t>(source_)]; }
  WrittenText written() const;

  KeptRecords *kept_;
  OutputFile *file_;
  LateText *late_ = nullptr;
  DrawnText *drawn_ = nullptr;
  TextCheckpoints *checkpoints_ = nullptr;
  AppendName append_name_;
  std::optional<LinesAround> around_;
  bool alternate_ = false;

  // Used by the worker that has the turn.
  i64 source_ = -1;         // of the text written last
  i64 to_skip_ = 0;         // records
  std::vector<i64> lines_;  // lines so far, for each source
  std::string completed_;
  std::string header_;       // held back
  bool has_header_ = false;  // an input had a header
  bool has_record_ = false;  // a record was written
  bool owes_ = false;        // the last record counts when the lines after it are written
};

}  // namespace mrc
