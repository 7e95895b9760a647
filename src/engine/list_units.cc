// Units begin and end where records do: to map one, a worker needs to see nothing before it. With
// quotes, whether a line end is in them depends on all that lies before it, and so it is with the
// braces of JSON, so that states are followed from the front. A quote that nothing closes is the
// same byte for the whole input and for its last unit: no unit begins after it.
#include "engine/list_units.h"

#include "base/text.h"
#include "engine/input_formats.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kPiece = i64{1} << 20;

// Reads a file in pieces.
class Pieces {
 public:
  explicit Pieces(const Source &source) : source_(source) {}

  Status open() {
    Result<InputFile> file = InputFile::open(source_);
    if (file.is_ok()) file_ = std::move(*file);
    return file.is_ok() ? Status::ok() : file.status();
  }
  // What lies at `at`, up to a piece; it may be over-read by kPadding.
  Result<Bytes> read(i64 at) {
    const i64 size = std::min(kPiece, source_.end - at);
    buffer_.resize(static_cast<size_t>(size + kPadding));
    const Result<i64> got = file_.read_at(at, buffer_.data(), size);
    if (!got.is_ok()) return got.status();
    if (*got == size) return Bytes(buffer_).substr(0, static_cast<size_t>(size));
    return Status::error(source_.name() + ": has become shorter while its units were listed");
  }

 private:
  const Source &source_;
  InputFile file_;
  std::string buffer_;
};

using Borders = std::vector<i64>;

// After the first byte at `unit_bytes` or more of each unit that ends a record. `find(begin, end,
// offset, at_end)` is as LineGroups::first(), for bytes at an offset of the source.
template <typename Find>
Result<Borders> borders_by(const Source &source, i64 unit_bytes, Find find) {
  Borders borders;
  Pieces pieces(source);
  if (Status status = pieces.open(); !status.is_ok()) return status;
  for (i64 at = source.begin + unit_bytes - 1; at < source.end;) {
    const Result<Bytes> piece = pieces.read(at);
    if (!piece.is_ok()) return piece.status();
    const char *begin = piece->data(), *end = begin + piece->size();
    const bool at_end = at + std::ssize(*piece) >= source.end;
    const LineGroups::Found found = find(begin, end, at - source.begin, at_end);
    if (found.cut == nullptr) {
      at += found.rest - begin;
      continue;
    }
    borders.push_back(at + (found.cut - begin) + 1);
    at = borders.back() + unit_bytes - 1;
  }
  return borders;
}

Result<Borders> plain_borders(const Source &source, const CutBytes &cuts, i64 unit_bytes) {
  return borders_by(source, unit_bytes, [&](const char *begin, const char *end, i64 offset, bool) {
    return LineGroups::Found{cuts.first(begin, end, offset), end};
  });
}

Result<Borders> grouped_borders(const Source &source, const LineGroups &groups, i64 unit_bytes) {
  return borders_by(source, unit_bytes, [&](const char *begin, const char *end, i64, bool at_end) {
    return groups.first(begin, end, end, at_end);
  });
}

// The borders of text whose records end where all that is before tells.
Result<Borders> scanned_borders(const Source &source, const CutRule &rule, i64 unit_bytes) {
  Borders borders;
  Pieces pieces(source);
  if (Status status = pieces.open(); !status.is_ok()) return status;
  CutState state = rule.begin();
  i64 wanted = source.begin + unit_bytes - 1;  // the next border is after this byte or a later one
  for (i64 at = source.begin; at < source.end;) {
    const Result<Bytes> piece = pieces.read(at);
    if (!piece.is_ok()) return piece.status();
    const char *begin = piece->data(), *end = begin + piece->size(), *p = begin;
    if (at == 0 && piece->starts_with(kByteOrderMark)) p += kByteOrderMark.size();
    while (p < end) {
      const char *target = begin + std::clamp<i64>(wanted - at, p - begin, end - begin);
      if (target > p) state = rule.pass(state, p, target).state;
      p = target;
      if (p == end) break;
      const CutSkim seen = rule.first(state, p, end);
      state = seen.state;
      if (seen.end == nullptr) break;
      p = seen.end + 1;
      state = {};
      borders.push_back(at + (p - begin));
      wanted = borders.back() + unit_bytes - 1;
    }
    at += std::ssize(*piece);
  }
  return borders;
}

Result<Borders> borders_of(const Program &program, const Plan &plan, i64 source, i64 unit_bytes) {
  const Source &of = plan.sources[static_cast<size_t>(source)];
  const std::optional<CutRule> rule =
      plan.readers ? cut_rule_of(*plan.readers, source) : std::nullopt;
  if (rule) return scanned_borders(of, *rule, unit_bytes);
  const LineGroups groups = plan.readers ? groups_of(*plan.readers, source) : LineGroups();
  if (groups) return grouped_borders(of, groups, unit_bytes);
  const std::unique_ptr<const Stage> stage = program.stage->make(program);
  return plain_borders(of, cuts_of(program, *stage), unit_bytes);
}

// An empty file is no stream.
bool is_file(const Source &source) {
  struct stat info;
  if (source.path == "-") return false;
  return !source.stream || source.codec != Codec::none ||
         (stat(source.path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0);
}

void add_unit(i64 source, i64 begin, i64 end, UnitList *list) {
  if (end > begin) list->units.push_back({std::ssize(list->units), source, begin, end});
}

Status add_input(const Program &program, const Plan &plan, i64 i, i64 unit_bytes, UnitList *list) {
  const Source &source = plan.sources[static_cast<size_t>(i)];
  if (!is_file(source)) {
    return Status::error(source.name() + ": is no file, of which others could read units");
  }
  UnitList::Input input{source.path, source.codec != Codec::none, std::nullopt};
  if (plan.readers && input.packed) {
    Result<Dialect> dialect = dialect_of_packed(program, source, i);
    Status status =
        dialect.is_ok() ? InputReaders(*plan.readers).set(i, *dialect) : dialect.status();
    if (!status.is_ok()) return status.within(source.name());
    input.dialect = std::move(*dialect);
  } else if (plan.readers && plan.readers->dialect(i) != nullptr) {
    input.dialect = *plan.readers->dialect(i);
  }
  if (input.dialect) input.dialect->reason.clear();
  list->inputs.push_back(std::move(input));
  if (source.codec != Codec::none) {
    add_unit(i, 0, source.packed_bytes, list);
    return Status::ok();
  }
  const Result<Borders> borders = borders_of(program, plan, i, unit_bytes);
  if (!borders.is_ok()) return borders.status();
  i64 begin = source.begin;
  for (const i64 border : *borders) add_unit(i, std::exchange(begin, border), border, list);
  add_unit(i, begin, source.end, list);
  return Status::ok();
}

}  // namespace

Result<UnitList> list_units(const Program &program, i64 unit_bytes) {
  const Plan plan = make_plan(program);
  if (!plan.unreadable.empty()) return Status::error(plan.unreadable.front());
  if (!plan.problem.is_ok()) return plan.problem;
  UnitList list;
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    Status status = add_input(program, plan, i, unit_bytes, &list);
    if (!status.is_ok()) return status;
  }
  if (list.units.empty()) list.units.push_back({0, 0, 0, 0});  // so that there is an answer
  return list;
}

}  // namespace mrc
