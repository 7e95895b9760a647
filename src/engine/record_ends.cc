#include "engine/inner/record_ends.h"

#include "base/text.h"
#include "engine/inner/input_formats.h"
#include "fields/csv.h"

#include <algorithm>

namespace mrc {
namespace {

// Returns the position after the last whole record among the fresh bytes.
Result<i64> end_of_records(const CutBytes &cuts, const Source &source) {
  constexpr i64 kPiece = i64{64} << 10;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string piece;
  for (i64 end = source.end; end > source.fresh();) {
    const i64 begin = std::max(source.fresh(), end - kPiece);
    piece.resize(static_cast<size_t>(end - begin));
    Result<i64> got = file->read_at(begin, piece.data(), std::ssize(piece));
    if (!got.is_ok()) return got.status();
    const char *last = cuts.last(piece.data(), piece.data() + *got, begin - source.begin);
    if (last != nullptr) return begin + (last - piece.data()) + 1;
    end = begin;
  }
  return source.fresh();
}

// Does what end_of_records() does for records whose quotes may contain line ends: follows the
// quotes from the front.
Result<i64> end_of_quoted_records(const Source &source, CsvBytes bytes) {
  constexpr i64 kPiece = i64{1} << 20;
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string piece;
  CsvState state = CsvState::field;
  i64 end = source.fresh();
  for (i64 at = end; at < source.end;) {
    piece.resize(static_cast<size_t>(std::min(kPiece, source.end - at) + kPadding));
    Result<i64> got = file->read_at(at, piece.data(), std::ssize(piece) - kPadding);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    const i64 mark = at == 0 && Bytes(piece).starts_with(kByteOrderMark) ? 3 : 0;
    const CsvSkim seen = best_csv_scanner().skim(state, piece.data() + std::min(mark, *got),
                                                 piece.data() + *got, bytes);
    if (seen.end != nullptr) end = at + (seen.end - piece.data()) + 1;
    state = seen.state;
    at += *got;
  }
  return end;
}

}  // namespace

Result<i64> end_of_whole_records(const CutBytes &cuts, const Plan &plan, i64 i) {
  const Source &source = plan.sources[static_cast<size_t>(i)];
  const std::optional<CsvBytes> quotes = plan.readers ? quotes_of(*plan.readers, i) : std::nullopt;
  return quotes ? end_of_quoted_records(source, *quotes) : end_of_records(cuts, source);
}

}  // namespace mrc
