// kept: the units of a job, which processes on any machines may map. The list records once for all
// of them how each input is read, and where it is split.
#pragma once

#include "fields/fields.h"
#include "kept/kept.h"
#include "kept/partial.h"
#include "portion.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

// Data only.
struct UnitList {
  static constexpr i64 kVersion = 3;  // of the format: later versions are refused

  struct Input {
    std::string path;
    bool packed = false;                  // it is compressed: one unit, in stored bytes
    std::optional<Dialect> dialect = {};  // set if records have fields
    // The command of the job prints it: it is one unit of unknown length, given as 0.
    bool of_command = false;
    // The ranges that are read, in order, each inside a unit: begin, end and content, as the range
    // index has them. Empty: all of the units is read.
    std::vector<Portion> parts = {};
    // The counts of the records that are in none of them, and the first malformed one. They belong
    // to the first unit of the input.
    Portion left_out = {};
    KeptFlaw flaw = {};

    bool operator==(const Input &) const = default;
  };

  std::string job;  // Job::to_text(), with the inputs
  i64 newest = 0;   // when the newest input was changed, in seconds since 1970
  // For a job that puts records in order: the borders of the ranges into which partials divide them
  // (KeyRanges). Empty: there is one range.
  std::vector<std::string> splitters;
  std::vector<Input> inputs;
  std::vector<PartialUnit> units;  // without content, in the order of the input

  // Returns a hash that identifies the list.
  u64 id() const;
  // Returns the ranges of the unit that are read, in order.
  std::vector<Portion> parts_of(const PartialUnit &unit) const;
  // Returns "NUMBER:FILE:OFFSET:LENGTH", which users pass to other commands.
  std::string name_of(const PartialUnit &unit) const;
  // Returns the unit with that name or number. An error says that there is none.
  Result<PartialUnit> find(const std::string &name) const;

  std::string to_text() const;
  // Accepts any bytes. The error completes "NAME: " and says what is wrong.
  static Result<UnitList> from_text(Bytes text);
  bool operator==(const UnitList &) const = default;
};

}  // namespace mrc
