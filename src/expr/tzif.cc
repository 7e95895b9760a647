// A TZif file has two blocks and a line with the rule for all years after the last transition. The
// first block is for programs with 32-bit times, and is skipped. The rule is expanded here for all
// years, so that one table answers all lookups.
//
// cctz reads these files, too. But Debian has no static archive of it, which make portable would
// need, and loading the shared library would cost each job more than this reader costs a job with
// zones.
#include "base/make_error.h"
#include "base/text.h"
#include "expr/inner/zone.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>

namespace mrc {
namespace {

using namespace std::chrono;

constexpr int kFirstYear = 1970, kLastYear = 2262;

// A day of the year, and a time of that day on wall clocks.
struct YearDay {
  enum class Kind { week, not_counting_leap_day, counting_leap_day } kind = Kind::week;
  i64 month = 0, week = 0, day = 0;
  i64 time = 7200;
};

struct Rule {
  i64 standard = 0, daylight = 0;  // seconds east of UTC
  bool has_daylight = false;
  YearDay begin, end;  // begin and end of daylight saving time
};

// Takes the parts of a rule off its front. All functions return false if the part is missing.
class RuleReader {
 public:
  explicit RuleReader(std::string_view left) : left_(left) {}

  bool is_at_end() const { return left_.empty(); }
  bool take(char c) {
    if (!left_.starts_with(c)) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool name() {
    const bool quoted = take('<');
    size_t size = 0;
    while (size < left_.size() && is_of_name(left_[size], quoted)) ++size;
    left_.remove_prefix(size);
    return size > 0 && (!quoted || take('>'));
  }
  bool number(i64 largest, i64 *value) {
    *value = 0;
    size_t size = 0;
    for (; size < left_.size() && size < 4 && is_digit(left_[size]); ++size) {
      *value = *value * 10 + (left_[size] - '0');
    }
    left_.remove_prefix(size);
    return size > 0 && *value <= largest;
  }
  // Reads [+-]h[:m[:s]] as seconds.
  bool time(i64 *seconds) {
    const bool negative = take('-');
    if (!negative) take('+');
    i64 hours = 0, minutes = 0, rest = 0;
    if (!number(167, &hours)) return false;
    if (take(':') && (!number(59, &minutes) || (take(':') && !number(59, &rest)))) return false;
    *seconds = (hours * 3600 + minutes * 60 + rest) * (negative ? -1 : 1);
    return true;
  }
  bool year_day(YearDay *day) {
    if (take('M')) {
      if (!number(12, &day->month) || !take('.') || !number(5, &day->week) || !take('.') ||
          !number(6, &day->day) || day->month == 0 || day->week == 0) {
        return false;
      }
    } else {
      day->kind =
          take('J') ? YearDay::Kind::not_counting_leap_day : YearDay::Kind::counting_leap_day;
      if (!number(365, &day->day)) return false;
    }
    return !take('/') || time(&day->time);
  }

 private:
  static bool is_of_name(char c, bool quoted) {
    return is_letter(c) || (quoted && (is_digit(c) || c == '+' || c == '-'));
  }

  std::string_view left_;
};

bool parse_rule(std::string_view text, Rule *rule) {
  RuleReader reader(text);
  if (!reader.name() || !reader.time(&rule->standard)) return false;
  rule->standard = -rule->standard;  // POSIX counts hours west of UTC
  if (reader.is_at_end()) return true;
  rule->has_daylight = true;
  rule->daylight = rule->standard + 3600;
  if (!reader.name()) return false;
  if (!reader.take(',')) {
    if (!reader.time(&rule->daylight)) return false;
    rule->daylight = -rule->daylight;
    if (!reader.take(',')) return false;
  }
  return reader.year_day(&rule->begin) && reader.take(',') && reader.year_day(&rule->end) &&
         reader.is_at_end();
}

// Returns the day and time in a year, in local seconds since 1970.
i64 local_time(const YearDay &when, int of_year) {
  const auto y = year(of_year);
  sys_days day = y / January / 1;
  if (when.kind == YearDay::Kind::counting_leap_day) {
    day += days(when.day);
  } else if (when.kind == YearDay::Kind::not_counting_leap_day) {
    day += days(when.day - 1 + (y.is_leap() && when.day >= 60));
  } else {
    const auto m = month(static_cast<unsigned>(when.month));
    const auto weekday_of = weekday(static_cast<unsigned>(when.day));
    day = when.week == 5 ? sys_days(y / m / weekday_of[last])
                         : sys_days(y / m / weekday_of[static_cast<unsigned>(when.week)]);
  }
  return i64{day.time_since_epoch().count()} * 86400 + when.time;
}

// Reads big-endian numbers from the front of the file. Missing bytes read as zero, and clear
// is_good().
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
  // Reads a signed number; counts, which are unsigned, are small.
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

  // Returns the size of the data after the header, up to the next header or the rule.
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

// Reads the transitions, and the offset before the first. False if a type does not exist or times
// descend.
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

// Refuses offsets of more than a day and extreme times, because sums of them would overflow.
bool is_sane(const std::vector<ZoneSpan> &spans) {
  constexpr i64 kDay = 86400, kLatest = i64{1} << 60;
  for (size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].offset < -kDay || spans[i].offset > kDay) return false;
    if (i > 0 && (spans[i].begin < -kLatest || spans[i].begin > kLatest)) return false;
  }
  return true;
}

}  // namespace

bool append_spans_of_rule(std::string_view text, std::vector<ZoneSpan> *spans) {
  Rule rule;
  if (!parse_rule(text, &rule)) return false;
  const i64 known_until = spans->back().begin;
  std::vector<ZoneSpan> added;
  for (int y = kFirstYear; rule.has_daylight && y <= kLastYear; ++y) {
    added.push_back({local_time(rule.begin, y) - rule.standard, rule.daylight});
    added.push_back({local_time(rule.end, y) - rule.daylight, rule.standard});
  }
  std::sort(added.begin(), added.end(),
            [](const ZoneSpan &a, const ZoneSpan &b) { return a.begin < b.begin; });
  for (const ZoneSpan &span : added) {
    if (span.begin > known_until) spans->push_back(span);
  }
  return true;
}

Result<Zone> parse_tzif(Bytes file, const std::string &name) {
  const Status bad = make_error("{}: not a file of a time zone", name);
  TzifReader reader(file);
  TzifHeader header;
  if (!read_header(&reader, &header)) return bad;
  if (header.version >= '2') {
    reader.take(header.bytes(4));
    if (!read_header(&reader, &header)) return bad;
  } else {
    return make_error("{}: its times have 32 bits only", name);
  }
  if (header.leaps != 0) return make_error("{}: it counts leap seconds", name);
  std::vector<ZoneSpan> spans;
  if (!read_spans(reader.take(header.bytes(8)), header, &spans) || !is_sane(spans)) return bad;
  if (reader.take(1) != "\n") return bad;
  const Bytes rule = reader.left().substr(0, reader.left().find('\n'));
  if (!rule.empty() && !append_spans_of_rule(rule, &spans)) return bad;
  return Zone(spans);
}

Result<Zone> read_tzif(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  if (!file || !(bytes << file.rdbuf())) {
    return make_error("{}: no such time zone; names are those of tzdata, such as Europe/Berlin",
                      path);
  }
  return parse_tzif(bytes.view(), path);
}

}  // namespace mrc
