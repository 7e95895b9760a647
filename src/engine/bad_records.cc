#include "engine/bad_records.h"

#include "base/setting_name.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace mrc {
namespace {

// What a name leads to; "-" is standard input.
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
}

void BadRecords::add(const BadRecords &other) {
  records_.add(other.records_);
  values_.add(other.values_);
  used_ += other.used_;
}

void BadRecords::add(i64 records, i64 values, const KeptFlaws &flaws) {
  records_.add(records, flaws.record);
  values_.add(values, flaws.value);
  used_ += flaws.used;
}

void BadRecords::forget_beyond(u64 position) {
  std::erase_if(kept_, [&](const Kept &kept) { return kept.position > position; });
  records_.forget_beyond(position, std::ssize(kept_));
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
    record->push_back(bad->terminator_);
    if (Status status = output->write(*record); !status.is_ok()) return status;
  }
  return output->commit();
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
    if (!look_at(path, &input) || input.st_dev != bad.st_dev || input.st_ino != bad.st_ino) {
      continue;
    }
    return Status::error(setting_name("bad") + " " + program.bad_path +
                         ": is an input; name another file");
  }
  return Status::ok();
}

}  // namespace mrc
