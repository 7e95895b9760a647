// What arrives of one followed input, as blocks of whole records.
#pragma once

#include "base/pages.h"
#include "input/followed.h"
#include "record.h"
#include "scan/scan_csv.h"
#include "split/split.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// How the records of a followed input are read.
struct FollowedFormat {
  std::optional<CsvBytes> quotes = {};  // set if quotes may hold line ends
  bool has_header = false;
};

// What all followed inputs of a job have in common.
struct FollowSpec {
  CutBytes cuts;
  char terminator = '\n';
  bool fixed = false;  // records have one size, and no terminator
  // Called once for each input, before any of its records is handed out, with its first whole
  // records; with all of it, if the input ends before it has one.
  std::function<FollowedFormat(i64 source, Bytes head)> begin;
  // Whether more records are needed to tell how the input is read.
  std::function<bool(Bytes head)> wants_more;
  std::function<void(const std::string &message)> note;
  // Called a few times a second. It may end the input.
  std::function<void()> idle;
};

// Offsets go on growing from one generation of a file to the next, as if they were one file after
// the other. One thread at a time.
class FollowedInput {
 public:
  // `head`: the first bytes of a file that has records already.
  FollowedInput(const FollowSpec &spec, i64 number, const Source &source,
                std::unique_ptr<Followed> from, Bytes head);

  // The next whole records that have arrived, in the block; nullopt: there are none now.
  std::optional<Chunk> next(Pages *block);
  // The same when the input is to end: records that have begun are whole.
  std::optional<Chunk> last(Pages *block);

  i64 source() const { return number_; }
  int poll_fd() const { return from_->poll_fd(); }
  // Nothing more will come.
  bool is_over() const { return is_over_ && parts_.empty(); }

 private:
  // A generation of which a record has begun.
  struct Part {
    i64 generation = 0;
    i64 at = 0;                        // of `pending` in it
    std::string pending = {};          // arrived, and not handed out
    CsvState state = CsvState::field;  // after that
  };
  // A block: what was pending of a part, and what has arrived.
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
  std::string header_;  // the record that names the fields; empty: there is none
  bool begun_ = false, is_over_ = false;
  i64 offset_;  // of what is handed out next
  std::vector<Part> parts_;
};

}  // namespace mrc
