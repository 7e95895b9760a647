#include "unit/combine/aggregate_run.h"

#include <fstream>

namespace mrc {
namespace {

using Texts = std::vector<std::string>;

std::string error_of(std::string_view text) {
  std::vector<ValueColumn> values;
  Aggregation aggregation;
  const Status status = add_aggregate(text, {}, {}, &values, &aggregation);
  EXPECT_TRUE(aggregation.columns.empty() && aggregation.parts.empty() && values.empty());
  return status.is_ok() ? "" : status.message();
}

testing::AssertionResult says(std::string_view aggregate, std::string_view part) {
  const std::string error = error_of(aggregate);
  if (error.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << error;
}

std::string json(const std::string &name, const Texts &values, NumberStyle style = {}) {
  return aggregated(name, values, style, Notation::json);
}

TEST(Aggregates, CallColumnsWhatWasTyped) {
  const AggregateRun run({"count", "sum:bytes", "p99.9~:time", "top3:path", "mean:2"});
  const Texts names = {"count", "sum:bytes", "p99.9~:time", "top3:path", "mean:2"};
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(run.layout().column(static_cast<i64>(i)).name, names[i]);
  }
}

TEST(Aggregates, ShareStatesAndValues) {
  EXPECT_EQ(AggregateRun({"sum:b", "mean:b", "min:b", "max:b", "range:b"}).parts(), 1);
  EXPECT_EQ(AggregateRun({"sum:b", "mean:b"}).layout().state_bytes(), 48);
  EXPECT_EQ(AggregateRun({"p50:b", "p95:b", "median:b", "mad:b", "sessions(b, 5)"}).parts(), 1);
  EXPECT_EQ(AggregateRun({"list:u", "list(u, ';')"}).parts(), 1);
  EXPECT_EQ(AggregateRun({"mode:u", "top3:u", "top10:u", "unique:u", "distinct_list:u"}).parts(),
            1);
  EXPECT_EQ(AggregateRun({"var:b", "stddev:b"}).parts(), 1);
  EXPECT_EQ(AggregateRun({"count", "count"}).parts(), 1);
  const AggregateRun apart({"sum:b", "sum:c", "sum:b:1k", "first:b", "last:b", "distinct:b"});
  EXPECT_EQ(apart.parts(), 6);
  EXPECT_EQ(apart.columns().size(), 5u) << "three numbers, a text, positions";
  EXPECT_EQ(AggregateRun({"count"}).columns().size(), 0u);
}

TEST(Aggregates, SayWhatIsWrong) {
  EXPECT_TRUE(says("summ:b", "no aggregate \"summ\""));
  EXPECT_TRUE(says("meen:b", "did you mean \"mean\""));
  EXPECT_TRUE(says("", "there are count, sum"));
  EXPECT_TRUE(says("sum", "sum needs a field, as in sum:bytes"));
  EXPECT_TRUE(says("sum:", "needs a field"));
  EXPECT_TRUE(says("p101:b", "from 0 to 100"));
  EXPECT_TRUE(says("p100.1:b", "from 0 to 100"));
  EXPECT_TRUE(says("p5.5.5:b", "from 0 to 100"));
  EXPECT_TRUE(says("p99999999999999999999:b", "from 0 to 100"));
  EXPECT_TRUE(says("p:b", "no aggregate \"p\""));
  EXPECT_TRUE(says("top0:b", "1 or more"));
  EXPECT_TRUE(says("top1.5:b", "1 or more"));
  EXPECT_TRUE(says("sum~:b", "no aggregate \"sum~\""));
  EXPECT_NE(error_of("sum:b:"), "");
  EXPECT_NE(error_of("hist:b:nonsense"), "");
}

TEST(Aggregates, OfNothing) {
  for (const Texts &values : {Texts{}, Texts{"-", "", "-"}}) {
    EXPECT_EQ(aggregated("sum:b", values), "0");
    EXPECT_EQ(aggregated("count:b", values), "0");
    EXPECT_EQ(aggregated("distinct:b", values), "0");
    EXPECT_EQ(aggregated("distinct~:b", values), "0");
    EXPECT_EQ(json("top3:b", values), "[]");
    EXPECT_EQ(json("unique:b", values), "[]");
    EXPECT_EQ(json("list:b", values), "[]");
    EXPECT_EQ(aggregated("list:b", values), "");
    EXPECT_EQ(aggregated("sessions(b, 5)", values), "0");
    for (const char *name :
         {"mean:b", "min:b", "max:b", "range:b", "var:b", "stddev:b", "first:b", "last:b", "mode:b",
          "antimode:b", "median:b", "p50:b", "p50~:b", "mad:b"}) {
      EXPECT_EQ(aggregated(name, values), "") << name;
      EXPECT_EQ(json(name, values), "null") << name;
      EXPECT_EQ(aggregated(name, values, {1}), "") << name;
    }
  }
}

TEST(Aggregates, CountWhatIsThere) {
  EXPECT_EQ(aggregated("count", {"a", "-", ""}), "3");
  EXPECT_EQ(aggregated("count:b", {"a", "-", "", "--", "0"}), "3");
}

TEST(Aggregates, PassOverWhatIsNoNumber) {
  for (const char *name : {"sum:b", "min:b", "mean:b", "median:b", "p50:b"}) {
    EXPECT_EQ(aggregated(name, {"x", "7", "-", "", "1.2.3"}), "7") << name;
  }
}

// Computed by Python 3.11 with decimal, fractions and statistics.
TEST(Aggregates, AgreeWithPython) {
  struct Case {
    Texts values;
    const char *sum, *mean, *min, *max, *var, *stddev, *rounded_mean;
  };
  const Case cases[] = {
      {{"1", "2", "3", "4"},
       "10",
       "2.5",
       "1",
       "4",
       "1.6666666666666667",
       "1.2909944487358056",
       "2.5"},
      {{"0.1", "0.2", "0.3"}, "0.6", "0.2", "0.1", "0.3", "0.01", "0.1", "0.2"},
      {{"-5.5", "2.25", "1000000", "0.001", "-7"},
       "999989.751",
       "199997.9502",
       "-7",
       "1000000",
       "200001024915.82602",
       "447214.741389219",
       "199998.0"},
      {{"99999999999999999", "99999999999999998", "0.5"},
       "199999999999999997.5",
       "66666666666666664",
       "0.5",
       "99999999999999999",
       "3333333333333333300000000000000000",
       "57735026918962580",
       "66666666666666665.8"},
      {{"123456789012345678901234567890", "-1", "0.000000000000000000000000000001"},
       "123456789012345678901234567889.000000000000000000000000000001",
       "41152263004115230000000000000",
       "-1",
       "123456789012345678901234567890",
       "5080526251079612000000000000000000000000000000000000000000",
       "71277810369564610000000000000",
       "41152263004115226300411522629.7"},
      {{"1000000.1", "1000000.2", "1000000.3", "1000000.4"},
       "4000001",
       "1000000.25",
       "1000000.1",
       "1000000.4",
       "0.016666666666666666",
       "0.12909944487358058",
       "1000000.3"},
      {{"17"}, "17", "17", "17", "17", "", "", "17.0"},
      {{"-0.05", "0.0", "-0.04"},
       "-0.09",
       "-0.03",
       "-0.05",
       "0",
       "0.0007",
       "0.026457513110645908",
       "0.0"},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.sum);
    EXPECT_EQ(aggregated("sum:b", c.values), c.sum);
    EXPECT_EQ(std::stod(aggregated("mean:b", c.values)), std::stod(c.mean));
    EXPECT_EQ(aggregated("min:b", c.values), c.min);
    EXPECT_EQ(aggregated("max:b", c.values), c.max);
    const std::string var = aggregated("var:b", c.values), dev = aggregated("stddev:b", c.values);
    EXPECT_EQ(var.empty() ? -1 : std::stod(var), *c.var == 0 ? -1 : std::stod(c.var));
    EXPECT_EQ(dev.empty() ? -1 : std::stod(dev), *c.stddev == 0 ? -1 : std::stod(c.stddev));
    EXPECT_EQ(aggregated("mean:b", c.values, {1}), c.rounded_mean);
  }
}

TEST(Aggregates, RoundHalfTowardsPlusInfinity) {
  EXPECT_EQ(aggregated("mean:b", {"0.25"}, {1}), "0.3");
  EXPECT_EQ(aggregated("mean:b", {"-0.25"}, {1}), "-0.2");
  EXPECT_EQ(aggregated("mean:b", {"-0.05"}, {1}), "0.0");
  EXPECT_EQ(aggregated("mean:b", {"0.1", "0.2"}, {1}), "0.2");
  EXPECT_EQ(aggregated("min:b", {"-12.35"}, {1}), "-12.3");
  EXPECT_EQ(aggregated("sum:b", {"5"}, {2}), "5.00");
  EXPECT_EQ(aggregated("sum:b", {"2.5"}, {0}), "3");
  EXPECT_EQ(aggregated("sum:b", {"1e300"}, {1}).size(), 303u);
  EXPECT_EQ(aggregated("stddev:b", {"1", "2"}, {3}), "0.707");
  EXPECT_EQ(aggregated("stddev:b", {"0", "0.5", "-0.5"}, {0}), "1") << "0.5";
  EXPECT_EQ(aggregated("count:b", {"5"}, {2}), "1");
  EXPECT_EQ(json("mean:b", {"1", "2"}, {2}), "1.50");
}

TEST(Aggregates, SumDoublesExactly) {
  EXPECT_EQ(aggregated("sum:b", {"1e300", "1", "-1e300"}), "1");
  EXPECT_EQ(aggregated("sum:b", {"1e300", "0.1", "-1e300"}), "0.1");
  EXPECT_EQ(aggregated("mean:b", {"1e300", "4", "-1e300", "0"}), "1");
  EXPECT_EQ(aggregated("range:b", {"1e-300", "5"}), "5");
  EXPECT_EQ(aggregated("var:b", {"1e300", "1e300", "1e300"}), "0");
  EXPECT_EQ(aggregated("var:b", {"1e200", "-1e200"}).size(), 401u) << "beyond all doubles";
  EXPECT_EQ(aggregated("sum:b", {"1.7e308", "1.7e308"}).size(), 309u);
  EXPECT_EQ(std::strtod(aggregated("sum:b", {"5e-324", "5e-324"}).c_str(), nullptr), 1e-323);
  EXPECT_EQ(std::stod(aggregated("mean:b", {"1.7e308", "1.7e308"})), 1.7e308);
}

TEST(Aggregates, KnowFirstAndLast) {
  const std::string huge(100000, 'h');
  EXPECT_EQ(aggregated("first:b", {"-", "a", "b"}), "a");
  EXPECT_EQ(aggregated("last:b", {"a", "b", ""}), "b");
  EXPECT_EQ(aggregated("last:b", {"a", huge, "exactly fifteen"}), "exactly fifteen");
  EXPECT_EQ(aggregated("last:b", {"a", "sixteen letters.", huge}), huge);
  EXPECT_EQ(json("first:b", {"say \"hi\"\t"}), R"("say \"hi\"\t")");
  EXPECT_EQ(json("first:b", {"\xFF"}), R"({"bytes":"/w=="})");
}

TEST(Aggregates, KnowTheMostFrequent) {
  EXPECT_EQ(aggregated("mode:b", {"x", "y", "y"}), "y");
  EXPECT_EQ(aggregated("mode:b", {"10", "9", "a"}), "9") << "numbers by value, then texts";
  EXPECT_EQ(aggregated("antimode:b", {"x", "y", "y"}), "x");
  EXPECT_EQ(aggregated("top2:b", {"c", "b", "a", "a"}), "a (2), b (1)");
  EXPECT_EQ(json("top2:b", {"c", "b", "a", "a"}),
            R"([{"value":"a","count":2},{"value":"b","count":1}])");
  EXPECT_EQ(aggregated("top9:b", {"c"}), "c (1)");
  EXPECT_EQ(aggregated("unique:b", {"c", "10", "c", "9"}), "9, 10, c");
  EXPECT_EQ(json("unique:b", {"c", "10", "c", "9"}), R"(["9","10","c"])");
  EXPECT_EQ(aggregated("distinct:b", {"c", "10", "c", "9"}), "3");
}

TEST(Aggregates, ListValues) {
  const Texts values = {"c", "10", "-", "c", "", "9"};
  EXPECT_EQ(aggregated("list:b", values), "c,10,c,9");
  EXPECT_EQ(aggregated("list(b, ' | ')", values), "c | 10 | c | 9");
  EXPECT_EQ(json("list(b, ';')", values), R"(["c","10","c","9"])");
  EXPECT_EQ(aggregated("distinct_list:b", values), "9,10,c");
  EXPECT_EQ(aggregated("distinct_list(b, ';')", values), "9;10;c");
  EXPECT_EQ(json("distinct_list:b", values), R"(["9","10","c"])");
  EXPECT_EQ(aggregated("distinct_list:b:duration", {"1h", "x", "2m", "60s", "1m", "2m"}),
            "60,120,3600");
  EXPECT_EQ(aggregated("distinct_list:b:address", {"10.0.0.1", "9.0.0.1"}), "9.0.0.1,10.0.0.1");
  EXPECT_EQ(aggregated("distinct_list:b:10", {"105", "12", "19"}), "10,100");
}

TEST(Aggregates, QuoteListedValuesThatHoldTheSeparator) {
  EXPECT_EQ(aggregated("list:b", {"a,b", "say \"x\"", "a;b", "l\nf"}),
            "\"a,b\",\"say \"\"x\"\"\",a;b,\"l\nf\"");
  EXPECT_EQ(aggregated("distinct_list(b, ';')", {"a,b", "a;b"}), "a,b;\"a;b\"");
  EXPECT_EQ(aggregated("list(b, '::')", {"a:", "b", ":c", "d::e"}), "\"a:\"::b:::c::\"d::e\"");
  EXPECT_EQ(aggregated("list(b, 'aba')", {"ab", "xaba", "b"}), "\"ab\"aba\"xaba\"abab");
}

TEST(Aggregates, CountSessions) {
  EXPECT_EQ(aggregated("sessions(b, 2)", {"5", "1", "3", "8", "x"}), "2");
  EXPECT_EQ(aggregated("sessions(b, 0)", {"5", "5", "5.0", "5.01"}), "2");
  EXPECT_EQ(aggregated("sessions(b, 3)", {"1e300", "-1e300", "1e300"}), "2");
  EXPECT_EQ(aggregated("sessions(b, 1.7e308)", {"1.7e308", "-1.7e308"}), "2") << "overflows";
  EXPECT_EQ(aggregated("sessions(b, 5)", {"5"}, {2}), "1");
}

TEST(Aggregates, FindMedianDeviations) {
  EXPECT_EQ(aggregated("mad:b", {"1", "1", "2", "2", "4", "6", "9"}), "1");
  EXPECT_EQ(aggregated("mad:b", {"1", "2", "4", "9.5"}), "1.5");
  EXPECT_EQ(aggregated("mad:b", {"7"}), "0");
  EXPECT_EQ(aggregated("mad:b", {"7", "7.1"}), "0.05");
  EXPECT_EQ(aggregated("mad:b", {"1e300", "-1e300"}).size(), 301u);
}

TEST(Aggregates, CountByRanges) {
  EXPECT_EQ(aggregated("hist:b", {"0", "1", "3", "2", "1000", "x"}),
            "0 (1), 1 (1), 2 (2), 512 (1)");
  EXPECT_EQ(aggregated("hist:b:100", {"5", "105", "199", "-"}), "0 (1), 100 (2)");
  EXPECT_EQ(json("hist:b", {"4"}), R"([{"value":"4","count":1}])");
}

TEST(Aggregates, FindQuantilesThatOccur) {
  const Texts four = {"4", "1", "3", "2"};
  EXPECT_EQ(aggregated("p0:b", four), "1");
  EXPECT_EQ(aggregated("p25:b", four), "1");
  EXPECT_EQ(aggregated("p25.1:b", four), "2");
  EXPECT_EQ(aggregated("p50:b", four), "2");
  EXPECT_EQ(aggregated("p100:b", four), "4");
  EXPECT_EQ(aggregated("median:b", four), "2.5");
  EXPECT_EQ(aggregated("median:b", {"0.1", "7", "100"}), "7");
  EXPECT_EQ(aggregated("median:b", {"0.1", "0.2"}), "0.15");
  EXPECT_EQ(aggregated("median:b", {"1e300", "-1e300"}), "0");
  EXPECT_EQ(aggregated("p99:b", {"-0.5", "10", "2.25"}), "10");
}

TEST(Aggregates, OrderByTheirResults) {
  const AggregateRun run({"mean:b", "mode:b", "distinct:b", "median:b"});
  const Texts ascending[] = {{}, {"-1e300"}, {"-5"}, {"-0.5"}, {"0"}, {"0.25"}, {"7"}, {"1e300"}};
  for (i64 column : {0, 1, 3}) {
    for (size_t i = 1; i < std::size(ascending); ++i) {
      EXPECT_LT(run.rank(column, run.folded(records_of(ascending[i - 1]))),
                run.rank(column, run.folded(records_of(ascending[i]))))
          << column << " " << i;
    }
  }
  const AggregateRun texts({"first:b", "last:b", "mode:b"});
  const Texts values[] = {{}, {"-5"}, {"9"}, {"10"}, {"1e30"}, {"/a"}, {"a"}, {"b"}, {"\xFF"}};
  for (i64 column : {0, 1, 2}) {
    for (size_t i = 1; i < std::size(values); ++i) {
      EXPECT_LT(texts.rank(column, texts.folded(records_of(values[i - 1]))),
                texts.rank(column, texts.folded(records_of(values[i]))))
          << column << " " << i;
    }
  }
}

TEST(Aggregates, HaveALineOfHelpEach) {
  for (const AggregateHelp &help : aggregate_help()) EXPECT_LT(std::string(help.what).size(), 70u);
  EXPECT_EQ(aggregate_names().front(), "count");
}

TEST(Aggregates, AreInTheManual) {
  std::ifstream page(MRC_SOURCE_DIR "/man/mrc-aggregates.7");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (std::string name : aggregate_names()) {
    const size_t n = name.find('N');
    if (n != std::string::npos) {
      name = name.substr(0, n) + " Ns Ar N" +
             (name.ends_with('N') ? "" : std::string(" Ns Cm ") + name.back());
    }
    const bool found = text.find(".It Cm " + name) != std::string::npos ||
                       text.find(" , Cm " + name + "\n") != std::string::npos;
    EXPECT_TRUE(found) << name;
  }
}

}  // namespace
}  // namespace mrc
