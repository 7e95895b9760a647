// Decompresses by an external program: such formats are rarer than gzip and zstd, and each would
// need another library. The program reads the file itself if it can. Bytes peeked from a pipe are
// consumed, so pipes are copied to the program.
#include "input/inner/child_program.h"
#include "input/stream.h"

#include <errno.h>
#include <fmt/format.h>

namespace mrc {
namespace {

class ProgramStream : public Stream {
 public:
  ProgramStream(Codec codec, BufferedReader *from) : codec_(codec), from_(from) {}

  Status start();
  Result<i64> read(char *to, i64 size) override;

 private:
  void hand_on();

  Codec codec_;
  BufferedReader *from_;
  ChildProgram program_;
  bool reads_itself_ = false;
  bool hands_on_ = false;          // input is still to be written to the program
  Status failure_ = Status::ok();  // ends the stream; returned after all bytes before it
};

Status ProgramStream::start() {
  const std::string name = codec_name(codec_);
  reads_itself_ = from_->unread();
  hands_on_ = !reads_itself_;
  const int error = program_.start({name, "-dc"}, reads_itself_ ? from_->fd() : -1);
  if (error == 0) return Status::ok();
  if (error != ENOENT) return Status::from_errno(from_->name() + ": " + name, error);
  return Status::error(
      fmt::format("{}: is compressed by {}, and there is no program of that name: install the "
                  "package {}, or decompress it beforehand",
                  from_->name(), name, package_of(codec_)));
}

Result<i64> ProgramStream::read(char *to, i64 size) {
  while (hands_on_ && !program_.await_output(true)) {
    hand_on();
  }
  const ssize_t got = program_.read(to, static_cast<size_t>(size));
  if (reads_itself_) from_->follow();
  if (got > 0) return i64{got};
  if (got < 0) return Status::from_errno(from_->name() + ": " + codec_name(codec_), errno);
  std::string reason;
  const bool is_whole = program_.succeeded(&reason);
  if (!failure_.is_ok()) return failure_;
  if (is_whole) return i64{0};
  return Status::error(fmt::format("{}: {}: {}; what lies before it is used", from_->name(),
                                   codec_name(codec_), reason));
}

void ProgramStream::hand_on() {
  const Result<Bytes> next = from_->peek(1);
  if (!next.is_ok()) failure_ = next.status();
  if (next.is_ok() && !next->empty()) {
    from_->skip(static_cast<i64>(program_.write(next->data(), next->size())));
    return;
  }
  hands_on_ = false;
  program_.end_input();
}

}  // namespace

Result<std::unique_ptr<Stream>> open_program(Codec codec, BufferedReader *from) {
  auto stream = std::make_unique<ProgramStream>(codec, from);
  if (Status status = stream->start(); !status.is_ok()) return status;
  return stream;
}

}  // namespace mrc
