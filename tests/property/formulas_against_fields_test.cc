// Formulas of many groups at a time against the same expressions of one record at a time, whose
// fields are what the columns of a group show.
#include "combine/figure.h"
#include "combine/formula.h"
#include "combine/group_batch.h"
#include "support/random.h"
#include "support/seed.h"
#include "unit/combine/aggregate_run.h"

#include <deque>
#include <functional>

namespace mrc {
namespace {

using std::string;
using std::vector;

const vector<string> kColumns = {"count",      "sum:x",   "mean:x",   "min:x",
                                 "distinct:x", "first:x", "unique:x", "share"};
// @1 to @8 stand for the columns.
const vector<string> kFormulas = {
    "@2 / @1",
    "@3 * 2 + 1",
    "@4 - @5",
    "-@4",
    "1 / (@1 - 2)",
    "@2 % @1",
    "@6 + @1",
    "@6 * @6",
    "@1 > 2",
    "3 >= @1",
    "@2 + 0 == @3",
    "@2 != @1 * @3",
    "@4 + 0 < @6",
    "@1 == '2'",
    "@1 between 2 and 3",
    "@4 + 0 between @5 and 7.5",
    "@1 in (1, 3)",
    "@6 == 1.50",
    "has(@4) and not @6 =~ '^1'",
    "if(@1 > 2, @2, @6)",
    "if(@4 + 0 < 0, @4, @5)",
    "coalesce(@4, @1)",
    "length(@7) + @1",
    "upper(@6)",
    "round(@3 * 10, 1)",
    "abs(@4)",
    "@8 * 2",
    "@3 * @3 * @3 * @3 > @2",
};

string filled(string formula, const std::function<string(size_t)> &name) {
  for (size_t at; (at = formula.find('@')) != string::npos;) {
    formula.replace(at, 2, name(static_cast<size_t>(formula[at + 1] - '1')));
  }
  return formula;
}

// The output for one record.
struct Shown {
  string text, fault;
  u64 rank = 0;

  bool operator==(const Shown &) const = default;
  friend std::ostream &operator<<(std::ostream &out, const Shown &shown) {
    return out << '"' << shown.text << "\" " << shown.rank << " (" << shown.fault << ")";
  }
};

class Naive {
 public:
  explicit Naive(const string &formula) {
    const string text = filled(formula, [](size_t i) { return "f" + std::to_string(i); });
    const Result<Expression> parsed = parse_expression(text, {clock_, {}, nullptr});
    EXPECT_TRUE(parsed.is_ok()) << text << parsed.status().message();
    const auto made = ComputedField::make(*parsed, clock_);
    EXPECT_TRUE(made.is_ok()) << text << made.status().message();
    computed_ = *made;
    for (const FieldName &field : computed_->fields()) {
      columns_.push_back(std::stoul(field.text.substr(1)));
    }
  }

  Shown shown(const vector<string> &cells) const {
    RecordBatch batch;
    batch.set_columns(cells.size());
    batch.size = 1;
    for (size_t i = 0; i < cells.size(); ++i) {
      batch.fields[i][0] = cells[i].empty() ? Bytes() : keep_text(cells[i], &batch.unescaped);
    }
    vector<BadValue> bad;
    const FilterInput input{batch, columns_, &batch.unescaped, &bad};
    TextColumnOf texts;
    computed_->texts().fill(input, first_bits(1), &texts);
    Shown shown{string(texts[0]), ""};
    if (texts[0].data() == nullptr && !bad.empty()) {
      shown.fault = string(bad[0].reason) + ": " + string(bad[0].value);
    }
    if (computed_->is_number()) shown.rank = rank(input);
    return shown;
  }

 private:
  u64 rank(const FilterInput &input) const {
    NumberColumnOf numbers;
    computed_->numbers()->fill(input, first_bits(1), &numbers);
    return is_number(numbers[0]) ? Figure::of(numbers[0]).rank() : 0;
  }

  Clock clock_;
  std::shared_ptr<const ComputedField> computed_;
  vector<size_t> columns_;
};

// Messages name inputs as they were typed, which differs.
string after_name(const string &fault) {
  const size_t colon = fault.rfind(": ");
  return colon == string::npos ? fault : fault.substr(colon);
}

vector<string> random_values(Random &random) {
  vector<string> values;
  for (i64 n = pick(random, 0, 4); n > 0; --n) {
    const i64 digits = pick(random, -20, 40);
    values.push_back(one_of<string>(
        random, {std::to_string(digits), std::to_string(digits) + ".50", "0.125", "x", "-", "",
                 "12345678901234567890.5", "1e30", "0.000000000000000000001", "1.5"}));
  }
  return values;
}

class FormulasAgainstFields : public testing::TestWithParam<i64> {
 protected:
  void SetUp() override {
    Random random(first_seed());
    for (i64 i = 0; i < GetParam(); ++i) {
      states_.push_back(run_.folded(records_of(random_values(random))));
    }
  }

  std::shared_ptr<const Column> column_of(const string &formula) const {
    const string text = filled(formula, [](size_t i) { return "$\"" + kColumns[i] + "\""; });
    const auto column = parse_order(text, {}, run_.layout().aggregation(), {});
    EXPECT_TRUE(column.is_ok()) << text << ": " << column.status().message();
    return column.is_ok() ? *column : nullptr;
  }
  vector<Shown> shown(const Column &column) {
    vector<Shown> all;
    GroupBatch batch(run_.layout());
    for (const AggregateRun::Folded &state : states_) {
      batch.add({}, state.state());
      if (batch.is_full() || &state == &states_.back()) take(column, &batch, &all);
    }
    return all;
  }
  Shown expected(const Naive &naive, const AggregateRun::Folded &state) const {
    vector<string> cells;
    for (i64 cell = 0; cell < run_.layout().columns(); ++cell) {
      cells.push_back(run_.shown(cell, state, Notation::exact));
    }
    Shown shown = naive.shown(cells);
    shown.fault = after_name(shown.fault);
    return shown;
  }

  const AggregateRun run_{kColumns};
  std::deque<AggregateRun::Folded> states_;

 private:
  static void take(const Column &column, GroupBatch *batch, vector<Shown> *all) {
    const size_t first = all->size();
    for (i64 i = 0; i < batch->size(); ++i) {
      Shown &shown = all->emplace_back();
      batch->append(column, i, Notation::exact, &shown.text);
      shown.rank = batch->rank(column, i);
    }
    batch->results(*column.formula).each_fault([&](size_t group, const string &reason) {
      (*all)[first + group].fault = after_name(reason);
    });
    batch->clear();
  }
};

TEST_P(FormulasAgainstFields, ShowTheSameOfEachGroup) {
  SCOPED_TRACE("MRC_SEED=" + std::to_string(first_seed()));
  for (const string &formula : kFormulas) {
    const std::shared_ptr<const Column> column = column_of(formula);
    ASSERT_NE(column, nullptr);
    const Naive naive(formula);
    const vector<Shown> all = shown(*column);
    ASSERT_EQ(all.size(), states_.size());
    for (size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(all[i], expected(naive, states_[i])) << formula << " of group " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, FormulasAgainstFields,
                         testing::Values(1, 63, 64, 65, 511, 512, 513, 1100));

}  // namespace
}  // namespace mrc
