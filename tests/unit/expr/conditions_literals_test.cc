#include "expr/inner/conditions.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

TEST(LiteralRelation, HoldsAsTheOrderOfNumbersSays) {
  const std::vector<std::string> texts = {"0",
                                          "-0.5",
                                          "0.5",
                                          "1",
                                          "1.0",
                                          "1.50",
                                          "12345678901234567",
                                          "-12345678901234567",
                                          "0.000000000000000001",
                                          "123456789012345678901234567890",
                                          "1e300",
                                          "-1e300"};
  constexpr Relation kAll[] = {Relation::equal,   Relation::unequal, Relation::less,
                               Relation::at_most, Relation::greater, Relation::at_least};
  Arena arena;
  for (const std::string &text : texts) {
    const Number literal = parse_any_number(text, &arena);
    for (const Relation relation : kAll) {
      const LiteralRelation to_literal(relation, text);
      for (const std::string &other : texts) {
        const Number number = parse_any_number(other, &arena);
        EXPECT_EQ(to_literal.holds(number), holds_for(relation, compare_numbers(number, literal)))
            << other << " and " << text;
      }
    }
  }
}

}  // namespace
}  // namespace mrc
