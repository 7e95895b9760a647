// engine: checks that the pages that a range index leaves to be read are as they were indexed.
#pragma once

#include "base/status.h"
#include "kept/kept.h"
#include "portion.h"
#include "record.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace mrc {

// The part of the input that folders and range indexes leave out, and the pages that remain.
struct LeftOut {
  i64 files = 0;  // by their folders (input/folders.h); their bytes count, and their records do not
  i64 bytes = 0, pages = 0;
  i64 all_pages = 0;  // of files with an index
  struct Pages {
    std::vector<Portion> remaining;  // in order: begin, end and content; empty: all is read
    Portion counts;                  // of the records left out
    KeptFlaw flaw;                   // the first malformed one of them
  };
  std::vector<Pages> of_sources;  // by source; empty: no index leaves out pages

  // Returns the number of records in pages left out.
  i64 records() const;
  const std::vector<Portion> &remaining(i64 source) const;
};

// Hashes what is read of the remaining pages. Of one worker, or of several together.
class PageChecks {
 public:
  // REQUIRES: `left` outlives this
  explicit PageChecks(const LeftOut *left) : left_(*left) {}

  void take(const Chunk &chunk);
  void add(const PageChecks &other);
  // Appends what is seen to a message for another process, and forgets it.
  void move_to(std::string *message);
  // Adds what another process has seen, from the front of its message.
  void take(Bytes *message);
  // Returns the first source in which a page that was read as a whole is not as it was; -1: none.
  i64 changed_source() const;

 private:
  struct Seen {
    i64 bytes = 0;
    u64 content = 0;
  };
  void add(const Portion *page, const Seen &more);
  void take(Bytes bytes, i64 offset, const Portion *page);

  const LeftOut &left_;
  std::unordered_map<const Portion *, Seen> seen_;
};

}  // namespace mrc
