// Members of tar and ZIP archives. Those of a tar archive that is not compressed are ranges of its
// file, which workers read as they read other files. Others are streams: the members of a lane are
// read one after another, so that no byte is decompressed twice. A ZIP archive has several lanes.
#include "input/inner/archive_reader.h"
#include "input/inner/collections.h"
#include "input/inner/window.h"

#include <errno.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace mrc {
namespace {

constexpr i64 kMostMembers = i64{1} << 20;  // a job has no more inputs
constexpr i64 kMostLanes = 32;
constexpr size_t kTarBlock = 512;
constexpr i64 kZipEnd = (i64{1} << 16) + 22;  // bytes that the last part of a ZIP archive may have
constexpr i64 kLaneBytes = i64{1} << 20;      // members of a lane have at least so many

struct Member {
  std::string name;
  i64 number = 0;  // number of its header in the archive, from 1
  i64 size = 0;
  i64 origin = -1;  // where its bytes begin in the file; -1: they are no range of it
  Bytes front = {};
  Status problem = Status::ok();  // why it cannot be read
};

// A range of a file, for members that are compressed themselves.
class RangeStream : public Stream {
 public:
  RangeStream(InputFile file, i64 size) : file_(std::move(file)), left_(size) {}
  Result<i64> read(char *to, i64 size) override {
    const Result<i64> got = file_.read_at(at_, to, std::min(size, left_));
    if (!got.is_ok()) return got;
    at_ += *got;
    left_ -= *got;
    return got;
  }

 private:
  InputFile file_;
  i64 at_ = 0, left_;
};

// Fails at once.
class FailedStream : public Stream {
 public:
  explicit FailedStream(Status problem) : problem_(std::move(problem)) {}
  Result<i64> read(char *, i64) override { return problem_; }

 private:
  const Status problem_;
};

// Returns an error if the file does not end as ZIP archives do: with the part after the list of
// members. (The library takes an archive that is cut short for a stream of members.)
Status check_end_of_zip(const std::string &path) {
  const Result<InputFile> file = InputFile::open(Source{.path = path});
  if (!file.is_ok()) return file.status();
  struct stat info;
  if (fstat(file->fd(), &info) != 0) return Status::from_errno(path, errno);
  std::string end(static_cast<size_t>(std::min<i64>(info.st_size, kZipEnd)), '\0');
  const Result<i64> got =
      file->read_at(info.st_size - std::ssize(end), end.data(), std::ssize(end));
  if (!got.is_ok()) return got.status();
  if (end.find("PK\x05\x06") != end.npos) return Status::ok();
  return Status::error(path + ": the archive is cut short: the list of its files has no end");
}

class Archive : public Collection {
 public:
  Archive(std::string path, std::string member, Codec codec, bool is_tar)
      : path_(std::move(path)), member_(std::move(member)), codec_(codec), is_tar_(is_tar) {}

  std::string what() const override { return "members of an archive"; }
  Result<std::vector<Source>> split(const Source &whole, bool divides_rows) override;
  Result<Source> first(const Source &whole) override;
  Result<std::unique_ptr<Stream>> open(const Source &source) override;

 private:
  class MemberStream;

  bool has_ranges() const { return is_tar_ && codec_ == Codec::none; }
  Result<std::vector<Source>> sources_of(const Source &whole, i64 most);
  Result<std::vector<Source>> sources_in(Bytes bytes, const Source &whole, i64 most);
  Status find_members(Bytes bytes, i64 most);
  bool is_wanted(const std::string &name) const { return member_.empty() || name == member_; }
  Status add_members(ArchiveReader *reader, Bytes bytes, i64 most);
  Source source_of(const Source &whole, i64 part) const;
  void divide(std::vector<Source> *sources) const;
  std::unique_ptr<ArchiveReader> take(i64 lane, i64 number);
  Result<std::unique_ptr<ArchiveReader>> reader_at(i64 lane, i64 number);
  void give_back(i64 lane, std::unique_ptr<ArchiveReader> reader);

  const std::string path_, member_;
  const Codec codec_;
  const bool is_tar_;
  std::vector<Member> members_;
  std::mutex mutex_;
  std::map<i64, std::unique_ptr<ArchiveReader>> idle_;  // by lane
};

// A member of a lane. At its end, the reader is free for the next member of the lane.
class Archive::MemberStream : public Stream {
 public:
  MemberStream(Archive *archive, i64 lane, std::unique_ptr<ArchiveReader> reader)
      : archive_(*archive), lane_(lane), reader_(std::move(reader)) {}
  ~MemberStream() override { archive_.give_back(lane_, std::move(reader_)); }
  Result<i64> read(char *to, i64 size) override { return reader_->read(to, size); }

 private:
  Archive &archive_;
  const i64 lane_;
  std::unique_ptr<ArchiveReader> reader_;
};

// `bytes`: those of the archive, if it is in memory.
Status Archive::find_members(Bytes bytes, i64 most) {
  members_.clear();
  Result<std::unique_ptr<ArchiveReader>> reader =
      has_ranges() ? ArchiveReader::open(path_, bytes) : ArchiveReader::open(path_, codec_);
  if (!reader.is_ok()) return reader.status();
  Status status = add_members(reader->get(), bytes, most);
  if (status.is_ok() && !is_tar_) status = check_end_of_zip(path_);
  // The members before the damage are read, and the last part reports it.
  if (!status.is_ok()) members_.push_back({.name = "", .problem = std::move(status)});
  if (!members_.empty()) return Status::ok();
  if (member_.empty()) return Status::error(path_ + ": the archive has no files");
  return Status::error(fmt::format("{}: the archive has no file {}", path_, member_));
}

Status Archive::add_members(ArchiveReader *reader, Bytes bytes, i64 most) {
  while (std::ssize(members_) < most) {
    const Result<bool> found = reader->next();
    if (!found.is_ok()) return found.status();
    if (!*found) return Status::ok();
    if (!is_wanted(reader->name()) || !reader->is_file()) continue;
    if (std::ssize(members_) == kMostMembers) {
      return Status::error(
          fmt::format("{}: has more than {} files; name those that are wanted, as in {}:{}", path_,
                      kMostMembers, path_, reader->name()));
    }
    Member member{.name = reader->name(), .number = reader->found(), .size = reader->size()};
    if (reader->is_encrypted()) {
      member.problem = Status::error(fmt::format("{}:{}: is encrypted", path_, member.name));
    } else if (const Bytes data = bytes.empty() ? Bytes() : reader->bytes_in_memory();
               std::ssize(data) == member.size && data.data() >= bytes.data() &&
               data.data() + data.size() <= bytes.data() + bytes.size()) {
      member.origin = data.data() - bytes.data();
      member.front = data.substr(0, kBinaryHead);
    }
    members_.push_back(std::move(member));
  }
  return Status::ok();
}

Source Archive::source_of(const Source &whole, i64 part) const {
  const Member &member = members_[static_cast<size_t>(part)];
  Source source = whole;
  source.path = member.name.empty() ? path_ : path_ + ":" + member.name;
  source.part = part;
  source.stream = true;
  source.begin = source.end = 0;
  source.codec = Codec::none;
  source.binary = nullptr;
  source.packed_bytes = 0;
  if (member.origin < 0 || member.size == 0 || !member.problem.is_ok()) {
    source.lane = 0;
    return source;
  }
  source.file = path_;
  source.origin = member.origin;
  source.codec = codec_of(source, member.front.substr(0, kMagicBytes));
  source.window_bytes = window_of(member.front.substr(0, kMagicBytes));
  source.stream = source.codec != Codec::none;
  source.binary = source.stream ? nullptr : binary_format_of(member.front);
  (source.stream ? source.packed_bytes : source.end) = member.size;
  return source;
}

// Divides the members of a ZIP archive into lanes of about equal size.
void Archive::divide(std::vector<Source> *sources) const {
  i64 all = 0, before = 0;
  for (const Member &member : members_) all += member.size;
  const i64 lanes = is_tar_ ? 1 : std::clamp<i64>(all / kLaneBytes, 1, kMostLanes);
  for (Source &source : *sources) {
    if (source.lane == 0) source.lane = before / (all / lanes + 1);
    before += members_[static_cast<size_t>(source.part)].size;
  }
}

// Only the headers of a tar archive are read, which a mapping allows.
Result<std::vector<Source>> Archive::sources_of(const Source &whole, i64 most) {
  if (!has_ranges()) return sources_in({}, whole, most);
  const Source itself{.path = path_, .end = whole.end};
  const Result<InputFile> file = InputFile::open(itself);
  if (!file.is_ok()) return file.status();
  MappedWindow window(itself, *file, INT64_MAX / 2);
  const Result<Bytes> bytes = window.all();
  if (!bytes.is_ok()) return bytes.status();
  Result<std::vector<Source>> sources = sources_in(*bytes, whole, most);
  if (window.verify().is_ok()) return sources;
  return Status::error(path_ + ": was changed while it was read");
}

Result<std::vector<Source>> Archive::sources_in(Bytes bytes, const Source &whole, i64 most) {
  if (Status status = find_members(bytes, most); !status.is_ok()) return status;
  std::vector<Source> sources;
  for (i64 i = 0; i < std::ssize(members_); ++i) sources.push_back(source_of(whole, i));
  for (Member &member : members_) member.front = {};
  return sources;
}

Result<std::vector<Source>> Archive::split(const Source &whole, bool) {
  Result<std::vector<Source>> sources = sources_of(whole, INT64_MAX);
  if (sources.is_ok()) divide(&*sources);
  return sources;
}

Result<Source> Archive::first(const Source &whole) {
  Result<std::vector<Source>> sources = sources_of(whole, 1);
  return sources.is_ok() ? Result<Source>(sources->front()) : sources.status();
}

// Returns the idle reader of the lane if it has not passed the member yet; else null.
std::unique_ptr<ArchiveReader> Archive::take(i64 lane, i64 number) {
  const std::lock_guard lock(mutex_);
  const auto idle = idle_.find(lane);
  if (idle == idle_.end() || idle->second == nullptr || idle->second->found() >= number) return {};
  return std::move(idle->second);
}

Result<std::unique_ptr<ArchiveReader>> Archive::reader_at(i64 lane, i64 number) {
  std::unique_ptr<ArchiveReader> reader = take(lane, number);
  if (reader == nullptr) {
    Result<std::unique_ptr<ArchiveReader>> opened = ArchiveReader::open(path_, codec_);
    if (!opened.is_ok()) return opened;
    reader = std::move(*opened);
  }
  while (reader->found() < number) {
    const Result<bool> found = reader->next();
    if (!found.is_ok()) return found.status();
    if (!*found) return Status::error(path_ + ": was changed while it was read");
  }
  return reader;
}

void Archive::give_back(i64 lane, std::unique_ptr<ArchiveReader> reader) {
  const std::lock_guard lock(mutex_);
  idle_[lane] = std::move(reader);
}

Result<std::unique_ptr<Stream>> Archive::open(const Source &source) {
  if (source.part < 0) return Status::error(path_ + ": is an archive; name a file in it");
  const Member &member = members_[static_cast<size_t>(source.part)];
  if (!member.problem.is_ok()) return std::make_unique<FailedStream>(member.problem);
  if (!source.file.empty()) {
    Source range = source;
    range.stream = false;  // opens the file itself
    Result<InputFile> file = InputFile::open(range);
    if (!file.is_ok()) return file.status();
    return std::make_unique<RangeStream>(std::move(*file), member.size);
  }
  Result<std::unique_ptr<ArchiveReader>> reader = reader_at(source.lane, member.number);
  if (!reader.is_ok()) return reader.status();
  return std::make_unique<MemberStream>(this, source.lane, std::move(*reader));
}

// True if the file has a name as compressed tar archives have.
bool may_be_packed_tar(const std::string &path) {
  const size_t slash = path.rfind('/');
  const std::string name = slash == path.npos ? path : path.substr(slash + 1);
  if (name.find(".tar.") != name.npos) return true;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{".tgz", ".tzst", ".txz", ".tbz", ".tbz2"},
      [&](std::string_view end) { return name.ends_with(end); });
}

// Returns the first bytes of a compressed file, decompressed; none if that fails.
std::string front_of_packed(const std::string &path, Codec codec) {
  std::string front(kBinaryHead, '\0');
  Result<InputFile> file = InputFile::open(Source{.path = path});
  if (!file.is_ok()) return "";
  BufferedReader packed(std::move(*file));
  const Result<std::unique_ptr<Stream>> stream = open_stream(codec, &packed);
  size_t size = 0;
  while (stream.is_ok() && size < front.size()) {
    const Result<i64> got =
        (*stream)->read(front.data() + size, static_cast<i64>(front.size() - size));
    if (!got.is_ok() || *got == 0) break;
    size += static_cast<size_t>(*got);
  }
  front.resize(size);
  return front;
}

// The kind of a file, by its first bytes.
struct Kind {
  bool is_archive = false, is_tar = false;
  Codec codec = Codec::none;
};

// A tar archive without files is blocks of NUL bytes, which only its name tells from others.
bool is_empty_tar(const std::string &path, Codec codec, Bytes first) {
  return (path.ends_with(".tar") || codec != Codec::none) && first.size() >= kTarBlock &&
         first.find_first_not_of('\0') == Bytes::npos;
}

Kind kind_of(const std::string &path, Bytes first) {
  Kind kind{.codec = codec_of(first.substr(0, kMagicBytes))};
  if (is_wide(kind.codec)) kind.codec = Codec::none;
  std::string unpacked;
  if (kind.codec != Codec::none) {
    if (!may_be_packed_tar(path)) return kind;
    unpacked = front_of_packed(path, kind.codec);
    first = unpacked;
  }
  const BinaryFormat *format = binary_format_of(first);
  kind.is_tar = (format != nullptr && format->is_tar) || is_empty_tar(path, kind.codec, first);
  kind.is_archive = kind.is_tar || (format != nullptr && format->is_zip && unpacked.empty());
  return kind;
}

}  // namespace

bool is_archive(const std::string &path, Bytes first) { return kind_of(path, first).is_archive; }

Result<std::shared_ptr<Collection>> open_archive(const std::string &path,
                                                 const std::string &member) {
  Result<InputFile> file = InputFile::open(Source{.path = path});
  if (!file.is_ok()) return file.status();
  std::string first(kBinaryHead, '\0');
  const Result<i64> got = file->read_at(0, first.data(), std::ssize(first));
  if (!got.is_ok()) return got.status();
  first.resize(static_cast<size_t>(*got));
  const Kind kind = kind_of(path, first);
  if (!kind.is_archive) return std::shared_ptr<Collection>();
  return std::shared_ptr<Collection>(
      std::make_shared<Archive>(path, member, kind.codec, kind.is_tar));
}

}  // namespace mrc
