// The records of CSV text, one after another, as places of their fields.
#pragma once

#include "base/arena.h"
#include "fields/fields.h"
#include "scan/scan_csv.h"

namespace mrc {

// Whether the separator is neither a quote nor a line end. All below REQUIRES it.
inline bool can_separate(CsvBytes bytes) {
  return Bytes("\"\r\n").find(bytes.separator) == Bytes::npos &&
         bytes.separator != bytes.terminator;
}

// One record. It lives until the next one is asked for.
struct CsvRecord {
  Bytes text;         // without its terminator (CR LF included)
  const char *base;   // what the places count from
  const u32 *places;  // field k lies between places[k - 1] and places[k], in `base`;
                      // places[-1] wraps around for the first of all
  i64 fields;

  // The bytes of a field as they stand, its quotes included.
  Bytes raw(i64 k) const {
    const char *begin = base + static_cast<u32>(places[k - 1] + 1);
    const char *end = k + 1 == fields ? text.data() + text.size() : base + places[k];
    return {begin, static_cast<size_t>(end - begin)};
  }
};

// What a raw field means. Quotes around it fall off, two inside are one, and what follows
// the closing quote is kept: "a"b is ab. It is a part of the field itself, or a copy.
Bytes unquote_csv(Bytes raw, Arena *copies);
inline Bytes csv_value(Bytes raw, Arena *copies) {
  if (raw.empty() || raw[0] != '"') [[likely]]
    return raw;
  return unquote_csv(raw, copies);
}

// Walks over whole records; empty lines are no records. Over-reads by kPadding.
class CsvRecords {
 public:
  // A field with a quote that nothing closes takes its line with it, and no more.
  enum class Next { record, unclosed, none };

  // `text` begins with a record. No more than about `most` records are looked for at once.
  CsvRecords(Bytes text, CsvBytes bytes, i64 most);
  Next next(CsvRecord *record);
  // Where the next record begins.
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
  i64 left_;        // of `most`
  i64 record_ = 0;  // of those in bounds_
  i64 place_ = 0;   // the first of the next record
  CsvBounds bounds_;
  Arena wide_;  // for records with more fields than fit in places_
  // One place lies before them: that of a terminator before the first record.
  u32 places_[1 + kMostPlaces + CsvBounds::kSlack];
  u32 ends_[kMostRecords + CsvBounds::kSlack];
};

}  // namespace mrc
