// Rows as plugins get them, and as a job's `format` prints them.
#pragma once

#include "base/arena.h"
#include "combine/combine.h"
#include "map/key_parts.h"
#include "output/output.h"
#include "reduce/reduce.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Rows as plugins get them: keys and cells as texts.

class PluginSession;

// Finishes groups and keeps their texts. Not thread safe.
class RowViews {
 public:
  // `layout` must outlive the views. `notation` is exact if the plugin computes with cells.
  RowViews(const StateLayout &layout, const KeyShape &key, Notation notation)
      : layout_(layout), integer_keys_(!key.is_plain()), notation_(notation) {}

  void add(Bytes key, const State *state);
  // Returns all added rows, valid until the next call of add() or clear().
  mrc_rows rows();
  void clear();

 private:
  mrc_text kept(const std::string &text);

  const StateLayout &layout_;
  bool integer_keys_;
  Notation notation_;
  Arena texts_;
  std::vector<mrc_row> rows_;
  std::vector<mrc_text> cells_;  // of all rows
  std::string text_;
};

// Passes on the groups for which the job's `format` prints something: others are not rows of the
// answer. Calls `format` for each group. Not thread safe.
class PrintedGroups : public GroupFilter {
 public:
  // All arguments must outlive this. `to` may be null if only prints() is called.
  PrintedGroups(const PluginSession &job, const StateLayout &layout, GroupSink *to);

  void take(Bytes key, const State *state) override;
  void flush() override { to_->flush(); }
  bool prints(Bytes key, const State *state);
  i64 dropped() const override { return dropped_; }

 private:
  const PluginSession &job_;
  RowViews views_;
  GroupSink *to_;
  std::string text_;
  i64 dropped_ = 0;
};

// Prints rows by the job's `format`, and its `header` before them if `header` is set. All arguments
// must outlive the formatter.
std::unique_ptr<Formatter> make_plugin_formatter(const PluginSession &job,
                                                 const StateLayout &layout, const RowLayout &rows,
                                                 bool header);

// Splits the lines that a job's `format` prints into columns, for any output format.

class PluginSession;

// Returns the column names that the job's `header` prints, with tabs between them. Empty: it prints
// something else, or there is no header.
std::vector<std::string> names_of_formatted(const PluginSession &job);

// Prints lines of `format`, whose cells have tabs between them, in the format of `shape`. Missing
// cells of a line are empty; text after the last tab that is needed belongs to the last cell. All
// arguments but the names must outlive the formatter.
std::unique_ptr<Formatter> make_formatted_rows(const PluginSession &job, const StateLayout &layout,
                                               const RowLayout &rows, const RowShape &shape,
                                               const std::vector<std::string> &names);

}  // namespace mrc
