// Regular expressions in conditions.
#include "expr/condition.h"
#include "regex/regex.h"

namespace mrc {
namespace {

class MatchCondition : public Condition {
 public:
  MatchCondition(Operand operand, std::unique_ptr<const Regex> regex, bool negated)
      : operand_(std::move(operand)), regex_(std::move(regex)), negated_(negated) {}

  Bits select(const FilterInput &input, const Bits &wanted) const override {
    return select_values(operand_, input, wanted,
                         [this](Bytes value) { return regex_->matches(value) != negated_; });
  }

 private:
  Operand operand_;
  std::unique_ptr<const Regex> regex_;
  bool negated_;
};

}  // namespace

Result<ConditionPtr> make_match(Operand operand, const std::string &regex, bool negated) {
  Result<std::unique_ptr<Regex>> compiled = Regex::compile(regex, {});
  if (!compiled.is_ok()) {
    return Status::error("\"" + regex +
                         "\" is not a regular expression: " + compiled.status().message());
  }
  return ConditionPtr(
      std::make_unique<MatchCondition>(std::move(operand), std::move(*compiled), negated));
}

}  // namespace mrc
