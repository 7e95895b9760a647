#include "base/hash.h"
#include "input/stream.h"
#include "kept/identify.h"

#include <errno.h>
#include <sys/stat.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr i64 kHashedPiece = 256 << 10;  // stays in the L2 cache between reading and hashing
constexpr i64 kEnds = 64 << 10;          // bytes at each end of a compressed file, as stored

i64 nanoseconds(const timespec &time) { return i64{time.tv_sec} * 1000000000 + time.tv_nsec; }

Result<std::string> read_range(const InputFile &file, i64 begin, i64 end) {
  std::string bytes(static_cast<size_t>(end - begin), '\0');
  const Result<i64> got = file.read_at(begin, bytes.data(), end - begin);
  if (!got.is_ok()) return got.status();
  bytes.resize(static_cast<size_t>(*got));
  return bytes;
}

// Reads the decompressed bytes of an input from beginning to end.
class RawReader {
 public:
  static Result<RawReader> open(const Source &source) {
    Result<InputFile> file = InputFile::open(source);
    if (!file.is_ok()) return file.status();
    RawReader reader;
    if (source.codec == Codec::none) {
      reader.file_ = std::move(*file);
      reader.end_ = source.end;
      return reader;
    }
    reader.packed_ = std::make_unique<BufferedReader>(std::move(*file));
    Result<std::unique_ptr<Stream>> stream = open_stream(source.codec, reader.packed_.get());
    if (!stream.is_ok()) return stream.status();
    reader.stream_ = std::move(*stream);
    return reader;
  }

  // Returns fewer than `size` bytes only at the end, or if the decompressor finds damage.
  Result<i64> read(char *to, i64 size) {
    if (stream_ == nullptr) {
      const Result<i64> got = file_.read_at(at_, to, std::min(size, end_ - at_));
      if (got.is_ok()) at_ += *got;
      return got;
    }
    i64 done = 0;
    while (done < size && damage_.empty()) {
      const Result<i64> got = stream_->read(to + done, size - done);
      if (!got.is_ok()) damage_ = got.status().message();
      if (!got.is_ok() || *got == 0) break;
      done += *got;
    }
    return done;
  }
  const std::string &damage() const { return damage_; }

 private:
  InputFile file_;
  i64 at_ = 0, end_ = 0;
  std::unique_ptr<BufferedReader> packed_;
  std::unique_ptr<Stream> stream_;
  std::string damage_;
};

}  // namespace

Result<FileStamp> stamp_of(const Source &source, const InputFile &file) {
  struct stat info;
  if (fstat(file.fd(), &info) != 0) return Status::from_errno(source.name(), errno);
  if (!S_ISREG(info.st_mode)) return Status::about(source.name(), "is not a regular file");
  FileStamp stamp = {.device = info.st_dev,
                     .inode = info.st_ino,
                     .size = source.codec == Codec::none ? source.end : source.packed_bytes,
                     .modified_ns = nanoseconds(info.st_mtim),
                     .changed_ns = nanoseconds(info.st_ctim),
                     .packed = source.codec != Codec::none};
  if (info.st_size < stamp.size) return Status::about(source.name(), "has just been truncated");
  if (!stamp.packed) return stamp;
  const Result<std::string> head = read_range(file, 0, std::min(kEnds, stamp.size));
  if (!head.is_ok()) return head.status();
  const Result<std::string> tail =
      read_range(file, std::max<i64>(0, stamp.size - kEnds), stamp.size);
  if (!tail.is_ok()) return tail.status();
  stamp.packed_head = checksum_bytes(*head);
  stamp.packed_tail = checksum_bytes(*tail);
  return stamp;
}

FileStamp place_of(const Source &source) {
  struct stat info;
  if (stat(source.path.c_str(), &info) != 0) return {};
  return {.device = info.st_dev, .inode = info.st_ino};
}

Result<bool> looks_like(const InputFile &file, const KeptSource &kept, const ContentHash &hash) {
  const i64 levels = kept.fingerprint.heads.levels;
  if (kept.end >= Heads::kLeast && (levels == 0 || !kept.fingerprint.tail)) return false;
  const i64 head_bytes = levels == 0 ? kept.end : Heads::bytes(levels - 1);
  const Result<std::string> head = read_range(file, 0, head_bytes);
  if (!head.is_ok()) return head.status();
  if (std::ssize(*head) < head_bytes) return false;
  if (levels == 0) return hash.of(0, *head) == kept.content();
  if (Heads::of(*head) != kept.fingerprint.heads) return false;
  const Result<std::string> tail =
      read_range(file, std::max<i64>(0, kept.end - Fingerprint::kTail), kept.end);
  if (!tail.is_ok()) return tail.status();
  return checksum_bytes(*tail) == *kept.fingerprint.tail;
}

Result<Front> front_of(const Source &source) {
  Result<RawReader> reader = RawReader::open(source);
  if (!reader.is_ok()) return reader.status();
  Front front;
  front.bytes.resize(static_cast<size_t>(
      source.codec == Codec::none ? std::min(Heads::kMost, source.end) : Heads::kMost));
  const Result<i64> got = reader->read(front.bytes.data(), std::ssize(front.bytes));
  if (!got.is_ok()) return got.status();
  front.bytes.resize(static_cast<size_t>(*got));
  front.damage = reader->damage();
  return front;
}

Result<Contents> read_contents(const Source &source, const ContentHash &hash,
                               std::span<const i64> offsets,
                               const std::function<void(i64 offset, u64 hash)> &at) {
  Result<RawReader> reader = RawReader::open(source);
  if (!reader.is_ok()) return reader.status();
  Contents contents;
  std::string piece(static_cast<size_t>(kHashedPiece), '\0');
  const auto add = [&](Bytes bytes) {
    contents.hash = ContentHash::join(contents.hash, hash.of(contents.length, bytes));
    contents.length += std::ssize(bytes);
  };
  for (;;) {
    const Result<i64> got = reader->read(piece.data(), kHashedPiece);
    if (!got.is_ok()) return got.status();
    Bytes left(piece.data(), static_cast<size_t>(*got));
    while (!offsets.empty() && offsets.front() <= contents.length + std::ssize(left)) {
      const auto size = static_cast<size_t>(offsets.front() - contents.length);
      add(left.substr(0, size));
      left.remove_prefix(size);
      at(offsets.front(), contents.hash);
      offsets = offsets.subspan(1);
    }
    add(left);
    if (*got == kHashedPiece) continue;
    contents.damaged = !reader->damage().empty();
    return contents;
  }
}

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
