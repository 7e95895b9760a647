#include "engine/sinks/load_files.h"

#include "engine/inner/bad_records.h"
#include "engine/inner/plan_steps.h"
#include "engine/sinks/load_rows.h"
#include "fields/fields.h"
#include "kept/identify.h"
#include "output/zstd_frame.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace mrc {
namespace {

constexpr size_t kPageBytes = size_t{256} << 10;
constexpr size_t kFrameBytes = kPageBytes;
constexpr size_t kLeastHeld = size_t{1} << 20, kMostHeld = size_t{16} << 20;

Result<FileStamp> stamp_at(const std::string &path) {
  const Result<Source> source = examine(path);
  if (!source.is_ok()) return source.status();
  const Result<InputFile> file = InputFile::open(*source);
  return file.is_ok() ? stamp_of(*source, *file) : file.status();
}

// Returns how the file is read if the user says nothing about it; nothing: its first bytes do not
// show that. `blocks`: those of a compressed file; or null.
Result<std::optional<Dialect>> dialect_at(const std::string &path,
                                          const std::shared_ptr<const PackedBlocks> &blocks) {
  Result<Source> source = examine(path);
  if (!source.is_ok()) return source.status();
  if (blocks) read_by_blocks(blocks, &*source);
  const Result<InputFile> file = InputFile::open(*source);
  if (!file.is_ok()) return file.status();
  std::string head(static_cast<size_t>(kSniffedBytes + kPadding), '\0');
  const Result<i64> got = file->read_at(0, head.data(), kSniffedBytes);
  if (!got.is_ok()) return got.status();
  const FormatSpec spec{.names_fields = true};
  const std::optional<SniffedHead> seen =
      sniffed_head(Bytes(head).substr(0, static_cast<size_t>(*got)), *got < kSniffedBytes, spec);
  if (!seen) return std::optional<Dialect>();
  Result<Dialect> dialect = sniff(spec, seen->bytes, seen->whole);
  return dialect.is_ok() ? Result<std::optional<Dialect>>(std::move(*dialect)) : dialect.status();
}

}  // namespace

// Makes the pieces of one block after another.
class LoadFiles::Worker {
 public:
  explicit Worker(LoadFiles *all) : all_(*all) {
    if (all_.spec_.readers == nullptr) return;
    std::vector<FieldName> names;
    for (const IndexedField &field : fields()) names.push_back(field.name);
    maker_.emplace(WantedFields(nullptr, names), fields(), *all_.spec_.readers,
                   all_.run_.program.map.terminator, &ignored_);
  }

  Status work() {
    for (;;) {
      const i64 block = all_.next_block_++;
      if (block >= all_.rows_.blocks()) return Status::ok();
      Status status = guarded([&] { return show(block); });
      if (status.is_ok() && !all_.wait_for_turn(block)) return Status::ok();
      if (status.is_ok()) status = guarded([&] { return write(); });
      if (!status.is_ok()) {
        all_.stop();
        return status;
      }
      all_.pass_turn();
    }
  }

 private:
  const std::vector<IndexedField> &fields() const { return all_.run_.program.ranges.fields; }

  Status show(i64 block) {
    Status status = Status::ok();
    Status shown = all_.rows_.show(block, [&](std::span<const Row> rows) {
      add(rows);
      if (held_ < all_.held_bytes_) return true;
      if (!all_.wait_for_turn(block)) return false;
      status = write();
      return status.is_ok();
    });
    return shown.is_ok() ? status : shown;
  }

  // Rows are scattered in memory, so their data is fetched some rows ahead.
  void add(std::span<const Row> rows) {
    constexpr size_t kFetchAhead = 12;
    const RowLayout layout = load_layout();
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i + kFetchAhead < rows.size()) __builtin_prefetch(layout.data(rows[i + kFetchAhead]));
      const Bytes identity = layout.identity(rows[i]), payload = layout.payload(rows[i]);
      Piece &piece = piece_for(identity.substr(0, identity.size() - 1));
      piece.text.append(payload);
      ++piece.records;
      held_ += payload.size();
    }
  }
  // Returns the last piece if it has room and is of this folder, or else a new one.
  Piece &piece_for(Bytes folder) {
    const bool goes_on = !pieces_.empty() && pieces_.back().text.size() < kPageBytes &&
                         folder == pieces_.back().folder;
    if (goes_on) return pieces_.back();
    if (!pieces_.empty()) find_bounds(&pieces_.back());
    pieces_.emplace_back().folder = folder;
    return pieces_.back();
  }
  // The place of a piece in its file is not known yet. It is not the beginning, where a header
  // would be.
  void find_bounds(Piece *piece) {
    if (!maker_) return;
    const size_t size = piece->text.size();
    piece->text.append(kPadding, '\0');
    piece->page = maker_->make({.bytes = Bytes(piece->text).substr(0, size), .offset = 1});
    piece->text.resize(size);
  }
  Status write() {
    if (!pieces_.empty()) find_bounds(&pieces_.back());
    Status status = Status::ok();
    for (Piece &piece : pieces_) {
      status = all_.take(&piece);
      if (!status.is_ok()) break;
    }
    pieces_.clear();
    held_ = 0;
    return status;
  }

  LoadFiles &all_;
  IgnoredRecords ignored_;          // the inputs had their values
  std::optional<PageMaker> maker_;  // unset: there are no indexes
  std::vector<Piece> pieces_;
  size_t held_ = 0;  // bytes of their text
};

LoadFiles::LoadFiles(const Run &run, Spec spec, RowSource *rows, FileSet *files)
    : run_(run),
      load_(*run.program.load),
      spec_(std::move(spec)),
      rows_(*rows),
      files_(*files),
      held_bytes_(std::clamp(static_cast<size_t>(run.worker_share()) / 16, kLeastHeld, kMostHeld)) {
}

Status LoadFiles::write(WorkerPool *pool) {
  Status status = pool->run(pool->size(), [&](i64) { return Worker(this).work(); });
  if (status.is_ok()) status = end();
  return status.is_ok() ? check_stamps() : status;
}

bool LoadFiles::wait_for_turn(i64 block) {
  std::unique_lock lock(mutex_);
  turns_.wait(lock, [&] { return stopped_ || turn_ == block; });
  return !stopped_;
}

void LoadFiles::pass_turn() {
  const std::lock_guard lock(mutex_);
  ++turn_;
  turns_.notify_all();
}

void LoadFiles::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  turns_.notify_all();
}

Status LoadFiles::take(Piece *piece) {
  if (file_ == nullptr || piece->folder != folder_) {
    Status status = end();
    if (status.is_ok()) status = begin(piece->folder);
    if (!status.is_ok()) return status;
  }
  records_ += piece->records;
  if (spec_.readers != nullptr) add_page(piece);
  return write(piece->text);
}

void LoadFiles::add_page(Piece *piece) {
  RangeIndex::Page &page = piece->page;
  const i64 at = text_bytes();  // after the header, which belongs to the first page
  page.begin = pages_.empty() ? 0 : at;
  page.end = at + std::ssize(piece->text);
  page.content = RangeIndex::content_hash().of(at, piece->text);
  if (pages_.empty()) {
    page.content = ContentHash::join(page.content, RangeIndex::content_hash().of(0, spec_.header));
  }
  pages_.push_back(std::move(page));
}

// Returns the size of the open file's text so far.
i64 LoadFiles::text_bytes() const {
  return load_.compresses ? blocks_.text_bytes + std::ssize(frame_) : file_->bytes();
}

// Frames end at multiples of a size, so that files do not depend on the pieces of workers.
Status LoadFiles::write(Bytes text) {
  if (!load_.compresses) return file_->write(text);
  Status status = Status::ok();
  while (status.is_ok() && frame_.size() + text.size() >= kFrameBytes) {
    const size_t more = kFrameBytes - frame_.size();
    frame_.append(text.substr(0, more));
    text.remove_prefix(more);
    status = write_frame(frame_);
  }
  frame_.append(text);
  return status;
}

Status LoadFiles::write_frame(Bytes text) {
  blocks_.blocks.push_back({blocks_.text_bytes, file_->bytes()});
  blocks_.text_bytes += std::ssize(text);
  Status status = file_->write(zstd_frame(text));
  frame_.clear();
  return status;
}

Status LoadFiles::begin(const std::string &folder) {
  folder_ = folder;
  path_ = folder + "/" + spec_.name + load_.ending;
  Result<std::unique_ptr<OutputFile>> file = files_.create(path_);
  if (!file.is_ok()) return file.status();
  file_ = std::move(*file);
  blocks_ = {};
  blocks_.codec = Codec::zstd;
  return write(spec_.header);
}

// Completes the open file. A file of one page needs no index, because its first page is always
// read.
Status LoadFiles::end() {
  if (file_ == nullptr) return Status::ok();
  if (!frame_.empty()) {
    if (Status status = write_frame(frame_); !status.is_ok()) return status;
  }
  loaded_.push_back({path_, file_->bytes(), std::exchange(records_, 0)});
  Status status = files_.add(path_, file_.get());
  file_.reset();
  const bool is_sound = std::ranges::none_of(pages_, &RangeIndex::Page::bad_records);
  const bool has_index = spec_.readers != nullptr && pages_.size() > 1 && is_sound;
  if (status.is_ok() && has_index) status = write_index();
  pages_.clear();
  return status;
}

// Leaves the index out if the file, as it is, would not be read as its pages were.
Status LoadFiles::write_index() {
  const std::string path = files_.path_of(path_);
  const Result<FileStamp> stamp = stamp_at(path);
  const std::shared_ptr<const PackedBlocks> blocks =
      load_.compresses ? std::make_shared<const PackedBlocks>(std::move(blocks_)) : nullptr;
  const Result<std::optional<Dialect>> dialect = dialect_at(path, blocks);
  if (!stamp.is_ok()) return stamp.status();
  if (!dialect.is_ok()) return dialect.status();
  if (!*dialect || !reads_alike(**dialect, *spec_.readers->dialect(0))) return Status::ok();
  const RangeIndex index{.file = *stamp,
                         .reads = reading_for_ranges(run_.program, **dialect),
                         .fields = run_.program.ranges.fields,
                         .pages = std::move(pages_),
                         .blocks = blocks};
  const std::string index_path = range_index_path(path_, "");
  Result<std::unique_ptr<OutputFile>> file = files_.create(index_path);
  if (!file.is_ok()) return file.status();
  Status status = (*file)->write(index.to_bytes());
  if (status.is_ok()) status = files_.add(index_path, file->get());
  stamps_.emplace_back(path, *stamp);
  return status;
}

// A file that changed right after it appeared could have the same stamp.
Status LoadFiles::check_stamps() const {
  if (stamps_.empty()) return Status::ok();
  await_next_tick(stamps_.back().second);
  for (const auto &[path, stamp] : stamps_) {
    const Result<FileStamp> now = stamp_at(path);
    if (!now.is_ok()) return now.status();
    if (*now != stamp) {
      return Status::error(path + ": has been changed while it was loaded; load again");
    }
  }
  return Status::ok();
}

bool reads_alike(const Dialect &a, const Dialect &b) {
  if (a.format != b.format) return false;
  return a.open && b.open ? a.layout == b.layout : hash_of(a) == hash_of(b);
}

}  // namespace mrc
