// JSON that is not an object in each line: objects that have several lines or share one, and an
// array of objects. Each of them is a record.
#pragma once

#include "fields/fields.h"

namespace mrc {

// As Dialect::layout of a JSON format has it; empty: an object in each line.
enum class JsonLayout { lines, values, array };
JsonLayout json_layout(const Dialect &dialect);
// How many braces are open before the first byte, if the records are to be at 0.
inline i64 depth_at_begin(JsonLayout layout) { return layout == JsonLayout::array ? -1 : 0; }

// Text from the end of one record to that of the next: the record, and what is before it, if that
// is more than blanks, commas and the brackets of the array. After the last record it is all that
// is left, which may be the begin of one.
struct JsonPiece {
  Bytes other = {};
  Bytes record = {};
};

// Takes pieces off the front of a text. A record ends at the brace that leaves no other one open:
// so do chunks, and a piece is the same in any of them. Over-reads by kPadding.
class JsonValues {
 public:
  // `begins`: the text is the begin of an input; else a record ends before it.
  JsonValues(Bytes text, JsonLayout layout, bool begins)
      : at_(text.data()), end_(at_ + text.size()), layout_(layout), begins_(begins) {}

  // False if there is none.
  bool next(JsonPiece *piece);
  // What follows the last piece.
  const char *at() const { return at_; }

 private:
  const char *skip_between(const char *stop, i64 *depth) const;

  const char *at_;
  const char *end_;
  JsonLayout layout_;
  bool begins_;
};

// What an input begins with, if its records do not lie in lines.
struct JsonHead {
  JsonLayout layout = JsonLayout::lines;
  std::string lines = {};  // the whole records of the head, each in a line; of an empty array, none
};
std::optional<JsonHead> json_head(Bytes head, bool whole);

// Notes the layout in a dialect, which must be of JSON.
void set_layout(JsonLayout layout, Dialect *dialect);

// Up to where the last whole record of a head ends. Over-reads by kPadding.
Bytes whole_json_values(const Dialect &dialect, Bytes head);

// Whether these first bytes of an input do not tell yet whether its records lie in lines.
bool wants_more_json(Bytes head);

}  // namespace mrc
