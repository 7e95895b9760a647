// kept: the units of a job, which processes on any machines may map: what was found out about its
// inputs, once and for all of them, and where these may be cut.
#pragma once

#include "fields/fields.h"
#include "kept/partial.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Data only.
struct UnitList {
  static constexpr i64 kVersion = 2;  // of the format: later ones are refused

  struct Input {
    std::string path;
    bool packed = false;                  // it is one unit, whose bytes are as stored
    std::optional<Dialect> dialect = {};  // if records have fields
    // The command of the job prints it: it is one unit, whose length is not known, and is 0.
    bool of_command = false;

    bool operator==(const Input &) const = default;
  };

  std::string job;  // Job::to_text(), with the inputs
  i64 newest = 0;   // when the newest input was changed, in seconds since 1970
  // Of a job that puts records in order: what lies between the ranges that partials divide them in
  // (rows/key_ranges.h). None: there is one range.
  std::vector<std::string> splitters;
  std::vector<Input> inputs;
  std::vector<PartialUnit> units;  // without content; in the order of the input

  // What tells this list from others.
  u64 id() const;
  // "NUMBER:FILE:OFFSET:LENGTH", as users hand it on.
  std::string name_of(const PartialUnit &unit) const;
  // The unit of that name, or of that number. An error says that there is none.
  Result<PartialUnit> find(const std::string &name) const;

  std::string to_text() const;
  // Takes any bytes. The error completes "NAME: "; it says what is wrong.
  static Result<UnitList> from_text(Bytes text);
  bool operator==(const UnitList &) const = default;
};

}  // namespace mrc
