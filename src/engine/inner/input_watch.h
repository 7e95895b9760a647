// The watch over a run's scan, which observes the input for every sink alike.
#pragma once

#include "engine/inner/bad_records.h"
#include "engine/inner/input_scan.h"
#include "engine/inner/page_checks.h"
#include "engine/inner/positions.h"
#include "engine/inner/run.h"
#include "split/follow_queue.h"
#include "split/split_queue.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Notes progress, and whether the output still has a reader. If records have fields, it also notes
// how quotes and braces cut the input, how streams are read, and which records and values are
// malformed. For a job of a plugin, it notes the records that the plugin rejects in the first
// round.
class InputWatch : public Watch {
 public:
  explicit InputWatch(Run *run) : run_(*run), checks_(&run->plan.left_out) {}

  // Finds the state in which each split begins, with all workers, for inputs in which some line
  // ends do not end records. The queue of these splits needs it. Null for jobs without fields.
  Result<std::unique_ptr<ScannedCuts>> scan_cuts(const std::vector<Split> &splits);
  // Sets the queue that is scanned, and has it detect the format of each stream when it begins; an
  // error ends the job. Not for splits that a plugin makes.
  void attach(SplitQueue *queue);
  // Detects the format of a followed input by its first records.
  FollowedFormat begin_followed(i64 source, Bytes head);
  // Sets the source of the scan and its sink. Call it before the scan.
  void follow(ChunkSource *source, StageSink *sink) {
    source_ = source;
    sink_ = sink;
  }
  // Shows the user a message about an input.
  void note(const std::string &message);
  // Reports an input that cannot be read. The job reads the others.
  void complain(const Source &source, const Status &what);

  Result<std::unique_ptr<Notes>> begin(i64 worker) override;
  void look() override;
  void end(std::unique_ptr<Notes> notes, const ReadCounts &counts, i64 records) override;

  // In a worker process: moves the notes to `message`, for the parent process.
  Status move_notes(Notes *notes, std::string *message);
  // In the parent: adds notes of a worker process whose results count, as end() does.
  void add_notes(Bytes message, const ReadCounts &counts, i64 records);
  // With --strict: position of the first malformed record known so far; ~0: none.
  u64 first_bad() const { return first_bad_; }
  // The error if a stream cannot be read as the job asks.
  const Status &stream_problem() const { return stream_problem_; }

  // Reports the inputs that could not be read, unless that lies beyond the last record of a limited
  // answer: how far workers have read then is chance. Call it after the scan.
  void end_reading(u64 last_position);
  i64 unread_sources() const { return unread_sources_; }
  // Ends the watch after the scan: counts malformed values, and malformed records up to that
  // position, names the first of each, and keeps the records if asked. Returns the error of a
  // stream; with --strict, that of the first malformed record or value; otherwise an error if
  // nothing was usable. REQUIRES: the report has the number of records
  Status finish(u64 last_position);

 private:
  class WorkerNotes;
  // A source's place among the inputs: its argument, and its part.
  using Place = std::pair<i64, i64>;
  static Place place_of(const Source &source) { return {source.argument, source.part}; }
  struct Unread {
    Place place;
    std::string path, message;
  };
  void report_unread();
  void report(const BadRecords &all);
  Status finish_merged();
  std::vector<BadRecords *> bad_of_workers() const;
  Status check_pages() const;
  Status verdict(const BadRecords &all) const;
  bool has_fields() const { return run_.readers != nullptr; }
  bool may_be_bad() const { return has_fields() || run_.stage->may_reject(); }
  std::optional<CutRule> begin_stream(i64 source, Bytes head, bool whole);
  void complain_of_rest(const Chunk &chunk);
  void end_at_open_quote();
  // With --strict: a malformed record ends the scan.
  void end_at(u64 bad);
  void end_at_first_bad();

  Run &run_;
  ChunkSource *source_ = nullptr;
  SplitQueue *queue_ = nullptr;  // source_, if it is a SplitQueue
  StageSink *sink_ = nullptr;
  std::vector<Unread> unread_;  // not reported yet
  i64 unread_sources_ = 0;
  i64 records_ = 0;                                   // records of this scan
  std::atomic<u64> first_bad_{~u64{0}};               // with --strict: its position
  PageChecks checks_;                                 // of all workers
  std::vector<std::unique_ptr<Watch::Notes>> notes_;  // one for each worker
  LineTable stream_lines_;
  Status stream_problem_ = Status::ok();
};

}  // namespace mrc
