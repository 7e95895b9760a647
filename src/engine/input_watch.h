// The watch over a run's scan: what is noted of the input, for every sink alike.
#pragma once

#include "engine/bad_records.h"
#include "engine/line_table.h"
#include "engine/run.h"
#include "engine/scan.h"
#include "split/followed_input.h"
#include "split/split_queue.h"

#include <atomic>
#include <memory>
#include <vector>

namespace mrc {

// It notes progress, and whether the output still has a reader. If records have fields, it also
// notes how quotes and braces cut the input, how streams are read, and which records and values are
// malformed. For a job of a plugin, it notes the records that the plugin rejects in the first
// round.
class InputWatch : public Watch {
 public:
  explicit InputWatch(Run *run) : run_(*run) {}

  // Where a line end does not tell where a record ends, splits must know in what they begin: all
  // workers find out. For the queue of these splits; null for jobs without fields.
  Result<std::unique_ptr<ScannedCuts>> scan_cuts(const std::vector<Split> &splits);
  // How a stream is read is found out when it begins; what is wrong with that ends the program.
  // Not for splits that a plugin makes.
  void attach(SplitQueue *queue);
  // The same for an input that is followed, by its first records.
  FollowedFormat begin_followed(i64 source, Bytes head);
  // What is scanned, by which sink. Before the scan.
  void follow(ChunkSource *source, StageSink *sink) {
    source_ = source;
    sink_ = sink;
  }
  // What people should know of an input.
  void note(const std::string &message);
  // An input cannot be read; others are.
  void complain(const Source &source, const Status &what);

  Result<std::unique_ptr<Notes>> begin(i64 worker) override;
  void look() override;
  void end(std::unique_ptr<Notes> notes, const ReadCounts &counts, i64 records) override;

  // In a worker process: hands what was noted to the process that made it, and forgets it.
  Status move_notes(Notes *notes, std::string *message);
  // In that one: what a worker process has noted of what counts, as if end() was told of it.
  void add_notes(Bytes message, const ReadCounts &counts, i64 records);
  // With --strict: where the first record is that is bad, as far as is known; beyond all: none is.
  u64 first_bad() const { return first_bad_; }
  // Why a stream cannot be read as the job wants it.
  const Status &stream_problem() const { return stream_problem_; }

  i64 unread_sources() const { return unread_sources_; }
  // When the scan has ended: counts bad records up to that position and bad values, names the
  // first of each, and keeps the records if asked. The error of a stream, or, with --strict, of
  // the first that is bad; without it, if nothing could be read as asked.
  // REQUIRES: the report has the number of records
  Status finish(u64 last_position);

 private:
  class WorkerNotes;
  void report(const BadRecords &all);
  Status finish_merged();
  std::vector<BadRecords *> bad_of_workers() const;
  Status verdict(const BadRecords &all) const;
  bool has_fields() const { return run_.readers != nullptr; }
  bool may_be_bad() const { return has_fields() || run_.stage->may_reject(); }
  std::optional<CutRule> begin_stream(i64 source, Bytes head, bool whole);
  void complain_of_rest(const Chunk &chunk);
  // With --strict, at a bad record.
  void end_at(u64 bad);
  void end_at_first_bad();

  Run &run_;
  ChunkSource *source_ = nullptr;
  SplitQueue *queue_ = nullptr;  // the same, if it is one
  StageSink *sink_ = nullptr;
  i64 unread_sources_ = 0;
  i64 records_ = 0;                                   // of this scan
  std::atomic<u64> first_bad_{~u64{0}};               // with --strict: its position
  std::vector<std::unique_ptr<Watch::Notes>> notes_;  // of workers
  LineTable stream_lines_;
  Status stream_problem_ = Status::ok();
};

}  // namespace mrc
