#include "kept/merge_partials.h"

#include "record.h"

#include <gtest/gtest.h>

namespace mrc {
namespace {

// A partial of one source, which has states in these partitions.
PartialStates partial_of(const std::string &name, u64 table, std::vector<i64> partitions) {
  PartialStates states;
  states.name = name + ".mrs";
  states.opened.state_bytes = 8;
  Partial &partial = states.opened.partial;
  partial.digest = 1;
  partial.job = "verb count\n";
  partial.tables = {{table, 1}};
  partial.sources = {name};
  PartialPiece &piece = partial.pieces.emplace_back();
  piece.units = {{0, 0, 0, 10, table}};
  for (const i64 partition : partitions) {
    piece.made.set(static_cast<size_t>(partition));
    states.opened.blocks.push_back({.order = RunOrder::key,
                                    .partition_bits = kPartialBits,
                                    .partition = partition,
                                    .records = 1});
  }
  piece.here = piece.made;
  return states;
}

// What a line has of it.
PartialStates line_of(PartialStates states, i64 partition) {
  states.is_line = true;
  for (PartialPiece &piece : states.opened.partial.pieces) {
    PartitionSet only;
    only.set(static_cast<size_t>(partition));
    piece.here &= only;
  }
  std::erase_if(states.opened.blocks, [=](const BlockInfo &b) { return b.partition != partition; });
  return states;
}

std::string error_of(const Status &status) { return status.is_ok() ? "" : status.message(); }

TEST(PartialMerger, SourcesFollowEachOtherInTheOrderOfArguments) {
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, partial_of("b", 2, {1})).is_ok());
  ASSERT_TRUE(merger.take(1, partial_of("a", 1, {1})).is_ok());
  const Result<MergedPartials> merged = merger.finish();
  ASSERT_TRUE(merged.is_ok());
  EXPECT_EQ(merged->whole.sources, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(merged->stretches[0].shift, 0u);
  EXPECT_EQ(merged->stretches[1].shift, position_of(1, 0));
  EXPECT_EQ(merged->whole.pieces[1].units[0].source, 1);
}

TEST(PartialMerger, LinesGiveTheSameInAnyOrder) {
  const PartialStates a = partial_of("a", 1, {1, 2}), b = partial_of("b", 2, {2});
  for (const bool a_first : {true, false}) {
    PartialMerger merger({});
    if (a_first) {
      ASSERT_TRUE(merger.take(0, line_of(a, 1)).is_ok());
    }
    ASSERT_TRUE(merger.take(0, line_of(b, 2)).is_ok());
    if (!a_first) {
      ASSERT_TRUE(merger.take(0, line_of(a, 1)).is_ok());
    }
    ASSERT_TRUE(merger.take(0, line_of(a, 2)).is_ok());
    const Result<MergedPartials> merged = merger.finish();
    ASSERT_TRUE(merged.is_ok()) << merged.status().message();
    EXPECT_EQ(merged->whole.sources, (std::vector<std::string>{"a", "b"}));
  }
}

TEST(PartialMerger, RefusesTheSameUnitsTwice) {
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, partial_of("a", 1, {1})).is_ok());
  const std::string error = error_of(merger.take(1, partial_of("a", 1, {1})));
  EXPECT_EQ(error, "a.mrs: has the same units as a.mrs; once counts them once");
}

TEST(PartialMerger, CountsTheSameUnitsOnceIfAsked) {
  PartialMerger merger({.once = true});
  ASSERT_TRUE(merger.take(0, partial_of("a", 1, {1, 2})).is_ok());
  ASSERT_TRUE(merger.take(1, partial_of("a", 1, {1, 2})).is_ok());
  const Result<MergedPartials> merged = merger.finish();
  ASSERT_TRUE(merged.is_ok());
  EXPECT_EQ(merged->stretches[0].blocks.size(), 2u);
  EXPECT_TRUE(merged->stretches[1].blocks.empty());
  EXPECT_EQ(merged->whole.pieces.size(), 1u);
  EXPECT_EQ(merged->notes.size(), 1u);
}

TEST(PartialMerger, RefusesUnitsThatAreInOthersInPart) {
  PartialMerger merger({.once = true});
  PartialStates both = partial_of("b", 2, {1});
  Partial &partial = both.opened.partial;
  partial.tables.push_back({1, 1});
  partial.sources.push_back("a");
  partial.pieces.push_back(partial_of("a", 1, {1}).opened.partial.pieces[0]);
  partial.pieces.back().units[0].source = 1;
  ASSERT_TRUE(merger.take(0, partial_of("a", 1, {1})).is_ok());
  EXPECT_NE(error_of(merger.take(1, std::move(both))).find("leave one of them out"),
            std::string::npos);
}

TEST(PartialMerger, RefusesWholesThatAreUnitsElsewhere) {
  PartialStates whole = partial_of("a", 1, {1}), units = partial_of("a", 2, {1});
  whole.opened.partial.pieces[0].units = {{0, 0, 0, 10, 77}};
  units.opened.partial.pieces[0].units = {{0, 0, 0, 4, 70}, {1, 0, 4, 10, 7}};
  units.name = "units";
  for (const u64 content : {7, 8}) {
    units.opened.partial.pieces[0].units[1].content = content;
    PartialMerger merger({.once = true});
    ASSERT_TRUE(merger.take(0, whole).is_ok());
    ASSERT_TRUE(merger.take(1, units).is_ok());
    const Status status = merger.finish().status();
    EXPECT_EQ(status.is_ok(), content == 8);
    if (content == 7) {
      EXPECT_EQ(status.message(),
                "units: has input that is in a.mrs too: a; leave one of them out");
    }
  }
}

// The partial of one unit of a list, with states in one partition.
PartialStates unit_of(u64 list, i64 units, i64 number, i64 partition = 1) {
  PartialStates states = partial_of("a", list, {partition});
  Partial &partial = states.opened.partial;
  partial.tables[0].units = units;
  partial.pieces[0].units[0] = {number, 0, number * 10, number * 10 + 10, list};
  return states;
}
Result<MergedPartials> merge_units(MergeTerms terms, const std::vector<i64> &numbers) {
  PartialMerger merger(terms);
  for (const i64 number : numbers) {
    if (Status status = merger.take(0, unit_of(1, 12, number)); !status.is_ok()) return status;
  }
  return merger.finish();
}

TEST(PartialMerger, NamesUnitsThatDoNotCome) {
  const Result<MergedPartials> merged = merge_units({}, {5, 0, 1, 9, 8, 11});
  ASSERT_TRUE(merged.is_ok());
  EXPECT_EQ(merged->missing,
            std::vector<std::string>{"a.mrs: units 2-4, 6-7, 10 of its list of 12 are missing; map "
                                     "them, or leave them out with partial-ok"});
  EXPECT_TRUE(merged->notes.empty());
  const Result<MergedPartials> one =
      merge_units({.once = true}, {0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10});
  ASSERT_TRUE(one.is_ok());
  EXPECT_EQ(one->missing, std::vector<std::string>{
                              "a.mrs: unit 11 of its list of 12 is missing; map it, or leave "
                              "it out with partial-ok"});
}

TEST(PartialMerger, MissesNoUnitIfAllAreThere) {
  EXPECT_TRUE(merge_units({}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})->missing.empty());
}

TEST(PartialMerger, NotesUnitsThatAreLeftOutOnPurposeOrMayBeElsewhere) {
  for (const bool some : {false, true}) {
    const Result<MergedPartials> merged =
        merge_units({.some_partitions = some, .partial_ok = !some}, {0, 11});
    ASSERT_TRUE(merged.is_ok());
    EXPECT_TRUE(merged->missing.empty());
    EXPECT_EQ(merged->notes,
              std::vector<std::string>{std::string("a.mrs: units 1-10 of its list of 12 ") +
                                       (some ? "have no states in these partitions, or are missing"
                                             : "are missing and left out")});
  }
}

TEST(PartialMerger, MergesOfMergesStillMissUnits) {
  Result<MergedPartials> first = merge_units({}, {0, 1, 2});
  ASSERT_TRUE(first.is_ok());
  PartialStates states = partial_of("b", 1, {1});
  states.opened.partial = first->whole;
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, states).is_ok());
  ASSERT_TRUE(merger.take(1, unit_of(1, 12, 3)).is_ok());
  const Result<MergedPartials> all = merger.finish();
  ASSERT_TRUE(all.is_ok());
  ASSERT_EQ(all->missing.size(), 1u);
  EXPECT_NE(all->missing[0].find("units 4-11 of its list of 12"), std::string::npos);
}

TEST(PartialMerger, EachListMissesItsOwn) {
  PartialMerger merger({});
  PartialStates other = unit_of(2, 2, 1);
  other.opened.partial.sources = {"b"};
  ASSERT_TRUE(merger.take(0, unit_of(1, 1, 0)).is_ok());
  ASSERT_TRUE(merger.take(1, std::move(other)).is_ok());
  const Result<MergedPartials> merged = merger.finish();
  ASSERT_TRUE(merged.is_ok());
  ASSERT_EQ(merged->missing.size(), 1u);
  EXPECT_NE(merged->missing[0].find("unit 0 of its list of 2 is missing"), std::string::npos);
}

TEST(PartialMerger, PartitionsThatAreNamedMustBeThere) {
  const PartialStates a = partial_of("a", 1, {1, 2, 7});
  for (const size_t named : {2, 7}) {
    PartitionSet only;
    only.set(named);
    PartialMerger merger({.only = only});
    ASSERT_TRUE(merger.take(0, line_of(a, 2)).is_ok());
    EXPECT_EQ(merger.finish().is_ok(), named == 2);
  }
}

TEST(PartialMerger, MissesPartitionsThatDoNotCome) {
  const PartialStates a = partial_of("a", 1, {1, 2, 7});
  for (const bool some : {false, true}) {
    PartialMerger merger({.some_partitions = some});
    ASSERT_TRUE(merger.take(0, line_of(a, 2)).is_ok());
    const Status status = merger.finish().status();
    EXPECT_EQ(status.is_ok(), some);
    if (!some) {
      EXPECT_NE(status.message().find("partitions 1, 7 are missing"), std::string::npos);
    }
  }
}

TEST(PartialMerger, PartitionsThatWereMergedElsewhereMakeAWhole) {
  const PartialStates a = partial_of("a", 1, {1, 2});
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, line_of(a, 2)).is_ok());
  ASSERT_TRUE(merger.take(1, line_of(a, 1)).is_ok());
  EXPECT_TRUE(merger.finish().is_ok());
}

TEST(PartialMerger, RefusesOtherJobsAndSaysWhatDiffers) {
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, partial_of("a", 1, {1})).is_ok());
  PartialStates other = partial_of("b", 2, {1});
  other.opened.partial.digest = 2;
  other.opened.partial.job = "verb count\n--key x\n";
  EXPECT_EQ(error_of(merger.take(1, std::move(other))),
            "b.mrs: is a partial of another job than a.mrs: it has \"--key x\"");
}

TEST(PartialMerger, InputsInTwoOrdersHaveNoOneShift) {
  PartialStates one = partial_of("a", 1, {1}), two = partial_of("c", 3, {1});
  one.opened.partial.tables.push_back({2, 1});
  one.opened.partial.sources.push_back("b");
  two.opened.partial.tables.push_back({2, 1});
  two.opened.partial.sources.push_back("b");
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, std::move(one)).is_ok());
  ASSERT_TRUE(merger.take(1, std::move(two)).is_ok());
  const Result<MergedPartials> merged = merger.finish();
  ASSERT_TRUE(merged.is_ok());
  EXPECT_TRUE(merged->stretches[0].shift.has_value());
  EXPECT_FALSE(merged->stretches[1].shift.has_value());
}

// The same with rows, of which it may have only some.
PartialStates rows_of(const std::string &name, u64 table, PartialRanges ranges) {
  PartialStates states = partial_of(name, table, {0});
  states.opened.partial.ranges = std::move(ranges);
  return states;
}

TEST(PartialMerger, RefusesRowsInOtherRanges) {
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, rows_of("a", 1, {-1, {"m"}})).is_ok());
  EXPECT_EQ(
      error_of(merger.take(1, rows_of("b", 2, {-1, {"n"}}))),
      "b.mrs: is divided into other ranges than a.mrs; list all units at once, with splitters");
  EXPECT_FALSE(merger.take(1, rows_of("b", 2, {-1, {}})).is_ok());
  EXPECT_FALSE(merger.take(1, partial_of("b", 2, {0})).is_ok());
  EXPECT_TRUE(merger.take(1, rows_of("b", 2, {-1, {"m"}})).is_ok());
}

TEST(PartialMerger, HasNoMoreRowsThanThePartialWithTheFewest) {
  PartialMerger merger({});
  ASSERT_TRUE(merger.take(0, rows_of("a", 1, {-1, {}})).is_ok());
  ASSERT_TRUE(merger.take(1, rows_of("b", 2, {5, {}})).is_ok());
  ASSERT_TRUE(merger.take(2, rows_of("c", 3, {9, {}})).is_ok());
  const Result<MergedPartials> merged = merger.finish();
  ASSERT_TRUE(merged.is_ok());
  EXPECT_EQ(merged->whole.ranges, (PartialRanges{5, {}}));
}

TEST(PartialMerger, ARangeMayHaveLostItsRows) {
  PartialStates states = rows_of("a", 1, {2, {"m"}});
  states.opened.partial.pieces[0].made.set(1);
  states.opened.partial.pieces[0].here.set(1);
  PartialMerger merger({});
  EXPECT_TRUE(merger.take(0, std::move(states)).is_ok());
}

TEST(PartialMerger, TheHeaderIsThatOfTheFirstSourceThatHasOneAndGoesWithTheFirstRange) {
  PartialStates a = rows_of("a", 1, {-1, {"m"}}), b = rows_of("b", 2, {-1, {"m"}});
  b.opened.partial.tables[0].header = Dialect{.names = {"x"}};
  for (const size_t partition : {0, 1}) {
    PartialMerger merger({.some_partitions = true});
    for (PartialStates *states : {&a, &b}) {
      PartialPiece &piece = states->opened.partial.pieces[0];
      piece.made.set(1);
      piece.here.reset();
      piece.here.set(partition);
      states->opened.blocks.clear();
      ASSERT_TRUE(merger.take(0, *states).is_ok());
    }
    const Result<MergedPartials> merged = merger.finish();
    ASSERT_TRUE(merged.is_ok());
    const Dialect *header = merged->header();
    ASSERT_EQ(header != nullptr, partition == 0);
    if (header != nullptr) {
      EXPECT_EQ(header->names, std::vector<std::string>{"x"});
    }
  }
}

}  // namespace
}  // namespace mrc
