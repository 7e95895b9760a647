// Data that arrives on one followed input, as blocks of whole records.
#pragma once

#include "base/pages.h"
#include "input/followed.h"
#include "record.h"
#include "scan/scan.h"
#include "split/split.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Format of the records of a followed input.
struct FollowedFormat {
  std::optional<CsvBytes> quotes = {};  // set if quotes may hold line ends
  bool has_header = false;
};

// Settings shared by all followed inputs of a job.
struct FollowSpec {
  CutBytes cuts;
  char terminator = '\n';
  bool fixed = false;  // records have one size, and no terminator
  // Called once for each input, before any of its records is returned, with its first whole
  // records, or with all of the input if it ends earlier.
  std::function<FollowedFormat(i64 source, Bytes head)> begin;
  // True if more records are needed to detect the format.
  std::function<bool(Bytes head)> wants_more;
  std::function<void(const std::string &message)> note;
  // Called a few times a second. The callback may end the input.
  std::function<void()> idle;
};

// Offsets continue from one generation of a file to the next, as if the files were concatenated.
// One thread at a time.
class FollowedInput {
 public:
  // `head` has the first bytes of a file that has records already.
  FollowedInput(const FollowSpec &spec, i64 number, const Source &source,
                std::unique_ptr<Followed> from, Bytes head);

  // Returns the next whole records in `block`; nullopt if none have arrived.
  std::optional<Chunk> next(Pages *block);
  // Returns what next() returns, at the end of input: incomplete records count as whole.
  std::optional<Chunk> last(Pages *block);

  i64 source() const { return number_; }
  int poll_fd() const { return from_->poll_fd(); }
  // True if no more data will come.
  bool is_over() const { return is_over_ && parts_.empty(); }

 private:
  // A generation with an incomplete record.
  struct Part {
    i64 generation = 0;
    i64 at = 0;                        // offset of `pending` in the generation
    std::string pending = {};          // bytes that arrived and were not returned
    CsvState state = CsvState::field;  // state after `pending`
  };
  // A block: the pending bytes of a part, and the fresh ones.
  struct Text {
    const char *begin, *fresh, *end;
  };

  Part &part_of(i64 generation);
  std::optional<Chunk> take(Part *part, const Text &text);
  std::optional<Chunk> end_part(i64 generation, Pages *block);
  bool look_at_head(const Text &text);
  const char *last_cut(Part *part, const Text &text) const;
  std::optional<Chunk> hand_out(Part *part, const Text &text, const char *cut);
  i64 header_bytes(const Part &part, Bytes text) const;
  void begin(Bytes head);

  const FollowSpec &spec_;
  const i64 number_;
  const std::unique_ptr<Followed> from_;
  FollowedFormat format_;
  std::string header_;  // the record that names the fields; empty if there is none
  bool begun_ = false, is_over_ = false;
  i64 offset_;  // offset of the next record to be returned
  std::vector<Part> parts_;
};

}  // namespace mrc
