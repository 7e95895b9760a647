// Indexes files: each chunk is a page, of which the index keeps the bounds of some fields.
#include "kept/range_index.h"

#include "base/setting_name.h"
#include "engine/inner/plan_steps.h"
#include "engine/inner/run.h"
#include "engine/sinks/range_pages.h"
#include "kept/identify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>

namespace mrc {
namespace {

using IndexPages = std::vector<RangeIndex::Page>;

// True if the path is that of an open file, which another process has under another name.
bool names_descriptor(const std::string &path) {
  return path.starts_with("/dev/fd/") || path == "/dev/stdin" || path.starts_with("/proc/");
}

class RangeSink : public StageSink {
 public:
  explicit RangeSink(Run *run) : run_(*run), fields_(run->program.ranges.fields) {}

  Status open() override {
    for (const Source &source : run_.plan.sources) {
      if (!is_named_file(source) || names_descriptor(source.path)) {
        return Status::error(source.name() + ": is not a file, and cannot be indexed");
      }
      const Result<FileStamp> stamp = stamp_now(source);
      if (!stamp.is_ok()) return stamp.status();
      stamps_.push_back(*stamp);
      if (Status status = find_blocks(source); !status.is_ok()) return status;
    }
    const std::string &directory = run_.program.ranges.directory;
    if (!directory.empty() && access(directory.c_str(), F_OK) != 0) {
      return Status::from_errno(directory, errno).within(setting_name("index-dir"));
    }
    std::ranges::for_each(stamps_, await_next_tick);
    return Status::ok();
  }
  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return std::make_unique<RangeHand>(this, bad);
  }
  bool answers() const override { return false; }
  Status end(Report *) override {
    for (i64 i = 0; i < std::ssize(run_.plan.sources); ++i) {
      const Source &source = run_.plan.sources[static_cast<size_t>(i)];
      if (run_.damaged.contains(source.path)) continue;
      if (Status status = write(i, source); !status.is_ok()) return status;
    }
    return Status::ok();
  }

 private:
  class RangeHand : public Hand {
   public:
    RangeHand(RangeSink *sink, BadRecordSink *bad)
        : sink_(*sink),
          pages_of_(sink->run_.program.map.fields.wanted(), sink->fields_, *sink->run_.readers,
                    sink->run_.program.map.terminator, bad) {}

    Status take(const Chunk &chunk, i64 *records) override {
      RangeIndex::Page page = pages_of_.make(chunk);
      page.content = RangeIndex::content_hash().of(chunk.offset, chunk.bytes);
      *records += page.records;
      pages_[chunk.source].push_back(std::move(page));
      return Status::ok();
    }
    Status seal(bool) override {
      std::lock_guard lock(sink_.run_.mutex);
      for (auto &[source, pages] : pages_) {
        std::ranges::move(pages, std::back_inserter(sink_.pages_[source]));
      }
      return Status::ok();
    }

   private:
    RangeSink &sink_;
    PageMaker pages_of_;
    std::map<i64, IndexPages> pages_;  // by source
  };

  // An index shows values of the file, so it gets the permissions of the file.
  static Status make_like(const Source &source, OutputFile *file) {
    const Result<InputFile> like = InputFile::open(source);
    return like.is_ok() ? file->resemble(like->fd()) : like.status();
  }
  // A compressed file is indexed if parts of it can be read.
  Status find_blocks(const Source &source) {
    blocks_.emplace_back();
    if (source.codec == Codec::none) return Status::ok();
    Result<PackedBlocks> blocks = find_packed_blocks(source);
    if (!blocks.is_ok()) {
      return Status::error(fmt::format(
          "{}: it cannot be indexed; unpack it, or compress it by bgzip(1) or mrc load {} zst",
          blocks.status().message(), setting_name("compress")));
    }
    blocks_.back() = std::make_shared<const PackedBlocks>(std::move(*blocks));
    return Status::ok();
  }
  static Result<FileStamp> stamp_now(const Source &source) {
    const Result<InputFile> file = InputFile::open(source);
    return file.is_ok() ? stamp_of(source, *file) : file.status();
  }

  Status write(i64 i, const Source &source) {
    RangeIndex index{.file = stamps_[static_cast<size_t>(i)],
                     .reads = reading_for_ranges(run_.program, *run_.readers->dialect(i)),
                     .fields = fields_,
                     .pages = std::move(pages_[i]),
                     .blocks = blocks_[static_cast<size_t>(i)]};
    const Result<FileStamp> now = stamp_now(source);
    if (!now.is_ok()) return now.status();
    if (*now != index.file) {
      return Status::error(source.name() + ": has changed while it was indexed; index it again");
    }
    std::ranges::sort(index.pages, {}, &RangeIndex::Page::begin);
    if (!index.is_whole()) {
      return Status::error(source.name() + ": was not read to its end, and is not indexed");
    }
    const std::string path = range_index_path(source.path, run_.program.ranges.directory);
    Result<std::unique_ptr<OutputFile>> file = OutputFile::open(path);
    if (!file.is_ok()) {
      if (!run_.program.ranges.directory.empty()) return file.status();
      return Status::error(fmt::format("{}; {} writes indexes to another directory",
                                       file.status().message(), setting_name("index-dir")));
    }
    Status status = make_like(source, file->get());
    if (status.is_ok()) status = (*file)->write(index.to_bytes());
    return status.is_ok() ? (*file)->commit() : status;
  }

  Run &run_;
  const std::vector<IndexedField> &fields_;
  std::vector<FileStamp> stamps_;                            // by source
  std::vector<std::shared_ptr<const PackedBlocks>> blocks_;  // by source
  std::map<i64, IndexPages> pages_;                          // by source
};

class RangeStage : public Stage {
 public:
  explicit RangeStage(const Program &program) : program_(program) {}

  i64 record_bytes() const override { return program_.map.record_bytes; }
  void plan(Plan *plan) const override {
    plan->decisions.push_back({"pages", "one for each chunk", "whole records"});
  }
  Result<std::unique_ptr<StageSink>> make_sink(Run *run) const override {
    return std::unique_ptr<StageSink>(std::make_unique<RangeSink>(run));
  }

 private:
  const Program &program_;
};

}  // namespace

constinit const StageType kRangeStage = make_stage_type<RangeStage>("range", Makes::verdict);

}  // namespace mrc
