// Values for trying laws: of all types, hard on programs, or from the author's sample.
#pragma once

#include "base/int.h"
#include "mrc_plugin.h"

#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace mrc {

struct LawValue {
  mrc_type type = MRC_TEXT;
  i64 integer = 0;
  double real = 0;
  std::optional<std::string> text = {};  // unset: missing
};
// The values that a reducer takes of one record, and of several.
using LawRecord = std::vector<LawValue>;
using LawRecords = std::vector<LawRecord>;

class LawValues {
 public:
  // `lines`: from the author's sample; may be empty.
  LawValues(std::span<const mrc_type> types, std::span<const std::string> lines, u64 seed);
  // Returns at most `most` records, all of one kind: small, extreme, from the sample, or mixed.
  LawRecords next(size_t most);
  LawRecords many(size_t size);

 private:
  LawValue value(mrc_type type, u64 kind);
  u64 random(u64 below) { return random_() % below; }

  std::vector<mrc_type> types_;
  std::vector<std::string> texts_;  // lines of the sample, and the words in them
  std::vector<double> numbers_;
  std::mt19937_64 random_;
};

// Returns the simplest value of a type, for smaller counterexamples.
LawValue simplest(mrc_type type);
bool is_simplest(const LawValue &value);
// Returns "3", "0.5", "\"a\\n\"" or "missing"; shortens long texts.
std::string show_value(const LawValue &value);
// Returns "add(3) add(5)".
std::string show_records(const LawRecords &records);

}  // namespace mrc
