// A window filled by pread into a buffer that stays in the L2 cache.
#pragma once

#include "input/input.h"

namespace mrc {

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
