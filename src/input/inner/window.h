// Windows of a file: mapped, which saves a copy and costs page tables, or read into a buffer.
#pragma once

#include "input/input.h"

namespace mrc {

// A window that maps the file: saves a copy and costs page tables.

class MappedWindow : public Window {
 public:
  MappedWindow(const Source &source, const InputFile &file);
  ~MappedWindow() override { unmap(); }
  Result<Bytes> view(i64 begin, i64 end) override;
  Status verify() const override;
  i64 stride() const override;

 private:
  Status move(i64 begin, i64 end);
  Status map(i64 from, i64 end);
  void unmap();
  Status cannot_map(int error) const;

  const Source &source_;
  const InputFile &file_;
  std::byte *base_ = nullptr;
  i64 begin_ = 0, end_ = 0;  // bytes of the file that are mapped at base_
  i64 mapped_ = 0;           // size of the mapping at base_, guard page included
};

// A window filled by pread into a buffer that stays in the L2 cache.

class ReadWindow : public Window {
 public:
  ReadWindow(const InputFile &file, Pages *buffer) : file_(file), buffer_(buffer) {}
  Result<Bytes> view(i64 begin, i64 end) override;
  Status verify() const override { return Status::ok(); }
  i64 stride() const override;

 private:
  const InputFile &file_;
  Pages *buffer_;
  i64 begin_ = 0;  // range of the file in the buffer: [begin_, end_)
  i64 end_ = 0;
};

}  // namespace mrc
