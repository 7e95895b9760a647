// CSV (RFC 4180) and variants with other separators, as found in practice:
// - the separator is , ; tab or |, or set by the user;
// - a quote opens a field only as its first byte; inside, two quotes stand for one; text after
//   the closing quote is kept ("a"b is ab); any other quote is an ordinary byte;
// - records end in LF or CR LF, and the last one may end with the input;
// - empty lines and a byte order mark are skipped;
// - fields that a short record lacks are missing; a record with more fields than there are
//   names is bad;
// - a quote that nothing closes is bad with its line, and reading continues on the next line.
#pragma once

#include "base/arena.h"
#include "fields/fields.h"
#include "scan/scan.h"

namespace mrc {

// Makes a reader for csv and tsv. Errors are those of make_reader(), and separators with another
// meaning: quotes and line ends.
Result<std::unique_ptr<RecordReader>> make_csv_reader(const Dialect &dialect,
                                                      std::span<const FieldName> wanted);

// Does the work of sniff() for text that looks like CSV. If the spec says csv or tsv, any text
// does.
//
// The separator is the one by which most of the first records agree in the number of fields; ties
// go to the larger number. The first record is the header if the spec says so. If the spec says
// nothing and names no columns, the first record is the header if it looks like names: its fields
// are distinct, none is empty or begins like a number, and either a field below one begins like a
// number, or none recurs below.
std::optional<Dialect> sniff_csv(const FormatSpec &spec, Bytes head, bool whole);

// The reason why a record with a quote that nothing closes is malformed.
inline constexpr const char *kUnclosedQuote = "no closing quote";

// Separator and terminator of a dialect's text.
struct CsvBytes;
CsvBytes csv_bytes(const Dialect &dialect);

// Iterates over the records of CSV text and the places of their fields.

// True if the separator is neither a quote nor a line end. Everything below REQUIRES it.
inline bool can_separate(CsvBytes bytes) {
  return Bytes("\"\r\n").find(bytes.separator) == Bytes::npos &&
         bytes.separator != bytes.terminator;
}

// One record, valid until the next one is read.
struct CsvRecord {
  Bytes text;         // without its terminator (CR LF included)
  const char *base;   // origin of the places
  const u32 *places;  // field k lies between places[k - 1] and places[k], in `base`;
                      // places[-1] wraps around for the first of all
  i64 fields;

  // Returns the bytes of a field as written, including quotes.
  Bytes raw(i64 k) const {
    const char *begin = base + static_cast<u32>(places[k - 1] + 1);
    const char *end = k + 1 == fields ? text.data() + text.size() : base + places[k];
    return {begin, static_cast<size_t>(end - begin)};
  }
};

// Returns the value of a raw field: quotes around it are removed, two inside stand for one, and
// text after the closing quote is kept: "a"b is ab. The value is part of the field, or a copy.
Bytes unquote_csv(Bytes raw, Arena *copies);
inline Bytes csv_value(Bytes raw, Arena *copies) {
  if (raw.empty() || raw[0] != '"') [[likely]]
    return raw;
  return unquote_csv(raw, copies);
}

// Iterates over whole records and skips empty lines. Over-reads by kPadding.
class CsvRecords {
 public:
  // `unclosed` is a line with a quote that nothing closes.
  enum class Next { record, unclosed, none };

  // REQUIRES: `text` begins with a record. The scan looks ahead for about `most` records only.
  CsvRecords(Bytes text, CsvBytes bytes, i64 most);
  Next next(CsvRecord *record);
  // Returns the start of the next record.
  const char *position() const { return position_; }

 private:
  static constexpr i64 kMostRecords = RecordBatch::kCapacity;
  static constexpr i64 kMostPlaces = 4096;

  bool scan();
  Next last_record(CsvRecord *record);
  Next unclosed_line(CsvRecord *record);
  Next take(const char *end, CsvRecord *record);

  const CsvScanner &scanner_;
  CsvBytes bytes_;
  const char *position_;
  const char *end_;
  const char *base_;
  i64 left_;        // rest of `most`
  i64 record_ = 0;  // next record in bounds_
  i64 place_ = 0;   // first place of the next record
  CsvBounds bounds_;
  Arena wide_;  // for records with more fields than fit in places_
  // One place precedes them, as if a terminator stood before the first record.
  u32 places_[1 + kMostPlaces + CsvBounds::kSlack];
  u32 ends_[kMostRecords + CsvBounds::kSlack];
};

}  // namespace mrc
