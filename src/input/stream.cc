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
    case Codec::none: return std::make_unique<PlainStream>(from);
#define CODEC(name, program, package, stream, ...) \
  case Codec::name: return stream;
#include "input/codecs.inc"
  }
  __builtin_unreachable();
}

Status damaged(const BufferedReader &at, std::string_view reason) {
  return Status::error(
      fmt::format("{}: {} at byte {} of the compressed data; what lies before it "
                  "is used",
                  at.name(), reason, at.offset()));
}

}  // namespace mrc
