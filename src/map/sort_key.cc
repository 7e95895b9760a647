#include "map/sort_key.h"

#include "base/text.h"

#include <algorithm>

namespace mrc {
namespace {

// sort(1) also separates fields at newlines, which records that end in NUL may contain.
bool separates_fields(char c) { return is_blank(c) || c == '\n'; }

// The fields of one record. Finding them in ascending order takes one pass over the record.
class FieldFinder {
 public:
  FieldFinder(Bytes record, std::optional<char> delimiter)
      : record_(record), rest_(record), delimiter_(delimiter) {}

  // Returns the field, or an empty one if the record has fewer fields.
  Bytes find(i64 number) {
    if (number == 0) return record_;
    if (number < number_) restart();
    while (number_ < number) {
      if (rest_.empty()) return {};
      field_ = delimiter_ ? next_delimited() : next_blank_separated();
      ++number_;
    }
    return field_;
  }

 private:
  void restart() {
    rest_ = record_;
    number_ = 0;
  }

  Bytes next_delimited() {
    const size_t size = std::min(rest_.find(*delimiter_), rest_.size());
    const Bytes field = rest_.substr(0, size);
    rest_.remove_prefix(std::min(size + 1, rest_.size()));
    return field;
  }

  Bytes next_blank_separated() {
    const char *begin =
        std::find_if_not(rest_.data(), rest_.data() + rest_.size(), separates_fields);
    const char *all_end = rest_.data() + rest_.size();
    const char *end = std::find_if(begin, all_end, separates_fields);
    rest_ = {end, static_cast<size_t>(all_end - end)};
    return {begin, static_cast<size_t>(end - begin)};
  }

  Bytes record_, rest_, field_;
  i64 number_ = 0;  // number of field_; 0 before the first
  std::optional<char> delimiter_;
};

}  // namespace

SortKeyEncoder::SortKeyEncoder(SortKeySpec spec) : spec_(std::move(spec)) {}

void SortKeyEncoder::append(Bytes record, std::string *out) const {
  FieldFinder finder(record, spec_.delimiter);
  for (const SortField &field : spec_.fields) {
    append_sort_field(field, finder.find(field.field), out);
  }
}

bool SortKeyEncoder::is_plain() const {
  if (spec_.fields.size() != 1) return false;
  const SortField &field = spec_.fields[0];
  return field.field == 0 && field.type == SortField::Type::bytes && !field.descending &&
         !field.ignore_case;
}

}  // namespace mrc
