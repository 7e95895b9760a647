// Follows a pipe, fifo, terminal or socket among other inputs: reads do not block.
#include "input/followed.h"

#include <poll.h>

#include <utility>

namespace mrc {
namespace {

class FollowedPipe : public Followed {
 public:
  FollowedPipe(InputFile file, Listener listener)
      : file_(std::move(file)), listener_(std::move(listener)) {}

  Arrival next(char *to, i64 room) override {
    if (file_.fd() < 0) return {Arrival::What::over};
    pollfd ready = {file_.fd(), POLLIN, 0};
    if (poll(&ready, 1, 0) <= 0) return {};
    const Result<i64> got = file_.read(to, room);
    if (!got.is_ok()) listener_.complain(got.status());
    if (got.is_ok() && *got > 0 && !is_compressed({to, static_cast<size_t>(*got)})) {
      return {Arrival::What::bytes, 0, *got};
    }
    file_ = InputFile();  // a terminal would deliver more after its end
    return {Arrival::What::over};
  }
  int poll_fd() const override { return file_.fd(); }

 private:
  // Refuses compressed input: the decompressor would block, and other inputs with it.
  bool is_compressed(Bytes arrived) {
    if (std::exchange(begun_, true) || codec_of(arrived) == Codec::none) return false;
    listener_.complain(Status::error(
        file_.name() + ": a pipe that is followed cannot be compressed; decompress it before"));
    return true;
  }

  InputFile file_;
  const Listener listener_;
  bool begun_ = false;
};

}  // namespace

Result<std::unique_ptr<Followed>> follow_pipe(const Source &source, Followed::Listener listener) {
  Result<InputFile> file = InputFile::open(source);
  if (!file.is_ok()) return file.status();
  return std::unique_ptr<Followed>(
      std::make_unique<FollowedPipe>(std::move(*file), std::move(listener)));
}

}  // namespace mrc
