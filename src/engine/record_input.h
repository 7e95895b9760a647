// What phases that read records with fields have in common, whatever becomes of them.
#pragma once

#include "engine/bad_records.h"
#include "engine/line_table.h"
#include "engine/run.h"
#include "split/split.h"

#include <memory>
#include <vector>

namespace mrc {

// Of a job whose records have fields: how quotes cut its input, how its streams are read,
// and which records and values are bad. Of a job of a plugin: which records that says are bad, in
// the first round. For other jobs all of it does nothing.
class RecordInput {
 public:
  explicit RecordInput(Run *run) : run_(*run) {}

  // Where quotes may hold line ends, splits must know whether they begin in quotes: all
  // workers look for them. For the queue of these splits; null for jobs without fields.
  Result<std::unique_ptr<QuotedCuts>> scan_quotes(const std::vector<Split> &splits);
  // How a stream is read is found out when it begins; what is wrong with that ends the job.
  void attach(SplitQueue *queue);

  // What one worker notes of the chunks of a queue. To be made by the worker itself.
  struct Notes {
    std::unique_ptr<BadRecords> bad;
    LineTable stream_lines;  // to number bad records of streams, which cannot be read again
  };
  Notes begin_notes() const;
  // Before the chunk's records are read. With --strict, a bad record cancels the queue once
  // all before it is claimed: that is still to be read, as the first of the input is named.
  Status note(const Chunk &chunk, Notes *notes);
  // When a worker is done with a queue. Any thread.
  void collect(Notes *notes);

  // Whether what is collected so far ends the job, so that no other queue is to be opened.
  bool ended() const;
  // When all is collected: counts bad records up to that position and bad values, names the
  // first of each, and keeps the records if asked. The error of a stream, or, with --strict, of
  // the first that is bad; without it, if nothing could be read as asked.
  // REQUIRES: the report has the number of records
  Status finish(u64 last_position = ~u64{0});

 private:
  void report(const BadRecords &all);
  Status verdict(const BadRecords &all) const;
  bool has_fields() const { return run_.plan.readers != nullptr; }
  bool may_be_bad() const { return has_fields() || run_.job.plugin != nullptr; }
  std::optional<CsvBytes> begin_stream(SplitQueue *queue, i64 source, Bytes head, bool whole);

  Run &run_;
  SplitQueue *queue_ = nullptr;                   // the one that is open
  std::vector<std::unique_ptr<BadRecords>> bad_;  // of workers
  LineTable stream_lines_;
  Status stream_problem_ = Status::ok();
};

}  // namespace mrc
