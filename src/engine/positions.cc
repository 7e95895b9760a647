#include "engine/positions.h"

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
    if (json_) return append_json(of.path, out_);
    if (names_.sources.size() > 1 || names_.values == MapSpec::Values::input) {
      append_tsv(of.path, out_);
    }
  }

  void numbers(std::span<const u64> values) {
    if (json_ || names_.sources.size() > 1) out_->push_back(':');
    if (json_) out_->push_back('[');
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_->push_back(',');
      fmt::format_int text(number(values[i]));
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

// Reduce, for values that cannot be combined: all of a key's, contiguous, in order.
void finish(const void *context, const State *state, Notation notation, std::string *out) {
  std::vector<u64> values;
  reinterpret_cast<const ValueList *>(state)->gather(&values);
  const auto &names = *static_cast<const PositionNames *>(context);
  PositionWriter(names, notation, out).write(&values);
}

}  // namespace

const Reducer kPositions = positions_reducer(nullptr);

Reducer positions_reducer(const PositionNames *names) {
  return {.name = "positions",
          .state_bytes = sizeof(ValueList),
          .add = value_list::add,
          .merge = value_list::merge,
          .finish = finish,
          .rank = value_list::rank,
          .save = value_list::save,
          .load = value_list::load,
          .context = names};
}

}  // namespace mrc
