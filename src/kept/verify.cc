#include "kept/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

// Returns how many blocks each run must have at least.
std::map<i64, i64> blocks_of_runs(const Manifest &manifest) {
  std::map<i64, i64> blocks;
  for (const i64 run : manifest.parts) blocks[run] = 0;
  for (const KeptSource &source : manifest.sources) {
    for (const KeptTile &tile : source.tiles) {
      if (tile.run < 0) continue;
      i64 &least = blocks[tile.run];
      least = std::max(least, tile.first_block + tile.blocks);
    }
  }
  return blocks;
}

Status verify_run(const RunFile &file, i64 least_blocks, Pages *pages, Verified *verified) {
  const Result<RunReader> reader = RunReader::open(&file);
  if (!reader.is_ok()) return reader.status();
  for (const BlockInfo &block : reader->blocks()) {
    const Result<Bytes> records = reader->read_block(block, pages);
    if (!records.is_ok()) return records.status();
    ++verified->blocks;
    verified->bytes += block.stored_bytes;
  }
  if (reader->totals().blocks >= least_blocks) return Status::ok();
  return Status::error(fmt::format("{}: has {} blocks, and the manifest names {}", file.name(),
                                   reader->totals().blocks, least_blocks));
}

}  // namespace

Verified verify(const KeptDirectory &directory) {
  Verified verified;
  Pages pages;
  for (const auto &[run, blocks] : blocks_of_runs(directory.manifest())) {
    const Result<RunFile> file = directory.open_run(run);
    const Status status =
        file.is_ok() ? verify_run(*file, blocks, &pages, &verified) : file.status();
    if (!status.is_ok()) verified.faults.push_back(status.message());
    verified.runs += file.is_ok();
  }
  const Status text = directory.check_text();
  if (!text.is_ok()) verified.faults.push_back(text.message());
  return verified;
}

}  // namespace mrc
