// Headers, anywhere in an input, that name the fields of the lines below them (headed_lines.cc).
// The dialect of a file has all headers; any other dialect has those of the first bytes.
#pragma once

#include "fields/inner/named_formats.h"

#include <string>
#include <vector>

namespace mrc {

inline constexpr size_t kMostHeadedFields = 256;

using HeaderNames = std::vector<std::string>;

// Returns the names in a header of the row; empty if the line is not a header.
HeaderNames names_in_header(Bytes line, const NamedFormat &row);

// A header and its offset in the input. The first header is in force from the beginning.
struct PlacedHeader {
  i64 offset;
  HeaderNames names;
};
// Returns the headers of a dialect in order.
std::vector<PlacedHeader> headers_of(const Dialect &dialect);
// Adds a header and its names to the dialect, unless it repeats the last header.
void add_header(const HeaderNames &names, i64 offset, Dialect *dialect);
// Adds the other names of the fields that the dialect has.
void add_other_names(Dialect *dialect);

// Returns the index of a name; -1 if it is not found.
i64 position_of(const HeaderNames &names, Bytes name);
// Returns the position of a field in a header, by its own name or another one; -1: none.
i64 find_field(const HeaderNames &header, const std::string &name, const NamedFormat &row);

// True if headers in the middle of the input may name other fields.
bool has_headers(const Dialect &dialect);

// Finds the headers in a range of a file. Its pieces are successive, and may end anywhere.
class HeaderScan {
 public:
  // If `at_line`, the first piece begins with a line. REQUIRES: has_headers(dialect), and the
  // dialect outlives this
  HeaderScan(const Dialect &dialect, bool at_line) : dialect_(dialect), at_line_(at_line) {}

  // `offset` is the place of the piece in the file. Over-reads by kPadding.
  void take(Bytes piece, i64 offset);
  // True if the last line may continue as a header.
  bool is_in_header() const { return !begun_.empty(); }
  // Says that the file ends here.
  void finish();

  // Returns all complete headers, in order.
  const std::vector<PlacedHeader> &found() const { return found_; }

 private:
  static constexpr size_t kLongestHeader = size_t{64} << 10;

  const Dialect &dialect_;
  bool at_line_;       // the next piece begins with a line
  std::string begun_;  // beginning of a line that may be a header
  i64 begun_at_ = 0;
  std::vector<PlacedHeader> found_;
};

// Gives a dialect all headers of its file, in place of those of the first bytes.
void set_headers(const std::vector<PlacedHeader> &headers, Dialect *dialect);

}  // namespace mrc
