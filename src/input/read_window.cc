#include "input/inner/read_window.h"

#include "record.h"

#include <algorithm>
#include <cstring>

namespace mrc {

i64 ReadWindow::stride() const { return i64{256} << 10; }

Result<Bytes> ReadWindow::view(i64 begin, i64 end) {
  // Lets a view that begins a record later than the last one stay in place.
  constexpr i64 kSlack = i64{16} << 10;
  if (begin < begin_ || begin >= end_) {
    begin_ = end_ = begin;
  } else if (end - begin_ + kPadding > buffer_->size()) {
    // Moves the unfinished record of the last view to the front.
    std::memmove(buffer_->data(), buffer_->data() + (begin - begin_),
                 static_cast<size_t>(end_ - begin));
    begin_ = begin;
  }
  if (end - begin_ + kPadding > buffer_->size()) buffer_->grow(end - begin + kPadding + kSlack);
  char *bytes = reinterpret_cast<char *>(buffer_->data());
  if (end > end_) {
    Result<i64> got = file_.read_at(end_, bytes + (end_ - begin_), end - end_);
    if (!got.is_ok()) return got.status();
    end_ += *got;
  }
  return Bytes(bytes + (begin - begin_), static_cast<size_t>(std::min(end, end_) - begin));
}

}  // namespace mrc
