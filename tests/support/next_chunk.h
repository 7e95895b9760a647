// Reads chunks one after another, across units.
#pragma once

#include "split/chunk_source.h"

namespace mrc {

// The next chunk of the unit that is claimed, or else of the next one that has any; nullopt at
// the end of the source.
inline Result<std::optional<Chunk>> next_chunk(ChunkSource::Reader *reader) {
  for (;;) {
    Result<std::optional<Chunk>> chunk = reader->next();
    if (!chunk.is_ok() || *chunk) return chunk;
    Result<std::optional<Unit>> unit = reader->claim();
    if (!unit.is_ok()) return unit.status();
    if (!*unit) return std::optional<Chunk>();
  }
}

}  // namespace mrc
