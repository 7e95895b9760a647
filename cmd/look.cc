#include "cmd/look.h"

#include "base/number.h"
#include "input/stream.h"

#include <sys/stat.h>

#include <algorithm>

namespace mrc {
namespace {

struct Head {
  std::string bytes;
  bool whole = false;  // the input has no more
};

Result<Head> read_head(const std::string &path) {
  Result<Source> source = examine(path);
  if (!source.is_ok()) return source.status();
  Result<InputFile> file = InputFile::open(*source);
  if (!file.is_ok()) return file.status();
  BufferedReader reader(std::move(*file));
  Result<Bytes> first = reader.peek(kMagicBytes);
  if (!first.is_ok()) return first.status();
  Result<std::unique_ptr<Stream>> stream = open_stream(codec_of(*first), &reader);
  if (!stream.is_ok()) return stream.status();
  Head head;
  head.bytes.reserve(static_cast<size_t>(kSniffedBytes + kPadding));
  while (std::ssize(head.bytes) < kSniffedBytes && !head.whole) {
    const size_t have = head.bytes.size();
    head.bytes.resize(static_cast<size_t>(kSniffedBytes));
    Result<i64> got =
        (*stream)->read(head.bytes.data() + have, kSniffedBytes - static_cast<i64>(have));
    if (!got.is_ok()) return got.status();
    head.bytes.resize(have + static_cast<size_t>(*got));
    head.whole = *got == 0;
  }
  return head;
}

bool is_number(Bytes value) {
  Arena wide;
  const Number number = parse_number(value, &wide);
  return number != kBadNumber && number != kNoNumber;
}

bool is_time(Bytes value) {
  return parse_time(value, Clock{.year_of_now = 2000, .month_of_now = 12}).has_value();
}

bool is_file_with_content(const std::string &path) {
  struct stat info;
  return path != "-" && stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
}

}  // namespace

Result<Look> look_at(const std::string &path, const FormatSpec &format) {
  Result<Head> head = read_head(path);
  if (!head.is_ok()) return head.status();
  Result<Dialect> dialect = sniff(format, head->bytes, head->whole);
  if (!dialect.is_ok()) return dialect.status();
  Result<InputReport> report = inspect(*dialect, head->bytes, head->whole, {is_number, is_time});
  if (!report.is_ok()) return report.status();
  return Look{std::move(*dialect), std::move(*report)};
}

const FieldReport *FirstFile::field(const FieldName &name) const {
  const std::vector<FieldReport> &fields = report.fields;
  if (name.number >= 0) {
    const bool is_there = name.number > 0 && name.number <= std::ssize(fields);
    return is_there ? &fields[static_cast<size_t>(name.number - 1)] : nullptr;
  }
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldReport &field) {
    return field.name == name.text;
  });
  return found == fields.end() ? nullptr : &*found;
}

std::optional<FirstFile> look_at_first_file(const Request &request) {
  const std::vector<std::string> &inputs = request.job.inputs;
  const auto file = std::find_if(inputs.begin(), inputs.end(), is_file_with_content);
  if (file == inputs.end()) return std::nullopt;
  Result<Look> look = look_at(*file, request.job.map.fields.format);
  if (!look.is_ok()) return std::nullopt;
  return FirstFile{*file, std::move(look->report)};
}

}  // namespace mrc
