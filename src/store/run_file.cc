// The files of runs, and the writer of a run.
#include "base/setting_name.h"
#include "store/inner/run_layout.h"
#include "store/sealed_run.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace mrc {
namespace {

// The most pieces that one call of the kernel accepts (IOV_MAX of Linux).
constexpr size_t kMostPieces = 1024;

// File systems without O_TMPFILE (NFS, FUSE, old overlays) need a name for a moment. If that fails
// too, its error is reported.
int open_nameless(const std::string &folder) {
  int fd = ::open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = folder + "/mrc-XXXXXX";
  fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

std::vector<iovec> to_iovecs(std::span<const Bytes> pieces) {
  std::vector<iovec> vectors;
  vectors.reserve(pieces.size());
  for (Bytes piece : pieces) {
    if (!piece.empty()) vectors.push_back({const_cast<char *>(piece.data()), piece.size()});
  }
  return vectors;
}

// Returns the rest after `written` bytes.
std::span<iovec> skip(std::span<iovec> left, size_t written) {
  while (!left.empty() && written >= left.front().iov_len) {
    written -= left.front().iov_len;
    left = left.subspan(1);
  }
  if (left.empty()) return left;
  left.front().iov_base = static_cast<char *>(left.front().iov_base) + written;
  left.front().iov_len -= written;
  return left;
}

[[maybe_unused]] bool is_plausible(const BlockInfo &block, const RunHeader &header) {
  return block.records > 0 && block.records >> 32 == 0 && block.lo <= block.hi &&
         block.partition_bits >= header.partition_bits && block.partition_bits <= 32 &&
         block.raw_bytes >= block.records * kRecordHead && block.raw_bytes % 4 == 0 &&
         (header.order == RunOrder::raw || block.order == header.order);
}

}  // namespace

Result<RunFile> RunFile::temporary(const std::string &tmpdir) {
  if (tmpdir.empty()) return Status::error(setting_name("tmpdir") + ": the name is empty");
  const int fd = open_nameless(tmpdir);
  if (fd < 0) {
    const Status why = Status::from_errno(setting_name("tmpdir") + ": " + tmpdir, errno);
    return Status::error(why.message() + "; name a directory that can be written to");
  }
  RunFile file(fd, tmpdir);
  file.is_temporary_ = true;
  return file;
}

RunFile RunFile::adopt(int fd, const std::string &tmpdir) {
  RunFile file(fd, tmpdir);
  file.is_temporary_ = true;
  return file;
}

Result<RunFile> RunFile::create(const std::string &path) {
  std::string part = path + ".part";
  const int fd = ::open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return Status::from_errno(path, errno);
  RunFile file(fd, path);
  file.part_ = std::move(part);
  return file;
}

Result<RunFile> RunFile::open(const std::string &path) {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  RunFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), path);
  struct stat info;
  if (file.fd_ < 0 || fstat(file.fd_, &info) != 0) return Status::from_errno(path, errno);
  if (!S_ISREG(info.st_mode)) return Status::error(path + ": is not a regular file");
  return file;
}

RunFile::RunFile(RunFile &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      name_(std::move(other.name_)),
      is_temporary_(other.is_temporary_),
      part_(std::exchange(other.part_, {})) {}

RunFile::~RunFile() {
  if (fd_ >= 0) close(fd_);
  if (!part_.empty()) unlink(part_.c_str());
}

Status RunFile::commit() {
  assert(!part_.empty());
  if (fsync(fd_) != 0 || rename(part_.c_str(), name_.c_str()) != 0) return write_error(errno);
  part_.clear();
  // The new name must survive a crash, too.
  std::string folder = std::filesystem::path(name_).parent_path().string();
  if (folder.empty()) folder = ".";
  const int folder_fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_fd < 0) return write_error(errno);
  const int error = fsync(folder_fd) == 0 ? 0 : errno;
  close(folder_fd);
  return error == 0 ? Status::ok() : write_error(error);
}

void RunFile::rest() {
  assert(part_.empty() && !is_temporary_);
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

Status RunFile::write(i64 offset, std::span<const Bytes> pieces) const {
  std::vector<iovec> vectors = to_iovecs(pieces);
  std::span<iovec> left = vectors;
  while (!left.empty()) {
    const int n = static_cast<int>(std::min(left.size(), kMostPieces));
    const ssize_t written = pwritev(fd_, left.data(), n, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return write_error(written < 0 ? errno : EIO);
    offset += written;
    left = skip(left, static_cast<size_t>(written));
  }
  return Status::ok();
}

Status RunFile::write_error(int errno_value) const {
  if (!is_temporary_) return Status::from_errno(name_ + ": cannot write", errno_value);
  const bool full = errno_value == ENOSPC || errno_value == EDQUOT || errno_value == EFBIG;
  return Status::error(Status::from_errno(name_, errno_value).message() + " while spilling; " +
                       (full ? "free space there or " : "") + "choose another " +
                       setting_name("tmpdir"));
}

Result<i64> RunFile::read(i64 offset, std::byte *to, i64 bytes) const {
  if (fd_ < 0) {
    const Result<RunFile> again = open(name_);
    return again.is_ok() ? again->read(offset, to, bytes) : again.status();
  }
  i64 done = 0;
  while (done < bytes) {
    const ssize_t got = pread(fd_, to + done, static_cast<size_t>(bytes - done), offset + done);
    if (got == 0) break;
    if (got > 0) {
      done += got;
    } else if (errno != EINTR) {
      return Status::from_errno(name_ + ": cannot read", errno);
    }
  }
  return done;
}

Result<i64> RunFile::size() const {
  struct stat info;
  if ((fd_ < 0 ? stat(name_.c_str(), &info) : fstat(fd_, &info)) != 0) {
    return Status::from_errno(name_, errno);
  }
  return static_cast<i64>(info.st_size);
}

// Writes the header with the first piece, so that a run costs no more calls than it has blocks.
Status RunWriter::append(std::vector<Bytes> pieces) {
  const HeaderBytes header = encode(header_);
  if (end_ == 0) pieces.insert(pieces.begin(), bytes_of(header));
  if (Status status = write_(end_, pieces); !status.is_ok()) return status;
  for (Bytes piece : pieces) end_ += static_cast<i64>(piece.size());
  return Status::ok();
}

Status RunWriter::add_block(BlockInfo what, std::span<const Bytes> payload) {
  what.number = static_cast<i64>(blocks_.size());
  what.offset = end_ == 0 ? static_cast<i64>(sizeof(HeaderBytes)) : end_;
  what.raw_bytes = 0;
  for (Bytes piece : payload) what.raw_bytes += static_cast<i64>(piece.size());
  what.stored_bytes = what.raw_bytes;
  what.codec = 0;
  assert(is_plausible(what, header_));
  what.checksum = block_checksum(encode(what), checksum_pieces(payload));
  const BlockBytes header = encode(what);
  std::vector<Bytes> pieces = {bytes_of(header)};
  pieces.insert(pieces.end(), payload.begin(), payload.end());
  if (Status status = append(std::move(pieces)); !status.is_ok()) return status;
  blocks_.push_back(what);
  totals_.blocks += 1;
  totals_.records += what.records;
  totals_.raw_bytes += what.raw_bytes;
  totals_.stored_bytes += what.stored_bytes;
  return Status::ok();
}

Status RunWriter::finish() {
  FooterBytes head = {};
  std::memcpy(head.magic, kFooterMagic, sizeof head.magic);
  head.head_bytes = sizeof head;
  head.blocks = static_cast<u64>(totals_.blocks);
  head.records = static_cast<u64>(totals_.records);
  head.raw_bytes = static_cast<u64>(totals_.raw_bytes);
  head.stored_bytes = static_cast<u64>(totals_.stored_bytes);
  head.entry_bytes = sizeof(EntryBytes);
  std::string footer(bytes_of(head));
  for (const BlockInfo &block : blocks_) {
    footer += bytes_of(EntryBytes{static_cast<u64>(block.offset), encode(block)});
  }
  EndBytes end = {};
  std::memcpy(end.magic, kEndMagic, sizeof end.magic);
  end.footer_bytes = footer.size() + sizeof end;
  footer += bytes_of(end.footer_bytes);
  end.checksum = checksum_bytes(footer);
  footer += bytes_of(end).substr(sizeof end.footer_bytes);
  return append({footer});
}

Status SealedRun::copy(std::span<const StoredBlock> blocks, SealedBlocks *written) {
  const auto add = [&](RunWriter *writer) {
    Pages buffer;
    for (const StoredBlock &block : blocks) {
      const Result<Bytes> records = read_block(*block.file, shape_, block.info, &buffer);
      if (!records.is_ok()) return records.status();
      Status status = writer->add_block(block.info, *records);
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  };
  return write(add, written);
}

namespace {

template <size_t n>
void set(char (&to)[n], const char (&from)[n]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

}  // namespace

HeaderBytes encode(const RunHeader &header) {
  HeaderBytes bytes = {};
  set(bytes.magic, kRunMagic);
  bytes.major = kRunMajor;
  bytes.minor = kRunMinor;
  bytes.header_bytes = sizeof bytes;
  bytes.hash_id = header.hash_id;
  bytes.plan = header.plan;
  bytes.seed[0] = header.seed.a;
  bytes.seed[1] = header.seed.b;
  bytes.order = static_cast<u32>(header.order);
  bytes.partition_bits = static_cast<u32>(header.partition_bits);
  bytes.raw_bytes = static_cast<u32>(header.shape.raw_bytes);
  bytes.state_bytes = static_cast<u32>(header.shape.state_bytes);
  bytes.checksum = checksum_bytes(bytes_of(bytes).substr(0, sizeof bytes - 8));
  return bytes;
}

BlockBytes encode(const BlockInfo &block) {
  BlockBytes bytes = {};
  set(bytes.magic, kBlockMagic);
  bytes.records = static_cast<u32>(block.records);
  bytes.raw_bytes = static_cast<u64>(block.raw_bytes);
  bytes.stored_bytes = static_cast<u64>(block.stored_bytes);
  bytes.codec = static_cast<u8>(block.codec);
  bytes.order = static_cast<u8>(block.order);
  bytes.partition_bits = static_cast<uint16_t>(block.partition_bits);
  bytes.partition = static_cast<u32>(block.partition);
  bytes.lo = block.lo;
  bytes.hi = block.hi;
  bytes.checksum = block.checksum;
  return bytes;
}

RunHeader decode(const HeaderBytes &bytes) {
  RunHeader header;
  header.plan = bytes.plan;
  header.seed = {bytes.seed[0], bytes.seed[1]};
  header.hash_id = bytes.hash_id;
  header.order = static_cast<RunOrder>(bytes.order);
  header.partition_bits = static_cast<int>(bytes.partition_bits);
  header.shape = {bytes.raw_bytes, bytes.state_bytes};
  return header;
}

BlockInfo decode(const BlockBytes &bytes, i64 number, i64 offset) {
  BlockInfo block;
  block.order = static_cast<RunOrder>(bytes.order);
  block.partition_bits = bytes.partition_bits;
  block.partition = bytes.partition;
  block.records = bytes.records;
  block.lo = bytes.lo;
  block.hi = bytes.hi;
  block.number = number;
  block.offset = offset;
  block.raw_bytes = static_cast<i64>(bytes.raw_bytes);
  block.stored_bytes = static_cast<i64>(bytes.stored_bytes);
  block.codec = bytes.codec;
  block.checksum = bytes.checksum;
  return block;
}

u64 block_checksum(BlockBytes header, u64 payload_checksum) {
  header.checksum = payload_checksum;
  return checksum_bytes(bytes_of(header));
}

}  // namespace mrc
