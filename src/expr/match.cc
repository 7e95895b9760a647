// Regular expressions in conditions. The door to RE2, which needs time in proportion to the
// value for all expressions.
#include "expr/condition.h"

#include <re2/re2.h>

namespace mrc {
namespace {

class Match : public Condition {
 public:
  Match(Operand operand, std::unique_ptr<const RE2> regex, bool negated)
      : operand_(std::move(operand)), regex_(std::move(regex)), negated_(negated) {}

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    return select_values(operand_, input, wanted, [this](Bytes value) {
      return RE2::PartialMatch({value.data(), value.size()}, *regex_) != negated_;
    });
  }

 private:
  Operand operand_;
  std::unique_ptr<const RE2> regex_;
  bool negated_;
};

}  // namespace

Result<ConditionPtr> make_match(Operand operand, const std::string &regex, bool negated) {
  auto compiled = std::make_unique<const RE2>(regex, RE2::Quiet);
  if (!compiled->ok()) {
    return Status::error("\"" + regex + "\" is not a regular expression: " + compiled->error());
  }
  return ConditionPtr(std::make_unique<Match>(std::move(operand), std::move(compiled), negated));
}

}  // namespace mrc
