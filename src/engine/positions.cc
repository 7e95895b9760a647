#include "engine/inner/positions.h"

#include "engine/engine.h"
#include "output/encode.h"

#include <fmt/format.h>

namespace mrc {
namespace {

class PositionWriter {
 public:
  PositionWriter(const PositionNames &names, Notation notation, std::string *out)
      : names_(names), json_(notation == Notation::json), out_(out) {}

  void begin() {
    if (json_) out_->push_back(inputs_only_ ? '[' : '{');
  }
  // Writes the next positions, which ascend.
  void add(std::span<const u64> values) {
    for (const u64 value : values) {
      if (source_of(value) != source_) begin_source(source_of(value));
      if (!inputs_only_) add_number(number(value));
    }
  }
  void end() {
    end_source();
    if (json_) out_->push_back(inputs_only_ ? ']' : '}');
  }

 private:
  void begin_source(i64 source) {
    end_source();
    if (source_ >= 0) out_->push_back(json_ ? ',' : ' ');
    source_ = source;
    before_ = -1;
    name(source);
    if (inputs_only_) return;
    if (json_ || names_.sources.size() > 1) out_->push_back(':');
    if (json_) out_->push_back('[');
  }
  void end_source() {
    if (json_ && !inputs_only_ && source_ >= 0) out_->push_back(']');
  }
  void name(i64 source) {
    const Source &of = names_.sources[static_cast<size_t>(source)];
    if (json_) return json_name(of.path);
    if (names_.sources.size() > 1 || inputs_only_) out_->append(of.path);
  }

  // Writes the path as the name of a member, which must be a string even if the path is not UTF-8.
  void json_name(const std::string &path) {
    const size_t start = out_->size();
    append_json(path, out_);
    if (inputs_only_ || (*out_)[start] == '"') return;
    out_->resize(start);
    std::string visible;
    append_visible(path, &visible);
    append_json(visible, out_);
  }

  void add_number(i64 next) {
    if (next == before_) return;  // a line in several chunks has several positions
    if (before_ >= 0) out_->push_back(',');
    before_ = next;
    const fmt::format_int text(next);
    out_->append(text.data(), text.size());
  }

  i64 number(u64 value) const {
    return names_.values == MapSpec::Values::line ? names_.lines.line(value) : offset_of(value);
  }

  const PositionNames &names_;
  const bool json_, inputs_only_ = names_.values == MapSpec::Values::input;
  std::string *out_;
  i64 source_ = -1;  // that of the last position
  i64 before_ = -1;  // the last number in it
};

// Writes the positions of a key, sorted. They cannot be combined.
void stream(const Column &column, const State *own, Notation notation, std::string *out,
            Drain *drain) {
  constexpr size_t kLongText = size_t{64} << 10;
  PositionWriter writer(*static_cast<const PositionNames *>(column.context), notation, out);
  writer.begin();
  reinterpret_cast<const ValueList *>(own)->each_in_order([&](std::span<const u64> values) {
    writer.add(values);
    if (drain != nullptr && out->size() >= kLongText) drain->take(out);
  });
  writer.end();
}

void finish(const Column &column, const State *own, Notation notation, std::string *out) {
  stream(column, own, notation, out, nullptr);
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
  column.stream = stream;
  return {{position_list_part()}, {std::move(column)}, {}};
}

}  // namespace mrc
