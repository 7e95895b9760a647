#include "input/inner/archive_reader.h"

#include "base/library.h"

#include <fmt/format.h>
#include <locale.h>

#include <algorithm>

namespace mrc {
namespace {

constexpr size_t kArchiveBlock = size_t{256} << 10;

Result<ArchiveLibrary> load_archive_library() {
  const Result<Library> library = Library::load("libarchive.so.13", "libarchive13");
  if (!library.is_ok()) return library.status();
  ArchiveLibrary functions;
#define MRC_FIND(name)                                   \
  if (!library->find(#name, &functions.name)) {          \
    return Status::error("libarchive.so.13 is too old"); \
  }
  MRC_ARCHIVE_FUNCTIONS(MRC_FIND)
#undef MRC_FIND
  return functions;
}

// While this lives, the calling thread has a locale of UTF-8: the library drops names that the
// encoding of the locale lacks.
class Utf8Names {
 public:
  Utf8Names() : before_(locale() == locale_t() ? locale_t() : uselocale(locale())) {}
  ~Utf8Names() {
    if (before_ != locale_t()) uselocale(before_);
  }
  Utf8Names(const Utf8Names &) = delete;
  Utf8Names &operator=(const Utf8Names &) = delete;

 private:
  static locale_t locale() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t());
    return utf8;
  }
  const locale_t before_;
};

}  // namespace

Result<const ArchiveLibrary *> ArchiveLibrary::get() {
  static const Result<ArchiveLibrary> library = load_archive_library();
  return library.is_ok() ? Result<const ArchiveLibrary *>(&*library) : library.status();
}

ArchiveReader::ArchiveReader(const ArchiveLibrary &library, std::string path)
    : library_(library), path_(std::move(path)), handle_(library.archive_read_new()) {
  if (handle_ == nullptr) throw std::bad_alloc();
  library_.archive_read_support_format_tar(handle_);
  library_.archive_read_support_format_zip(handle_);
}

ArchiveReader::~ArchiveReader() { library_.archive_read_free(handle_); }

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::make(const std::string &path) {
  const Result<const ArchiveLibrary *> library = ArchiveLibrary::get();
  if (!library.is_ok()) return library.status().within(path);
  return std::unique_ptr<ArchiveReader>(new ArchiveReader(**library, path));
}

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open(const std::string &path, Codec codec) {
  Result<std::unique_ptr<ArchiveReader>> reader = make(path);
  if (!reader.is_ok()) return reader;
  if (codec != Codec::none) {
    Status status = (*reader)->open_packed(codec);
    return status.is_ok() ? std::move(reader) : Result<std::unique_ptr<ArchiveReader>>(status);
  }
  ArchiveReader &its = **reader;
  if (its.library_.archive_read_open_filename(its.handle_, path.c_str(), kArchiveBlock) !=
      ARCHIVE_OK) {
    return its.failure();
  }
  return reader;
}

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open(const std::string &path, Bytes bytes) {
  Result<std::unique_ptr<ArchiveReader>> reader = make(path);
  if (!reader.is_ok()) return reader;
  ArchiveReader &its = **reader;
  const int opened = its.library_.archive_read_open_memory(its.handle_, bytes.data(), bytes.size());
  return opened == ARCHIVE_OK ? std::move(reader)
                              : Result<std::unique_ptr<ArchiveReader>>(its.failure());
}

// Decompresses as compressed inputs are, and lets the library take the archive apart.
Status ArchiveReader::open_packed(Codec codec) {
  Result<InputFile> file = InputFile::open(Source{.path = path_});
  if (!file.is_ok()) return file.status();
  packed_ = std::make_unique<BufferedReader>(std::move(*file));
  Result<std::unique_ptr<Stream>> stream = open_stream(codec, packed_.get());
  if (!stream.is_ok()) return stream.status();
  stream_ = std::move(*stream);
  block_.resize(kArchiveBlock);
  const int opened = library_.archive_read_open(handle_, this, nullptr, read_packed, nullptr);
  return opened == ARCHIVE_OK ? Status::ok() : failure();
}

la_ssize_t ArchiveReader::read_packed(struct archive *, void *reader, const void **buffer) {
  auto &its = *static_cast<ArchiveReader *>(reader);
  *buffer = its.block_.data();
  if (!its.damage_.is_ok()) return 0;
  const Result<i64> got = its.stream_->read(its.block_.data(), std::ssize(its.block_));
  if (!got.is_ok()) its.damage_ = got.status();
  return got.is_ok() ? *got : 0;
}

// Damage of compressed bytes is the reason for all that follows.
Status ArchiveReader::failure() const { return damage_.is_ok() ? failure_of(path_) : damage_; }

Status ArchiveReader::failure_of(const std::string &subject) const {
  const char *reason = library_.archive_error_string(handle_);
  return Status::error(fmt::format("{}: the archive is damaged: {}", subject,
                                   reason == nullptr ? "it cannot be read" : reason));
}

Result<bool> ArchiveReader::next() {
  const Utf8Names utf8_names;
  const int result = library_.archive_read_next_header(handle_, &entry_);
  if (result == ARCHIVE_EOF) return damage_.is_ok() ? Result<bool>(false) : damage_;
  if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return failure();
  ++found_;
  return true;
}

// Names that are not UTF-8 are taken as their bytes.
std::string ArchiveReader::name() const {
  const Utf8Names utf8_names;
  const char *name = library_.archive_entry_pathname_utf8(entry_);
  if (name == nullptr) name = library_.archive_entry_pathname(entry_);
  return name == nullptr ? "" : name;
}

bool ArchiveReader::is_file() const {
  return library_.archive_entry_filetype(entry_) == AE_IFREG &&
         library_.archive_entry_hardlink(entry_) == nullptr;
}

bool ArchiveReader::is_encrypted() const {
  return library_.archive_entry_is_data_encrypted(entry_) != 0;
}

i64 ArchiveReader::size() const { return library_.archive_entry_size(entry_); }

// (A member with holes comes in several pieces.)
Bytes ArchiveReader::bytes_in_memory() {
  const void *data = nullptr;
  size_t bytes = 0;
  la_int64_t offset = 0;
  if (size() == 0) return {};
  const int result = library_.archive_read_data_block(handle_, &data, &bytes, &offset);
  if (result != ARCHIVE_OK || offset != 0) return {};
  return {static_cast<const char *>(data), bytes};
}

Result<i64> ArchiveReader::read(char *to, i64 size) {
  const la_ssize_t got = library_.archive_read_data(handle_, to, static_cast<size_t>(size));
  if (got >= 0 && damage_.is_ok()) return i64{got};
  return damage_.is_ok() ? failure_of(path_ + ":" + name()) : damage_;
}

}  // namespace mrc
