// A TZif file is two blocks, of which the first is for programs with 32-bit times and is
// passed over, and a line with the rule for all years after the last transition. The rule
// is applied here, to all years there are, so that a look-up finds everything in one table.
//
// cctz reads these files, too. But Debian has no archive of it, which make portable would need, and
// loading the shared library would cost each job more than this reader costs one with zones.
#include "expr/tzif.h"

#include "expr/posix_tz.h"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <sstream>

namespace mrc {
namespace {

// Big-endian numbers from the front of the file. What is not there reads as zero and is
// remembered.
class TzifReader {
 public:
  explicit TzifReader(Bytes left) : left_(left) {}

  bool is_good() const { return good_; }
  Bytes left() const { return left_; }
  Bytes take(i64 size) {
    if (size < 0 || size > static_cast<i64>(left_.size())) {
      good_ = false;
      return {};
    }
    const Bytes front = left_.substr(0, static_cast<size_t>(size));
    left_.remove_prefix(front.size());
    return front;
  }
  // Signed, as all of them are that can be.
  i64 number(i64 size) {
    const Bytes bytes = take(size);
    u64 value = !bytes.empty() && static_cast<u8>(bytes[0]) >= 0x80 ? ~u64{0} : 0;
    for (char c : bytes) value = value << 8 | static_cast<u8>(c);
    return static_cast<i64>(value);
  }

 private:
  Bytes left_;
  bool good_ = true;
};

struct TzifHeader {
  i64 version = 0;
  i64 utc_flags = 0, standard_flags = 0, leaps = 0, times = 0, types = 0, letters = 0;

  // Of what follows, up to the next header or the rule.
  i64 bytes(i64 time_size) const {
    return times * (time_size + 1) + types * 6 + letters + leaps * (time_size + 4) +
           standard_flags + utc_flags;
  }
};

bool read_header(TzifReader *reader, TzifHeader *header) {
  if (reader->take(4) != "TZif") return false;
  header->version = reader->number(1);
  reader->take(15);
  for (i64 *count : {&header->utc_flags, &header->standard_flags, &header->leaps, &header->times,
                     &header->types, &header->letters}) {
    *count = reader->number(4);
    if (*count < 0) return false;
  }
  return reader->is_good();
}

// The transitions and what holds before them. False if types do not exist or time goes back.
bool read_spans(Bytes block, const TzifHeader &header, std::vector<ZoneSpan> *spans) {
  TzifReader times(block), kinds(block), types(block);
  kinds.take(header.times * 8);
  types.take(header.times * 9);
  std::vector<i64> offsets;
  for (i64 i = 0; i < header.types; ++i) {
    offsets.push_back(types.number(4));
    types.take(2);
  }
  if (!types.is_good() || offsets.empty()) return false;
  spans->push_back({std::numeric_limits<i64>::min(), offsets[0]});
  for (i64 i = 0; i < header.times; ++i) {
    const i64 begin = times.number(8);
    const auto kind = static_cast<size_t>(kinds.number(1));
    if (kind >= offsets.size() || begin < spans->back().begin) return false;
    spans->push_back({begin, offsets[kind]});
  }
  return true;
}

// Offsets beyond a day and times beyond all years would overflow sums.
bool is_sane(const std::vector<ZoneSpan> &spans) {
  constexpr i64 kDay = 86400, kLatest = i64{1} << 60;
  for (size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].offset < -kDay || spans[i].offset > kDay) return false;
    if (i > 0 && (spans[i].begin < -kLatest || spans[i].begin > kLatest)) return false;
  }
  return true;
}

}  // namespace

Result<Zone> parse_tzif(Bytes file, const std::string &name) {
  const Status bad = Status::error(fmt::format("{}: not a file of a time zone", name));
  TzifReader reader(file);
  TzifHeader header;
  if (!read_header(&reader, &header)) return bad;
  if (header.version >= '2') {
    reader.take(header.bytes(4));
    if (!read_header(&reader, &header)) return bad;
  } else {
    return Status::error(fmt::format("{}: its times have 32 bits only", name));
  }
  if (header.leaps != 0) return Status::error(fmt::format("{}: it counts leap seconds", name));
  std::vector<ZoneSpan> spans;
  if (!read_spans(reader.take(header.bytes(8)), header, &spans) || !is_sane(spans)) return bad;
  if (reader.take(1) != "\n") return bad;
  const Bytes rule = reader.left().substr(0, reader.left().find('\n'));
  if (!rule.empty() && !append_spans_of_rule(rule, &spans)) return bad;
  return Zone(std::move(spans));
}

Result<Zone> read_tzif(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    return Status::error(fmt::format(
        "{}: no such time zone; names are those of tzdata, such as Europe/Berlin", path));
  }
  return parse_tzif(bytes.view(), path);
}

}  // namespace mrc
