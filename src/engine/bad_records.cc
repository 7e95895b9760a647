#include "engine/inner/bad_records.h"

#include "base/setting_name.h"
#include "base/varint.h"
#include "input/stream.h"
#include "output/encode.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace mrc {
namespace {

// Stats the file of an input; "-" is standard input. True if that succeeds.
bool look_at(const std::string &path, struct stat *info) {
  return (path == "-" ? fstat(STDIN_FILENO, info) : stat(path.c_str(), info)) == 0;
}

}  // namespace

void BadRecords::take(const Chunk &chunk, const BadRecord &bad) {
  records_.add(chunk, bad.record, bad.reason, bad.record);
  if (!keep_) return;
  keep(position_of(chunk.source,
                   chunk.offset + static_cast<i64>(bad.record.data() - chunk.bytes.data())),
       bad.record);
}

void BadRecords::take_value(const Chunk &chunk, const BadField &bad) {
  values_.add(chunk, bad.record, bad.reason, bad.value);
  if (!keep_ || value_positions_.size() == kMostValues) return;
  value_positions_.push_back(position_of(
      chunk.source, chunk.offset + static_cast<i64>(bad.record.data() - chunk.bytes.data())));
}

void BadRecords::add(const BadRecords &other) {
  records_.add(other.records_);
  values_.add(other.values_);
  for (const auto &[name, is_there] : other.fields_) fields_[name] |= is_there;
  used_ += other.used_;
}

void BadRecords::add(const Portion &counts, const KeptFlaws &flaws) {
  records_.add(counts.bad_records, flaws.record);
  values_.add(counts.bad_values, flaws.value);
  used_ += flaws.used;
}

namespace {

void move_to(const Complaint &complaint, std::string *message) {
  const KeptFlaw &first = complaint.first();
  append_varint(static_cast<u64>(complaint.count()), message);
  append_varint(first.position, message);
  append_varint(first.chunk, message);
  append_varint(static_cast<u64>(first.line), message);
  append_sized(first.reason, message);
  append_sized(first.shown, message);
}

void add(Bytes *message, Complaint *complaint) {
  const auto count = static_cast<i64>(take_varint(message));
  KeptFlaw first;
  first.position = take_varint(message);
  first.chunk = take_varint(message);
  first.line = static_cast<i64>(take_varint(message));
  first.reason = take_sized(message);
  first.shown = take_sized(message);
  complaint->add(count, first);
}

}  // namespace

Status BadRecords::move_to(std::string *message) {
  mrc::move_to(records_, message);
  mrc::move_to(values_, message);
  append_varint(value_positions_.size(), message);
  for (const u64 position : value_positions_) append_varint(position, message);
  append_varint(static_cast<u64>(used_), message);
  append_varint(fields_.size(), message);
  for (const auto &[name, is_there] : fields_) {
    append_sized(name, message);
    append_varint(is_there, message);
  }
  append_varint(kept_.size(), message);
  for (const Kept &kept : kept_) {
    const Result<std::string> record = read(kept);
    if (!record.is_ok()) return record.status();
    append_varint(kept.position, message);
    append_sized(*record, message);
  }
  records_ = values_ = Complaint(end_);
  used_ = spilled_ = 0;
  fields_.clear();
  kept_.clear();
  value_positions_.clear();
  buffer_.clear();
  file_.reset();
  return Status::ok();
}

void BadRecords::take(Bytes *message) {
  mrc::add(message, &records_);
  mrc::add(message, &values_);
  for (u64 left = take_varint(message); left > 0; --left) {
    value_positions_.push_back(take_varint(message));
  }
  used_ += static_cast<i64>(take_varint(message));
  for (u64 left = take_varint(message); left > 0; --left) {
    bool &is_there = fields_[std::string(take_sized(message))];
    is_there |= take_varint(message) != 0;
  }
  for (u64 left = take_varint(message); left > 0; --left) {
    const u64 position = take_varint(message);
    keep(position, take_sized(message));
  }
}

void BadRecords::forget_beyond(u64 position) {
  std::erase_if(kept_, [&](const Kept &kept) { return kept.position > position; });
  records_.forget_beyond(position, std::ssize(kept_));
  if (std::ssize(value_positions_) != values_.count()) return;
  std::erase_if(value_positions_, [&](u64 value) { return value > position; });
  values_.forget_beyond(position, std::ssize(value_positions_));
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
    if (bad->end_.bytes == 0) record->push_back(bad->end_.terminator);
    if (Status status = output->write(*record); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status check_bad_path(const Program &program) {
  if (program.bad_path.empty() || program.bad_path == "-") return Status::ok();
  const auto place = [](const std::string &path) {
    std::error_code error;
    return std::filesystem::weakly_canonical(path, error);
  };
  if (program.output != "-" && place(program.output) == place(program.bad_path)) {
    return Status::error(setting_name("bad") + " " + program.bad_path +
                         ": the answer goes there; name another file");
  }
  struct stat bad, input;
  if (stat(program.bad_path.c_str(), &bad) != 0 || !S_ISREG(bad.st_mode)) return Status::ok();
  for (const std::string &path : program.inputs) {
    if (!program.input_command.empty() && path != "-") continue;
    if (!look_at(path, &input) || input.st_dev != bad.st_dev || input.st_ino != bad.st_ino) {
      continue;
    }
    return Status::error(setting_name("bad") + " " + program.bad_path +
                         ": is an input; name another file");
  }
  return Status::ok();
}

namespace {

constexpr size_t kShown = 160;  // bytes of the input in a message

// Returns the number of line ends from `at` to `offset`. `read` fills a buffer from an offset on.
template <typename Read>
Result<i64> count_lines(i64 at, i64 offset, char terminator, Read read) {
  std::string block(size_t{1} << 18, '\0');
  i64 lines = 0;
  while (at < offset) {
    const i64 size = std::min<i64>(std::ssize(block), offset - at);
    Result<i64> got = read(at, block.data(), size);
    if (!got.is_ok()) return got.status();
    if (*got == 0) break;
    lines += std::count(block.data(), block.data() + *got, terminator);
    at += *got;
  }
  return lines;
}

// Returns the number of line ends of a file before `offset`, which counts decompressed bytes.
Result<i64> count_lines(const Source &source, i64 offset, char terminator) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  if (source.codec == Codec::none) {
    return count_lines(source.begin, offset, terminator,
                       [&](i64 at, char *to, i64 size) { return file->read_at(at, to, size); });
  }
  BufferedReader packed(std::move(*file));
  Result<std::unique_ptr<Stream>> stream = open_stream(source.codec, &packed);
  if (!stream.is_ok()) return stream.status();
  return count_lines(0, offset, terminator,
                     [&](i64, char *to, i64 size) { return (*stream)->read(to, size); });
}

// True if this run has read the source from its first line on, so that it knows line numbers.
bool is_met_whole(const Source &source) {
  if (source.followed) return true;
  return source.stream && (source.codec == Codec::none || source.known == 0);
}

}  // namespace

void Complaint::add(const Chunk &chunk, Bytes record, const char *reason, Bytes shown) {
  ++count_;
  const char *begin = chunk.bytes.data();
  const u64 position =
      position_of(chunk.source, chunk.offset + static_cast<i64>(record.data() - begin));
  if (position >= first_.position) return;
  first_ = {position, position_of(chunk.source, chunk.offset),
            std::count(begin, record.data(), end_.terminator), reason,
            std::string(shown.substr(0, kShown + 1))};
}

void Complaint::add(const Complaint &other) { add(other.count_, other.first_); }

void Complaint::add(i64 count, const KeptFlaw &first) {
  count_ += count;
  if (first.position < first_.position) first_ = first;
}

void Complaint::forget_beyond(u64 position, i64 count) {
  count_ = count;
  if (first_.position > position) first_ = {};
}

// Returns ":NUMBER" of the record; empty if the number is unknown.
std::string Complaint::number_of_first(const Source &source, const LineTable &stream_lines) const {
  const i64 offset = offset_of(first_.position);
  if (end_.bytes > 0) return fmt::format(":{}", (offset - source.begin) / end_.bytes + 1);
  if (is_met_whole(source)) {
    return fmt::format(":{}", stream_lines.line(first_.chunk + static_cast<u64>(first_.line)));
  }
  const Result<i64> lines = count_lines(source, offset, end_.terminator);
  return lines.is_ok() ? fmt::format(":{}", *lines + 1) : "";
}

std::string Complaint::describe_first(std::span<const Source> sources,
                                      const LineTable &stream_lines) const {
  const Source &source = sources[static_cast<size_t>(source_of(first_.position))];
  std::string shown;
  append_visible(Bytes(first_.shown).substr(0, kShown), &shown);
  return fmt::format("{}{}: {}{}{}{}", source.name(), number_of_first(source, stream_lines),
                     first_.reason, shown.empty() ? "" : ": ", shown,
                     first_.shown.size() > kShown ? " ..." : "");
}

}  // namespace mrc
