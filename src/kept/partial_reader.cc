#include "base/one_line.h"
#include "base/setting_name.h"
#include "base/text.h"
#include "kept/partial.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

namespace mrc {
namespace {

constexpr Bytes kRunBegins = "MRUN";
constexpr i64 kReadPiece = i64{1} << 18;

// Creates a file in memory. Errors about its content begin with the name.
Result<RunFile> file_in_memory(const std::string &name) {
  const int fd = memfd_create("partial", MFD_CLOEXEC);
  if (fd < 0) return Status::from_errno(name, errno);
  return RunFile::adopt(fd, name);
}

// The partition and the run of a line.
struct Line {
  i64 partition = 0;
  std::string run;
};
std::optional<Line> parse_line(Bytes text) {
  Line line;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line.partition);
  const Bytes rest = text.substr(static_cast<size_t>(end - text.data()));
  const bool is_number = error == std::errc() && line.partition >= 0;
  if (!is_number || line.partition >= kPartialPartitions || !rest.starts_with('\t')) return {};
  if (!append_from_base64(without_spaces_around(rest), &line.run)) return {};
  return line;
}

// Reads an input that can only be read from beginning to end.
class PartialStream {
 public:
  PartialStream(const Source &source, const std::string &tmpdir, const TakePartial &take)
      : name_(source.name()), tmpdir_(tmpdir), take_(take) {}

  Status read(const InputFile &file) {
    for (;;) {
      const size_t have = buffer_.size();
      buffer_.resize(have + kReadPiece);
      const Result<i64> got = file.read(buffer_.data() + have, kReadPiece);
      if (!got.is_ok()) return got.status();
      buffer_.resize(have + static_cast<size_t>(*got));
      const bool ends = *got == 0;
      if (buffer_.size() < kRunBegins.size() && !ends) continue;
      is_run_ = is_run_ || (lines_ == 0 && !has_begun_ && buffer_.starts_with(kRunBegins));
      has_begun_ = true;
      Status status = is_run_ ? spool() : read_lines(ends);
      if (!status.is_ok() || ends) return status.is_ok() && is_run_ ? take_run() : status;
    }
  }

 private:
  Status make_spool() {
    if (spool_) return Status::ok();
    Result<RunFile> file = RunFile::temporary(tmpdir_);
    if (!file.is_ok()) return file.status();
    spool_ = std::make_shared<RunFile>(std::move(*file));
    return Status::ok();
  }

  Status spool() {
    if (Status status = make_spool(); !status.is_ok()) return status;
    const Bytes piece = buffer_;
    Status status = spool_->write(spooled_, {&piece, 1});
    spooled_ += std::ssize(buffer_);
    buffer_.clear();
    return status;
  }

  Status take_run() {
    const RunFile named = RunFile::adopt(dup(spool_->fd()), name_);
    Result<OpenPartial> opened = open_partial(named);
    if (!opened.is_ok()) return opened.status();
    return take_({name_, false, spool_, std::move(*opened)});
  }

  Status read_lines(bool ends) {
    size_t begin = 0;
    for (size_t end; (end = buffer_.find('\n', std::max(searched_, begin))) != buffer_.npos;) {
      Status status = read_line(Bytes(buffer_).substr(begin, end - begin));
      if (!status.is_ok()) return status;
      begin = end + 1;
    }
    buffer_.erase(0, begin);
    searched_ = buffer_.size();
    return ends && !buffer_.empty() ? read_line(buffer_) : Status::ok();
  }

  Status read_line(Bytes text) {
    ++lines_;
    if (without_spaces_around(text).empty()) return Status::ok();
    const std::optional<Line> line = parse_line(text);
    const std::string name = fmt::format("{}: line {}", name_, lines_);
    if (!line && lines_ == 1) {
      return Status::error(fmt::format("{}: is no partial; mrc VERB {} partial makes one", name_,
                                       setting_name("to")));
    }
    if (!line) return Status::error(name + ": is cut short, or is not PARTITION, a tab and base64");
    return take_line(name, *line);
  }

  // Appends the states to the file that all lines share.
  Status take_line(const std::string &name, const Line &line) {
    const Result<RunFile> file = file_in_memory(name);
    if (!file.is_ok()) return file.status();
    const Bytes run = line.run;
    if (Status status = file->write(0, {&run, 1}); !status.is_ok()) return status;
    Result<OpenPartial> opened = open_partial(*file);
    if (!opened.is_ok()) return opened.status();
    if (Status status = make_spool(); !status.is_ok()) return status;
    if (!writer_) writer_.emplace(&*spool_, RunHeader{.shape = {0, opened->state_bytes}});
    for (BlockInfo &block : opened->blocks) {
      if (block.partition != line.partition) {
        return Status::error(fmt::format("{}: has states of partition {}, and says {}", name,
                                         block.partition, line.partition));
      }
      Result<Bytes> records = read_block(*file, {0, opened->state_bytes}, block, &copied_);
      if (!records.is_ok()) return records.status();
      if (Status status = writer_->add_block(block, *records); !status.is_ok()) return status;
      block = writer_->blocks().back();
    }
    return take_({name, true, spool_, std::move(*opened)});
  }

  const std::string name_, &tmpdir_;
  const TakePartial &take_;
  std::string buffer_;
  size_t searched_ = 0;  // bytes of `buffer_` known to contain no line end
  bool has_begun_ = false, is_run_ = false;
  i64 lines_ = 0, spooled_ = 0;
  std::shared_ptr<RunFile> spool_;
  std::optional<RunWriter> writer_;
  Pages copied_;
};

bool begins_as_run(const Source &source) {
  if (source.stream || source.path == "-") return false;
  const Result<InputFile> file = InputFile::open(source);
  char first[kRunBegins.size()];
  if (!file.is_ok()) return false;
  const Result<i64> got = file->read_at(0, first, std::ssize(kRunBegins));
  return got.is_ok() && Bytes(first, static_cast<size_t>(*got)) == kRunBegins;
}

// Closes the file after reading its index, since many files cannot be open at once.
Status read_file(const std::string &path, const TakePartial &take) {
  Result<RunFile> file = RunFile::open(path);
  if (!file.is_ok()) return file.status();
  Result<OpenPartial> opened = open_partial(*file);
  if (!opened.is_ok()) return opened.status();
  file->rest();
  return take({path, false, std::make_shared<RunFile>(std::move(*file)), std::move(*opened)});
}

// Returns the partial restricted to one partition.
Partial part_of(const Partial &whole, i64 partition) {
  Partial part = whole;
  PartitionSet only;
  only.set(static_cast<size_t>(partition));
  for (PartialPiece &piece : part.pieces) piece.here &= only;
  return part;
}

// Returns the bytes of a run with this partition alone.
Result<std::string> run_of(const RunFile &file, const OpenPartial &opened, i64 partition) {
  const RecordShape shape{0, opened.state_bytes};
  std::string bytes;
  const auto append = [&](i64, std::span<const Bytes> pieces) {
    for (const Bytes piece : pieces) bytes += piece;
    return Status::ok();
  };
  RunWriter writer(append, {.plan = opened.partial.digest, .shape = shape});
  Pages buffer;
  for (const BlockInfo &block : opened.blocks) {
    if (block.partition != partition) continue;
    const Result<Bytes> records = read_block(file, shape, block, &buffer);
    if (!records.is_ok()) return records.status();
    if (Status status = writer.add_block(block, *records); !status.is_ok()) return status;
  }
  Status status = finish_partial(part_of(opened.partial, partition), &writer);
  return status.is_ok() ? Result<std::string>(std::move(bytes)) : status;
}

}  // namespace

Status read_partials(const Source &source, const std::string &tmpdir, const TakePartial &take) {
  if (source.codec != Codec::none) {
    return Status::error(fmt::format("{}: is compressed with {}; unpack it into a pipe",
                                     source.name(), codec_name(source.codec)));
  }
  if (begins_as_run(source)) return read_file(source.path, take);
  const Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  return PartialStream(source, tmpdir, take).read(*file);
}

Status write_partial_lines(const RunFile &file, const std::function<Status(Bytes line)> &take) {
  const Result<OpenPartial> opened = open_partial(file);
  if (!opened.is_ok()) return opened.status();
  PartitionSet partitions;
  for (const PartialPiece &piece : opened->partial.pieces) partitions |= piece.here;
  if (partitions.none()) partitions.set(0);  // describes the units even if they have no states
  for (i64 partition = 0; partition < kPartialPartitions; ++partition) {
    if (!partitions[static_cast<size_t>(partition)]) continue;
    const Result<std::string> run = run_of(file, *opened, partition);
    if (!run.is_ok()) return run.status();
    std::string line = fmt::format("{}\t", partition);
    append_base64(*run, &line);
    line.push_back('\n');
    if (Status status = take(line); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace mrc
