// Windows of a file: mapped, which saves a copy and costs page tables, or read into a buffer.
// --io decides between them: mapped bytes are seen through small pages, and come from memory, so
// jobs take 0.85 to 1.4 times as long, by machine.
#pragma once

#include "input/input.h"

namespace mrc {

// A window that maps the file. The pages of a view are in memory before it is used, and those in
// front of it are given back, so that resident memory does not grow with the file.
class MappedWindow : public Window {
 public:
  // Bytes to map at a time: all of most files. Each worker needs address space for them.
  static constexpr i64 kMost = i64{1} << 30;

  // `most`: another limit, for tests.
  MappedWindow(const Source &source, const InputFile &file, i64 most = kMost);
  ~MappedWindow() override { unmap(); }
  Result<Bytes> view(i64 begin, i64 end) override;
  // Returns the file up to the limit. A page is read when its first byte is.
  Result<Bytes> all();
  Status verify() const override;
  i64 stride() const override;

 private:
  Status move(i64 begin, i64 end);
  Status map(i64 from, i64 end);
  void show(i64 begin, i64 end);
  void advise(i64 begin, i64 end, int advice);
  void unmap();
  Status cannot_map(int error) const;

  const Source &source_;
  const InputFile &file_;
  const i64 most_;
  std::byte *base_ = nullptr;
  i64 begin_ = 0, end_ = 0;        // bytes of the file that are mapped at base_
  i64 resident_ = 0, filled_ = 0;  // pages of these are in memory
  i64 mapped_ = 0;                 // size of the mapping at base_, guard page included
};

// A window filled by pread into a buffer that stays in the L2 cache. Each byte has the same place
// in a cache line as in the page cache: copies to other places are up to five times slower.
class ReadWindow : public Window {
 public:
  ReadWindow(const InputFile &file, Pages *buffer) : file_(file), buffer_(buffer) {}
  Result<Bytes> view(i64 begin, i64 end) override;
  Status verify() const override { return Status::ok(); }
  i64 stride() const override;

 private:
  static constexpr i64 kLine = 64;  // bytes of a cache line

  const InputFile &file_;
  Pages *buffer_;
  i64 begin_ = 0;  // range of the file in the buffer: [begin_, end_)
  i64 end_ = 0;
};

}  // namespace mrc
