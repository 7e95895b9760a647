#include "base/hash.h"
#include "kept/contents.h"
#include "kept/identify.h"

#include <algorithm>

namespace mrc {

Heads Heads::of(Bytes head) {
  Heads heads;
  heads.levels = levels_of(std::ssize(head));
  u64 hash = 0;
  for (size_t i = 0; i < static_cast<size_t>(heads.levels); ++i) {
    const Bytes piece = head.substr(i * kLeast, kLeast);
    heads.hash[i] = hash = fold_multiply(hash ^ checksum_bytes(piece), kFixedSeed.a);
  }
  return heads;
}

Heads Heads::up_to(i64 size) const {
  Heads shorter;
  shorter.levels = std::min(levels, levels_of(size));
  for (size_t i = 0; i < static_cast<size_t>(shorter.levels); ++i) shorter.hash[i] = hash[i];
  return shorter;
}

Fingerprint fingerprint_of(Bytes head, Bytes tail) {
  return {.heads = Heads::of(head), .tail = checksum_bytes(tail)};
}

Result<Fingerprint> fingerprint(const Source &source, const Identified::Input &input, i64 end) {
  const Fingerprint unknown = {.heads = input.heads.up_to(end), .tail = {}};
  const Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return unknown;
  const Result<FileStamp> now = stamp_of(source, *file);
  if (!now.is_ok() || now->device != input.file.device || now->inode != input.file.inode) {
    return unknown;
  }
  std::string head(static_cast<size_t>(std::min(Heads::kMost, end)), '\0');
  std::string tail(static_cast<size_t>(std::min(Fingerprint::kTail, end)), '\0');
  const Result<i64> head_got = file->read_at(0, head.data(), std::ssize(head));
  if (!head_got.is_ok()) return head_got.status();
  const Result<i64> tail_got = file->read_at(end - std::ssize(tail), tail.data(), std::ssize(tail));
  if (!tail_got.is_ok()) return tail_got.status();
  const bool whole = *head_got == std::ssize(head) && *tail_got == std::ssize(tail);
  return whole ? fingerprint_of(head, tail) : unknown;
}

}  // namespace mrc
