// Values to try laws on: of all types, those that are hard on programs, and the author's own.
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
  std::optional<std::string> text = {};  // nothing: missing
};
// What a reducer takes of one record, and those of several records.
using LawRecord = std::vector<LawValue>;
using LawRecords = std::vector<LawRecord>;

class LawValues {
 public:
  // `lines`: of the author's sample; maybe none.
  LawValues(std::span<const mrc_type> types, std::span<const std::string> lines, u64 seed);
  // At most `most` records, all of one kind: small, large, of the sample, or of all kinds.
  LawRecords next(size_t most);
  // `size` records.
  LawRecords many(size_t size);

 private:
  LawValue value(mrc_type type, u64 kind);
  u64 random(u64 below) { return random_() % below; }

  std::vector<mrc_type> types_;
  std::vector<std::string> texts_;  // of the sample: its lines, and the words of them
  std::vector<double> numbers_;
  std::mt19937_64 random_;
};

// The simplest value of a type, for smaller counter-examples.
LawValue simplest(mrc_type type);
bool is_simplest(const LawValue &value);
// "3", "0.5", "\"a\\n\"", "missing"; a long text is cut.
std::string show_value(const LawValue &value);
// "add(3) add(5)"
std::string show_records(const LawRecords &records);

}  // namespace mrc
