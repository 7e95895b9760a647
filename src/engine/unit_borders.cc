// Units begin and end with records: to map a unit, a worker needs nothing before it. With quotes or
// braces of JSON, the meaning of a line end depends on all bytes before it, so the state is
// followed from the front. After a quote that is never closed, no unit begins, so it means the same
// to a worker that reads the last unit as to one that reads the whole input.
#include "engine/inner/unit_borders.h"

#include "base/text.h"
#include "engine/inner/input_formats.h"

#include <algorithm>
#include <memory>
#include <optional>

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
  // Returns the bytes at `at`, up to one piece; kPadding bytes after them may be read.
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

// Puts a border after the first record end that is at least `unit_bytes` after the previous border.
// `find(begin, end, offset, at_end)` is like LineGroups::first(), for bytes at an offset of the
// source.
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

// Finds borders if ends of records depend on all bytes before them.
Result<Borders> scanned_borders(const Source &source, const CutRule &rule, i64 unit_bytes) {
  Borders borders;
  Pieces pieces(source);
  if (Status status = pieces.open(); !status.is_ok()) return status;
  CutState state = rule.begin();
  i64 wanted = source.begin + unit_bytes - 1;  // the next border is at least after this byte
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

}  // namespace

Result<std::vector<i64>> find_borders(const Program &program, const Plan &plan, i64 source,
                                      i64 unit_bytes) {
  const Source &of = plan.sources[static_cast<size_t>(source)];
  const std::optional<CutRule> rule =
      plan.readers ? cut_rule_of(*plan.readers, source) : std::nullopt;
  if (rule) return scanned_borders(of, *rule, unit_bytes);
  const LineGroups groups = plan.readers ? groups_of(*plan.readers, source) : LineGroups();
  if (groups) return grouped_borders(of, groups, unit_bytes);
  const std::unique_ptr<const Stage> stage = program.stage->make(program);
  return plain_borders(of, cuts_of(program, *stage), unit_bytes);
}

}  // namespace mrc
