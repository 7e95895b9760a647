// gzip as gzip(1) reads it: members follow each other, zeros after the last one are padding, and
// anything else there is garbage, which is reported.
//
// The decoder may hold output that did not fit, so after the end of the input it is called until it
// returns nothing.
#include "input/inner/inflate.h"
#include "input/stream.h"

namespace mrc {
namespace {

using namespace std::string_view_literals;

class GzipStream : public Stream {
 public:
  explicit GzipStream(BufferedReader *from) : from_(from) {}

  Result<i64> read(char *to, i64 size) override {
    i64 made = 0;
    while (made == 0 && !ended_) {
      failure_ = in_member_ ? inflate(to, size, &made) : begin_member();
      if (!failure_.is_ok()) ended_ = true;
    }
    // Damaged input yields the same bytes, however few the caller asks for at a time.
    if (!failure_.is_ok()) made += inflater_.take_leftover(to + made, size - made);
    if (made == 0 && !failure_.is_ok()) return failure_;
    return made;
  }

 private:
  Status inflate(char *to, i64 size, i64 *made);
  Status begin_member();

  BufferedReader *from_;
  bool in_member_ = false;
  bool ended_ = false;
  Status failure_ = Status::ok();  // returned after all bytes before it
  Inflater inflater_;
};

Status GzipStream::inflate(char *to, i64 size, i64 *made) {
  Result<Bytes> in = from_->peek(1);
  if (!in.is_ok()) return in.status();
  const Inflater::Step step = inflater_.step(*in, to, size);
  from_->skip(step.taken);
  *made = step.made;
  if (step.failure != nullptr) return damaged(*from_, step.failure);
  if (step.ended) {
    in_member_ = false;
  } else if (step.taken == 0 && step.made == 0) {
    return damaged(*from_, in->empty() ? "gzip: unexpected end" : "gzip: invalid data");
  }
  return Status::ok();
}

Status GzipStream::begin_member() {
  Result<Bytes> in = from_->peek(2);
  if (!in.is_ok()) return in.status();
  if (in->starts_with("\x1f\x8b"sv)) {
    inflater_.begin_member();
    in_member_ = true;
    return Status::ok();
  }
  while (!in->empty() && in->front() == 0) {
    from_->skip(static_cast<i64>(std::min(in->find_first_not_of('\0'), in->size())));
    in = from_->peek(1);
    if (!in.is_ok()) return in.status();
  }
  ended_ = true;
  return in->empty() ? Status::ok() : damaged(*from_, "gzip: trailing garbage");
}

}  // namespace

std::unique_ptr<Stream> open_gzip(BufferedReader *from) {
  return std::make_unique<GzipStream>(from);
}

}  // namespace mrc
