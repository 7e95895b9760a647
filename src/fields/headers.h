// Headers anywhere in an input, which name the fields of the lines below them (headed_lines.cc). A
// dialect has those of the first bytes, and, of a file, all.
#pragma once

#include "fields/named_formats.h"

#include <string>
#include <vector>

namespace mrc {

inline constexpr size_t kMostHeadedFields = 256;

using HeaderNames = std::vector<std::string>;

// The names in a header of the row; empty if the line is not a header.
HeaderNames names_in_header(Bytes line, const NamedFormat &row);

// A header, and where it is in the input. The first one counts from the beginning.
struct PlacedHeader {
  i64 offset;
  HeaderNames names;
};
// Those of a dialect, in their order.
std::vector<PlacedHeader> headers_of(const Dialect &dialect);
// Adds one after these, and its names, unless it says the same as the one before it.
void add_header(const HeaderNames &names, i64 offset, Dialect *dialect);
// Adds the other names of fields that are there.
void add_other_names(Dialect *dialect);

// Where a name is among others; -1: it is not.
i64 position_of(const HeaderNames &names, Bytes name);
// The position that a name has in a header, by itself or as another name of one; -1: none.
i64 find_field(const HeaderNames &header, const std::string &name, const NamedFormat &row);

// Whether headers in the middle of the input may name other fields.
bool has_headers(const Dialect &dialect);

// Finds the headers in a range of a file. Pieces of it follow one another without a gap, and may
// end anywhere.
class HeaderScan {
 public:
  // `at_line`: the first piece begins with a line. REQUIRES: has_headers(dialect), which outlives
  // this
  HeaderScan(const Dialect &dialect, bool at_line) : dialect_(dialect), at_line_(at_line) {}

  // `offset`: of the piece in the file. Over-reads by kPadding.
  void take(Bytes piece, i64 offset);
  // The last line that was seen may go on as a header.
  bool is_in_header() const { return !begun_.empty(); }
  // The file ends here.
  void finish();

  // All that have ended, in their order.
  const std::vector<PlacedHeader> &found() const { return found_; }

 private:
  static constexpr size_t kLongestHeader = size_t{64} << 10;

  const Dialect &dialect_;
  bool at_line_;       // the next piece begins with a line
  std::string begun_;  // a line that may be a header, as far as it has been seen
  i64 begun_at_ = 0;
  std::vector<PlacedHeader> found_;
};

// Gives a dialect all headers of its file, in place of those of the first bytes.
void set_headers(const std::vector<PlacedHeader> &headers, Dialect *dialect);

}  // namespace mrc
