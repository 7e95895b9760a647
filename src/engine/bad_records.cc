#include "engine/bad_records.h"

#include "output/text.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace mrc {
namespace {

constexpr size_t kShown = 160;  // bytes of a record in a message

// How many line ends a file has before `offset`.
Result<i64> count_lines(const Source &source, i64 offset, char terminator) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  std::string block(size_t{1} << 18, '\0');
  i64 lines = 0;
  for (i64 at = source.begin; at < offset;) {
    const i64 size = std::min<i64>(std::ssize(block), offset - at);
    Result<i64> got = file->read_at(at, block.data(), size);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    lines += std::count(block.data(), block.data() + *got, terminator);
    at += *got;
  }
  return lines;
}

// What a name leads to; "-" is standard input.
bool look_at(const std::string &path, struct stat *info) {
  return (path == "-" ? fstat(STDIN_FILENO, info) : stat(path.c_str(), info)) == 0;
}

}  // namespace

void BadRecords::take(const Chunk &chunk, const BadRecord &bad) {
  ++count_;
  const u64 position = position_of(
      chunk.source, chunk.offset + static_cast<i64>(bad.record.data() - chunk.bytes.data()));
  if (position < first_.position) {
    const char *begin = chunk.bytes.data();
    first_ = {position, position_of(chunk.source, chunk.offset),
              std::count(begin, bad.record.data(), terminator_), bad.reason,
              std::string(bad.record.substr(0, kShown + 1))};
  }
  if (keep_) keep(position, bad.record);
}

void BadRecords::add(const BadRecords &other) {
  count_ += other.count_;
  if (other.first_.position < first_.position) first_ = other.first_;
}

void BadRecords::forget_behind(u64 position) {
  std::erase_if(kept_, [&](const Kept &kept) { return kept.position > position; });
  count_ = std::ssize(kept_);
  if (first_.position > position) first_ = {};
}

void BadRecords::keep(u64 position, Bytes record) {
  kept_.push_back({position, spilled_ + std::ssize(buffer_), std::ssize(record)});
  buffer_.append(record);
  if (std::ssize(buffer_) > kMostBuffered && status_.is_ok()) status_ = spill();
}

Status BadRecords::spill() {
  if (!file_) {
    Result<RunFile> file = RunFile::temporary(tmpdir_);
    if (!file.is_ok()) return file.status();
    file_.emplace(std::move(*file));
  }
  const Bytes piece = buffer_;
  if (Status status = file_->write(spilled_, {&piece, 1}); !status.is_ok()) return status;
  spilled_ += std::ssize(buffer_);
  buffer_.clear();
  return Status::ok();
}

Result<std::string> BadRecords::read(const Kept &kept) const {
  if (kept.offset >= spilled_) {
    return buffer_.substr(static_cast<size_t>(kept.offset - spilled_),
                          static_cast<size_t>(kept.size));
  }
  std::string record(static_cast<size_t>(kept.size), '\0');
  Result<i64> got =
      file_->read(kept.offset, reinterpret_cast<std::byte *>(record.data()), kept.size);
  if (!got.is_ok()) return got.status();
  return record;
}

std::string BadRecords::describe_first(std::span<const Source> sources,
                                       const LineTable &stream_lines) const {
  const Source &source = sources[static_cast<size_t>(source_of(first_.position))];
  std::string line;
  if (source.stream) {
    line = fmt::format(":{}", stream_lines.line(first_.chunk + static_cast<u64>(first_.line)));
  } else {
    Result<i64> lines = count_lines(source, offset_of(first_.position), terminator_);
    if (lines.is_ok()) line = fmt::format(":{}", *lines + 1);
  }
  std::string shown;
  append_visible(Bytes(first_.record).substr(0, kShown), &shown);
  return fmt::format("{}{}: {}: {}{}", source.name(), line, first_.reason, shown,
                     first_.record.size() > kShown ? " ..." : "");
}

Status BadRecords::write(const std::vector<BadRecords *> &of_workers, OutputFile *output) {
  std::vector<std::pair<const BadRecords *, const Kept *>> all;
  for (const BadRecords *bad : of_workers) {
    for (const Kept &kept : bad->kept_) all.emplace_back(bad, &kept);
  }
  std::sort(all.begin(), all.end(),
            [](const auto &a, const auto &b) { return a.second->position < b.second->position; });
  for (const auto &[bad, kept] : all) {
    Result<std::string> record = bad->read(*kept);
    if (!record.is_ok()) return record.status();
    record->push_back(bad->terminator_);
    if (Status status = output->write(*record); !status.is_ok()) return status;
  }
  return output->commit();
}

Status check_bad_path(const Job &job) {
  if (job.bad_path.empty() || job.bad_path == "-") return Status::ok();
  const auto place = [](const std::string &path) {
    std::error_code error;
    return std::filesystem::weakly_canonical(path, error);
  };
  if (job.output != "-" && place(job.output) == place(job.bad_path)) {
    return Status::error("--bad " + job.bad_path + ": the answer goes there; name another file");
  }
  struct stat bad, input;
  if (stat(job.bad_path.c_str(), &bad) != 0 || !S_ISREG(bad.st_mode)) return Status::ok();
  for (const std::string &path : job.inputs) {
    if (!look_at(path, &input) || input.st_dev != bad.st_dev || input.st_ino != bad.st_ino) {
      continue;
    }
    return Status::error("--bad " + job.bad_path + ": is an input; name another file");
  }
  return Status::ok();
}

}  // namespace mrc
