// Writes the text of a scan in the order of the input.
#pragma once

#include "engine/inner/text_checkpoints.h"
#include "engine/sinks/kept_records.h"
#include "engine/sinks/late_text.h"
#include "output/ordered_text.h"
#include "output/output.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

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
  // Sends text to `late` instead of the file; `late` outlives this.
  void write_late(LateText *late) { late_ = late; }
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
  void keep_within_limits(i64 source, TransformedText *text) const;
  void note_last_record(const TransformedText &text) const;
  Status write_text(const TransformedText &text);
  // Inserts line numbers and names.
  Status write_completed(const TransformedText &text);
  i64 &lines() { return lines_[static_cast<size_t>(source_)]; }
  WrittenText written() const;

  KeptRecords *kept_;
  OutputFile *file_;
  LateText *late_ = nullptr;
  TextCheckpoints *checkpoints_ = nullptr;
  AppendName append_name_;

  // Used by the worker that has the turn.
  i64 source_ = -1;         // of the text written last
  std::vector<i64> lines_;  // lines so far, for each source
  std::string completed_;
  std::string header_;       // held back
  bool has_header_ = false;  // an input had a header
  bool has_record_ = false;  // a record was written
};

}  // namespace mrc
