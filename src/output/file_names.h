// output: names of files that have the values of records in them.
#pragma once

#include "expr/record_scan.h"
#include "map/map.h"

#include <string>
#include <vector>

namespace mrc {

// The path of a record's file below a directory: texts, and between them values of its fields.
// Records have one path only if all of these values are equal: bytes that have a meaning in paths
// are written as %XX, as are a dot at the beginning of a value, the first of two underscores there,
// and the byte that ends the value where another one follows in the same name. Thread safe.
class FileNames {
 public:
  // REQUIRES: there is one text more than fields, and why_ambiguous() is empty
  FileNames(std::vector<std::string> texts, std::vector<FieldExpr> fields,
            const WantedFields &wanted);

  // Appends the path. A value that does not fit its bucket counts as missing, and is passed to
  // `bad`. *value is scratch.
  void append(const Chunk &chunk, const SelectedRecords &batch, size_t record, BadRecordSink *bad,
              std::string *value, std::string *out) const;

  // Returns why two paths could be equal although their values differ; empty: they cannot.
  static std::string why_ambiguous(const std::vector<std::string> &texts);

 private:
  struct Part {
    FieldExpr expr;
    size_t column;       // in the batch
    std::string misfit;  // the reason for a bad value
    std::string after;   // text after the value
    int end;             // the byte that ends the value in its name; -1: it is the last one there
  };

  std::string before_;  // text before the first value
  std::vector<Part> parts_;
};

}  // namespace mrc
