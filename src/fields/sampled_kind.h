// Kinds of fields: by their format, or by a sample of their values.
#pragma once

#include "fields/fields.h"
#include "kinds/kind.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace mrc {

// Returns the kind of a field from the table of formats, or from the types of the values in the
// user's pattern. It is unknown for fields that the format does not name, as in CSV and JSON.
FieldKind kind_in_format(const Dialect &dialect, const FieldName &field);

// Returns the fields of a format that are in the table, each once. These are all its fields unless
// records name their fields themselves.
std::vector<std::pair<std::string, FieldKind>> fields_in_table(const LineFormat &format);

// True for numbers, but not for those with needless zeros before them, which are texts.
// May over-read by kPadding.
bool is_plain_number(Bytes value);

// Counts the values of one field by kind.
class SampledKind {
 public:
  // The name tells if digits may be a time, and if a letter may be a level. If `json`, values are
  // as make_json_reader() reads them. `dates` is what the user has said about dates.
  SampledKind(Bytes name, bool json, DateOrder dates);

  // REQUIRES: the value is neither empty nor "-". May over-read by kPadding.
  void add(Bytes value);

  // Returns the kind of nine tenths of the values: text if there is no such kind, or if a number
  // has needless leading zeros; unknown if there is no value.
  FieldKind kind() const;
  // Returns the order of dates such as 03/11/2026, if there are any. The user sets it, or values
  // such as 13/11/2026 settle it, unless others require the other order.
  DateOrder date_order() const;
  bool has_numbers() const { return count(ValueKind::number) > 0; }
  // True if some of the times are the same instant in every zone, and others are not.
  bool mixes_zones() const { return has_zoned_ && has_zoneless_; }
  bool lacks_zones() const { return has_zoneless_ && !has_zoned_; }

 private:
  ValueKind kind_of(Bytes value);
  ValueKind kind_of_digits(Bytes value);
  ValueKind kind_of_text(Bytes value);
  bool is_time(Bytes value);
  bool is_slashed(Bytes value, DateOrder order);
  bool add_slashed(Bytes value);
  void note_zone(bool is_there) { (is_there ? has_zoned_ : has_zoneless_) = true; }
  bool is_level(Bytes value) const;
  i64 count(ValueKind kind) const { return counts_[static_cast<size_t>(kind)]; }

  std::string name_;
  bool json_, names_time_, names_level_;
  DateOrder dates_;
  std::array<i64, kKinds> counts_{};
  i64 values_ = 0;
  // Dates such as 03/11/2026, which are not counted as times: how many can be read in each order,
  // and whether some can be read in this order alone.
  i64 day_first_ = 0, month_first_ = 0;
  bool has_day_first_ = false, has_month_first_ = false;
  bool has_zeros_ = false, has_zoned_ = false, has_zoneless_ = false;
};

}  // namespace mrc
