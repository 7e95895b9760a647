// Aggregates as the engine runs them, on records of one or two fields made in a test.
#pragma once

#include "base/number.h"
#include "combine/aggregates.h"
#include "combine/value_runs.h"
#include "unit/map/padded_text.h"

#include <gtest/gtest.h>

#include <deque>
#include <optional>

namespace mrc {

struct TestRecord {
  std::optional<std::string> value;  // of the field; unset: missing
  u64 position = 0;
  std::optional<std::string> second = {};  // of the field g
};

// Records in their order, at positions 10, 20, ...
inline std::vector<TestRecord> records_of(const std::vector<std::string> &values) {
  std::vector<TestRecord> records;
  for (const std::string &value : values) records.push_back({value, 10 * (records.size() + 1)});
  return records;
}

class AggregateRun {
 public:
  // A state with an arena that it may own memory of.
  struct Folded {
    std::vector<u64> words;
    std::shared_ptr<Arena> arena = std::make_shared<Arena>();
    std::vector<std::shared_ptr<Arena>> others = {};  // of states that were merged into it

    State *state() { return reinterpret_cast<State *>(words.data()); }
    const State *state() const { return reinterpret_cast<const State *>(words.data()); }
  };

  // `runs`: where values go that are too many, if any are.
  explicit AggregateRun(const std::vector<std::string> &names, NumberStyle style = {},
                        ValueRuns *runs = nullptr) {
    Aggregation aggregation;
    for (const std::string &name : names) {
      const Status status = add(name, style, &aggregation);
      EXPECT_TRUE(status.is_ok()) << status.message();
    }
    parts_ = std::ssize(aggregation.parts);
    layout_ = std::make_unique<StateLayout>(std::move(aggregation), runs);
  }

  const StateLayout &layout() const { return *layout_; }
  i64 parts() const { return parts_; }
  const std::vector<ValueColumn> &columns() const { return columns_; }

  Folded empty() const {
    return {std::vector<u64>(static_cast<size_t>(layout_->state_bytes()) / 8 + 1)};
  }

  void add(const std::vector<TestRecord> &records, Folded *into) const {
    std::deque<PaddedText> texts;  // gone when the batch is: states must not keep them
    std::deque<mrc_text> long_texts;
    Arena wide;
    std::vector<u64> words;
    for (const TestRecord &record : records) {
      for (const ValueColumn &column : columns_) {
        words.push_back(word_of(column, record, &texts, &long_texts, &wide));
      }
    }
    const std::vector<State *> states(records.size(), into->state());
    layout_->add(states.data(), {words.data(), std::ssize(columns_)}, std::ssize(records),
                 into->arena.get());
  }

  Folded folded(const std::vector<TestRecord> &records) const {
    Folded state = empty();
    add(records, &state);
    return state;
  }

  void merge(Folded *into, Folded from) const {
    State *a = into->state(), *b = from.state();
    layout_->merge(&a, &b, 1, into->arena.get());
    into->others.push_back(from.arena);
    into->others.insert(into->others.end(), from.others.begin(), from.others.end());
  }

  std::string saved(const Folded &from) const {
    std::string bytes;
    layout_->save(from.state(), &bytes);
    return bytes;
  }
  // As a state comes back from a run: its own bytes and what was saved.
  Folded reloaded(const Folded &from) const {
    Folded loaded{from.words};
    const std::string bytes = saved(from);
    const auto exact = std::make_unique<char[]>(bytes.size());  // without padding
    bytes.copy(exact.get(), bytes.size());
    if (!layout_->is_flat()) {
      layout_->load(loaded.state(), {exact.get(), bytes.size()}, loaded.arena.get());
    }
    return loaded;
  }

  std::string shown(i64 column, const Folded &state, Notation notation = Notation::text) const {
    std::string out;
    layout_->finish(column, state.state(), notation, &out);
    return out;
  }
  u64 rank(i64 column, const Folded &state) const { return layout_->rank(column, state.state()); }

 private:
  // A call in parentheses is an expression.
  Status add(const std::string &name, NumberStyle style, Aggregation *aggregation) {
    const Clock clock;
    if (name.find('(') == name.npos) {
      return add_aggregate(name, clock, style, &columns_, aggregation);
    }
    const Result<Expression> parsed = parse_expression(name, {clock, {}, is_aggregate});
    if (!parsed.is_ok()) return parsed.status();
    return add_aggregate(*parsed, name, clock, style, &columns_, aggregation);
  }

  static u64 word_of(const ValueColumn &column, const TestRecord &record,
                     std::deque<PaddedText> *texts, std::deque<mrc_text> *long_texts, Arena *wide) {
    if (column.kind == ValueColumn::Kind::position) return record.position;
    const bool number = column.kind == ValueColumn::Kind::number;
    const std::optional<std::string> &given =
        column.expr.text == "g" ? record.second : record.value;
    std::string value = given.value_or("");
    bool missing = !given;
    if (column.expr.bucket != nullptr && !missing) {
      const PaddedText padded(value);
      value.clear();
      missing = !column.expr.bucket->append(padded.text(), &value);
    }
    if (missing) return number ? kNoNumber : 0;
    const Bytes text = texts->emplace_back(value, 'x').text();
    return number ? parse_number(text, wide)
                  : mrc_text_word(&long_texts->emplace_back(mrc_text{text.data(), text.size()}));
  }

  std::vector<ValueColumn> columns_;
  std::unique_ptr<StateLayout> layout_;
  i64 parts_ = 0;
};

// What one aggregate makes of values, as text.
inline std::string aggregated(const std::string &name, const std::vector<std::string> &values,
                              NumberStyle style = {}, Notation notation = Notation::text) {
  const AggregateRun run({name}, style);
  return run.shown(0, run.folded(records_of(values)), notation);
}

}  // namespace mrc
