#include "input/stream.h"

#include <fmt/format.h>

namespace mrc {
namespace {

class PlainStream : public Stream {
 public:
  explicit PlainStream(BufferedReader *from) : from_(from) {}
  Result<i64> read(char *to, i64 size) override { return from_->read(to, size); }

 private:
  BufferedReader *from_;
};

}  // namespace

Result<std::unique_ptr<Stream>> open_stream(Codec codec, BufferedReader *from) {
  switch (codec) {
    case Codec::none: return std::unique_ptr<Stream>(std::make_unique<PlainStream>(from));
    case Codec::gzip:
    case Codec::bgzf: return open_gzip(from);
    case Codec::zstd: return open_zstd(from);
    default: return open_program(codec, from);
  }
}

Status damaged(const BufferedReader &at, std::string_view reason) {
  return Status::error(
      fmt::format("{}: {} at byte {} of the compressed data; what lies before it "
                  "is used",
                  at.name(), reason, at.offset()));
}

}  // namespace mrc
