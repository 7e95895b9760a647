// Finds all fields of records that may have any, such as the members of JSON objects.
#pragma once

#include "fields/fields.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace mrc {

// A field of some records.
struct FoundField {
  std::string path;          // as in FieldName
  std::string name;          // the names in the path, with dots between them and without quotes
  u64 position = ~u64{0};    // position of the first record that has it
  u64 place = 0;             // place of the field in that record
  bool has_value = false;    // its value is not always null, or an object or array with members
  bool has_members = false;  // it is an object or array with members in some record
  bool has_number = false;   // a value is a number, without needless zeros
  bool has_other = false;    // a value is no such number
};

// The fields that several finders have found. Not thread safe.
class FoundFields {
 public:
  // More fields, or longer paths in all, are an error. Finders stop when they have found more.
  static constexpr i64 kMost = 10000;
  static constexpr i64 kMostBytes = i64{4} << 20;

  void add(FoundField field);
  // Returns the fields that become columns, in the order in which they are first seen. Each has
  // another name. An object or array is a column only if it is empty in some record, or if records
  // have another value in its place.
  Result<std::vector<FoundField>> columns() const;

 private:
  std::vector<FoundField> fields_;
  std::unordered_map<std::string, size_t> places_;  // by path
  i64 bytes_ = 0;
};

// Finds the fields of records of one dialect. For one thread.
class FieldFinder {
 public:
  virtual ~FieldFinder() = default;
  // Notes the fields of a record, which may be over-read by kPadding bytes. Records come in any
  // order. REQUIRES: the record is not malformed
  virtual void add(Bytes record, u64 position) = 0;
  virtual void move_to(FoundFields *fields) = 0;
};

// Returns null if the fields cannot be found: the records have no finder, or are inside lines that
// have fields of their own, or several are made of one.
std::unique_ptr<FieldFinder> make_field_finder(const Dialect &dialect);

}  // namespace mrc
