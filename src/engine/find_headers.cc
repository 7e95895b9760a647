// Finds headers that may be anywhere in a file, such as those of W3C logs.
#include "engine/inner/input_formats.h"
#include "fields/headers.h"
#include "sched/sched.h"

#include <algorithm>

namespace mrc {
namespace {

// Finds the headers that begin in [begin, end) of a file. Ignores read errors.
std::vector<PlacedHeader> headers_in(const Source &of, i64 begin, i64 end, const Dialect &dialect) {
  constexpr i64 kPiece = i64{256} << 10;  // stays in the L2 cache
  Result<InputFile> file = InputFile::open(of);
  if (!file.is_ok()) return {};
  const bool at_line = begin == of.begin;  // otherwise the byte before it shows
  HeaderScan scan(dialect, at_line);
  std::string piece(static_cast<size_t>(kPiece + kPadding), '\0');
  for (i64 at = at_line ? begin : begin - 1; at < end || scan.is_in_header();) {
    const Result<i64> got = file->read_at(at, piece.data(), std::min(kPiece, of.end - at));
    if (!got.is_ok() || *got == 0) break;
    scan.take({piece.data(), static_cast<size_t>(*got)}, at);
    at += *got;
  }
  if (scan.is_in_header()) scan.finish();
  std::vector<PlacedHeader> found = scan.found();
  std::erase_if(found, [&](const PlacedHeader &header) { return header.offset >= end; });
  return found;
}

}  // namespace

void find_headers(const Source &of, i64 workers, Dialect *dialect) {
  constexpr i64 kRange = i64{16} << 20;
  const i64 ranges = (of.end - of.begin + kRange - 1) / kRange;
  std::vector<std::vector<PlacedHeader>> found(static_cast<size_t>(ranges));
  WorkerPool pool(std::min(workers, ranges));
  const Status status = pool.run_each(ranges, [&](i64 i) {
    const i64 begin = of.begin + i * kRange;
    found[static_cast<size_t>(i)] =
        headers_in(of, begin, std::min(begin + kRange, of.end), *dialect);
    return Status::ok();
  });
  static_cast<void>(status.is_ok());
  std::vector<PlacedHeader> all;
  for (const auto &some : found) all.insert(all.end(), some.begin(), some.end());
  set_headers(all, dialect);
}

}  // namespace mrc
