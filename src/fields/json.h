// JSON lines: one object per line. Fields are members, by their paths (json_record.h):
// - a string is its meaning, without escapes; a number is its text, as written; true and false
//   are words; null is missing; objects and arrays are their text;
// - if a name occurs twice, the first member counts;
// - a line that is not an object, or is malformed anywhere, is bad; a blank line is skipped.
#pragma once

#include "fields/fields.h"

namespace mrc {

struct JsonAlias;

// Errors are those of make_reader().
Result<std::unique_ptr<RecordReader>> make_json_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted);
Result<std::unique_ptr<RecordReader>> make_json_reader(const Dialect &dialect,
                                                       std::span<const FieldName> wanted,
                                                       std::span<const JsonAlias> aliases);

// Makes what finds the members of records (found_fields.h).
std::unique_ptr<FieldFinder> make_json_finder(const Dialect &dialect);

// True if a value was a string in JSON: the byte before it is a quote, even if the value is a
// copy without escapes, or a date and a time together. All other values are written as they are
// read: numbers, true, false, objects and arrays.
// REQUIRES: the value is there, and is of a member of a JSON record, not the whole record
MRC_INLINE bool is_json_string(Bytes value) { return value.data()[-1] == '"'; }

// Does the work of sniff() for JSON lines: most of the first lines are objects, or the spec says
// so. Names are the paths to values other than objects, in the order of their appearance.
std::optional<Dialect> sniff_json(const FormatSpec &spec, Bytes head, bool whole);

// JSON other than one object per line: objects that have several lines or share one, an array of
// objects, and an object whose only member is such an array: {"Records":[{...},{...}]}. Each object
// is a record, of the last one each element.

// The meaning of Dialect::layout for JSON formats; an empty one stands for `lines`.
enum class JsonLayout { lines, values, array, member };
JsonLayout json_layout(const Dialect &dialect);
// Depth before the first byte of an input, such that records begin at depth 0.
inline i64 depth_at_begin(JsonLayout layout) {
  return layout == JsonLayout::member ? -2 : layout == JsonLayout::array ? -1 : 0;
}

// The text from the end of one record to the end of the next: the record, and the text before it,
// if that is more than blanks, commas, the brackets of the array and what is before and after these
// in the layout `member`. After the last record, `other` is the rest of the text, which may be the
// beginning of a record.
struct JsonPiece {
  Bytes other = {};
  Bytes record = {};
};

// Takes pieces from the front of a text. A record ends at the brace that leaves no other one open.
// Chunks end there, too, so a piece is the same in any chunk. Over-reads by kPadding.
class JsonValues {
 public:
  // If `begins`, an input begins with the text; else a record ends before it.
  JsonValues(Bytes text, JsonLayout layout, bool begins)
      : at_(text.data()), end_(at_ + text.size()), layout_(layout), begins_(begins) {}

  // Returns false if there is none.
  bool next(JsonPiece *piece);
  // Returns the end of the last piece.
  const char *at() const { return at_; }

 private:
  const char *find_end(i64 depth) const;
  const char *skip_between(const char *stop, i64 *depth) const;

  const char *at_;
  const char *end_;
  JsonLayout layout_;
  bool begins_;
};

// The head of an input whose records are not lines.
struct JsonHead {
  JsonLayout layout = JsonLayout::lines;
  std::string lines = {};  // whole records of the head, one per line; empty for an empty array
};
// `named`: fields that the job asks for. An object is a record as a whole if one of them is a path
// that begins with its array.
std::optional<JsonHead> json_head(Bytes head, bool whole,
                                  const std::vector<std::string> &named = {});

// Sets the layout of a dialect. REQUIRES: its format is JSON
void set_layout(JsonLayout layout, Dialect *dialect);

// Returns the head up to the end of its last whole record. Over-reads by kPadding.
Bytes whole_json_values(const Dialect &dialect, Bytes head);

// True if these first bytes of an input do not tell yet if its records are lines.
bool wants_more_json(Bytes head);

}  // namespace mrc
