#include "engine/inner/positions.h"

#include "engine/engine.h"
#include "output/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace mrc {
namespace {

class PositionWriter {
 public:
  PositionWriter(const PositionNames &names, Notation notation, std::string *out)
      : names_(names), json_(notation == Notation::json), out_(out) {}

  void write(std::vector<u64> *values) {
    values->erase(std::unique(values->begin(), values->end()), values->end());
    const bool inputs_only = names_.values == MapSpec::Values::input;
    if (json_) out_->push_back(inputs_only ? '[' : '{');
    for (size_t at = 0; at < values->size();) {
      const i64 source = source_of((*values)[at]);
      if (at > 0) out_->push_back(json_ ? ',' : ' ');
      name(source);
      size_t end = at + 1;
      while (end < values->size() && source_of((*values)[end]) == source) ++end;
      if (!inputs_only) numbers(std::span(*values).subspan(at, end - at));
      at = end;
    }
    if (json_) out_->push_back(inputs_only ? ']' : '}');
  }

 private:
  void name(i64 source) {
    const Source &of = names_.sources[static_cast<size_t>(source)];
    if (json_) return json_name(of.path);
    if (names_.sources.size() > 1 || names_.values == MapSpec::Values::input) {
      out_->append(of.path);
    }
  }

  // Writes the path as the name of a member, which must be a string even if the path is not UTF-8.
  void json_name(const std::string &path) {
    const size_t start = out_->size();
    append_json(path, out_);
    if (names_.values == MapSpec::Values::input || (*out_)[start] == '"') return;
    out_->resize(start);
    std::string visible;
    append_visible(path, &visible);
    append_json(visible, out_);
  }

  void numbers(std::span<const u64> values) {
    if (json_ || names_.sources.size() > 1) out_->push_back(':');
    if (json_) out_->push_back('[');
    i64 before = -1;
    for (u64 value : values) {
      const i64 next = number(value);
      if (next == before) continue;  // a line in several chunks has several positions
      if (before >= 0) out_->push_back(',');
      before = next;
      fmt::format_int text(next);
      out_->append(text.data(), text.size());
    }
    if (json_) out_->push_back(']');
  }

  i64 number(u64 value) const {
    return names_.values == MapSpec::Values::line ? names_.lines.line(value) : offset_of(value);
  }

  const PositionNames &names_;
  bool json_;
  std::string *out_;
};

// Writes the positions of a key, sorted. They cannot be combined, so reduce gathers them all.
void finish(const Column &column, const State *own, Notation notation, std::string *out) {
  std::vector<u64> values;
  reinterpret_cast<const ValueList *>(own)->gather(&values);
  const auto &names = *static_cast<const PositionNames *>(column.context);
  PositionWriter(names, notation, out).write(&values);
}

u64 rank(const Column &, const State *own) {
  return reinterpret_cast<const ValueList *>(own)->count;
}

}  // namespace

// Shows the positions of a key in the order of the input, without duplicates:
//   text, one input       3,17,90
//   text, several inputs  a.txt:3,17 b.txt:90   (inputs only: a.txt b.txt)
//   json                  {"a.txt":[3,17],"b.txt":[90]}   (["a.txt","b.txt"])
// Bytes are counted from 0, lines from 1. Orders by the number of records.
Aggregation positions_aggregation() {
  Column column{"positions", finish, rank, 0, true, nullptr, true};
  column.positions = true;
  return {{position_list_part()}, {std::move(column)}, {}};
}

}  // namespace mrc
