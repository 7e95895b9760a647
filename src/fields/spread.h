// Makes several records of one: a record for each element of an array, for each piece of a text, or
// for each of several columns.
//
// A new record has the fields of the record that it is made of. By elements and pieces, the field
// has the value of the element, and the path of a member is that of the element's member: `items`
// is {"sku":"x"}, and `items.sku` is x. By columns, two new fields, the name of the column and its
// value, replace the columns.
//
// - An empty array or text makes no record. If the field is missing, the record stays one, in which
//   it is missing.
// - A value that is no array, or one that is to be split, makes the record malformed.
// - A column that the record does not have makes no record.
// The whole record of each is that of the input.
#pragma once

#include "fields/fields.h"

namespace mrc {

// Returns the dialect of the records that are made of those of another.
Dialect with_spread(Dialect dialect, const Spread &spread);
// Returns the dialect of the input's records.
Dialect without_spread(Dialect dialect);

// Returns the fields that the input's records need to have for these.
std::vector<FieldName> fields_before(const Spread &spread, const std::vector<FieldName> &wanted);

// True if the field gets other values, so that its kind is not that of the input's field.
bool is_changed_by(const Spread &spread, const FieldName &field);

// Adds the names of members of the elements in the first records.
void add_element_names(Bytes head, Dialect *dialect);

// Describes the records, such as "each element of items"; "" without any.
std::string describe(const Spread &spread);

// REQUIRES: dialect.spread.is_wanted()
Result<std::unique_ptr<RecordReader>> make_spread_reader(const Dialect &dialect,
                                                         std::span<const FieldName> wanted);

}  // namespace mrc
