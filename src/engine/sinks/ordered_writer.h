// The text that a scan makes of its input, written in the order of the input.
#pragma once

#include "engine/sinks/kept_records.h"
#include "engine/sinks/late_text.h"
#include "engine/text_checkpoints.h"
#include "output/ordered_text.h"
#include "output/output.h"

#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Writes the text of a scan: as much as is wanted of each input, with its header and the numbers
// of its lines.
class OrderedWriter : public OrderedText {
 public:
  // Each worker holds back up to `share` bytes of its unit, all together as many again for
  // each worker. `kept` learns what was written. `has_units`: by source.
  OrderedWriter(i64 share, i64 workers, std::vector<bool> has_units, KeptRecords *kept,
                OutputFile *file)
      : OrderedText(share, share * workers, has_units),
        kept_(kept),
        file_(file),
        lines_(has_units.size()) {}

  // What precedes the first record: held until there is one, for a job that has none may
  // end without an answer. So is text of units that comes before any record.
  void begin_with(std::string header) { header_ = std::move(header); }
  // The same, if there was no record. When all units are finished; not thread safe.
  std::string take_header() { return std::exchange(header_, ""); }

  // Goes on after what an earlier run has written.
  void go_on_after(const WrittenText &text);
  // Text goes there in place of the file; it outlives this.
  void write_late(LateText *late) { late_ = late; }
  // Leaves checkpoints from here on; they outlive this.
  void leave_checkpoints(TextCheckpoints *checkpoints) { checkpoints_ = checkpoints; }

 protected:
  Status write(i64 source, TransformedText *text) override;

 private:
  void keep_within_limits(i64 source, TransformedText *text) const;
  void note_last_record(const TransformedText &text) const;
  Status write_text(const TransformedText &text);
  Status write_numbered(const TransformedText &text);
  i64 &lines() { return lines_[static_cast<size_t>(source_)]; }
  WrittenText written() const;

  KeptRecords *kept_;
  OutputFile *file_;
  LateText *late_ = nullptr;
  TextCheckpoints *checkpoints_ = nullptr;

  // Of the worker that has the turn.
  i64 source_ = -1;         // of what was written last
  std::vector<i64> lines_;  // so far, by source
  std::string numbered_;
  std::string header_;       // held
  bool has_header_ = false;  // of an input
  bool has_record_ = false;  // was written
};

}  // namespace mrc
