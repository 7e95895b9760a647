// Kinds that the user says, x:num and the like: the bucket of a value is the one form that all
// equal values of the kind have, so that 1 and 1.0 are one group.
#include "base/number.h"
#include "expr/address.h"
#include "expr/buckets.h"
#include "expr/kind_values.h"
#include "expr/level.h"
#include "expr/time_text.h"
#include "expr/units.h"
#include "expr/version.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace mrc {
namespace {

bool append_form(Bytes value, const TimeContext &, std::string *out) {
  thread_local Arena scratch;
  scratch.clear();
  const Number number = parse_any_number(value, &scratch);
  if (!is_number(number)) return false;
  append_number(number, out);
  return true;
}

bool append_text(Bytes value, const TimeContext &, std::string *out) {
  out->append(value);
  return true;
}

bool append_time_form(Bytes value, const TimeContext &context, std::string *out) {
  const std::optional<i64> time = read_time(value, context);
  if (time) append_time(*time, context, out);
  return time.has_value();
}

bool append_address(Bytes value, const TimeContext &, std::string *out) {
  const std::optional<AddressKey> key = address_key(value);
  if (!key) return false;
  std::array<char, INET6_ADDRSTRLEN> text;
  inet_ntop((*key)[0] == 4 ? AF_INET : AF_INET6, key->data() + 1, text.data(), text.size());
  out->append(text.data());
  return true;
}

bool append_level(Bytes value, const TimeContext &, std::string *out) {
  const std::optional<i64> rank = level_rank(value);
  if (rank) out->append(level_of_rank(*rank));
  return rank.has_value();
}

bool append_size(Bytes value, const TimeContext &context, std::string *out) {
  const std::optional<std::string> digits = read_unit_size(value);
  if (!digits) return append_form(value, context, out);
  out->append(*digits);
  return true;
}

// Seconds; a number without a unit is of seconds.
bool append_duration(Bytes value, const TimeContext &context, std::string *out) {
  const std::optional<std::string> digits = read_duration(value);
  if (!digits) return append_form(value, context, out);
  out->append(*digits);
  return true;
}

bool append_version(Bytes value, const TimeContext &, std::string *out) {
  const std::optional<std::string> form = version_form(value);
  if (form) out->append(*form);
  return form.has_value();
}

struct HandKind {
  std::string_view name;
  ValueKind kind;
  bool (*append)(Bytes value, const TimeContext &context, std::string *out);
};
constexpr HandKind kByHand[] = {
    {"num", ValueKind::number, append_form},
    {"time", ValueKind::time, append_time_form},
    {"text", ValueKind::text, append_text},
    {"address", ValueKind::address, append_address},
    {"level", ValueKind::level, append_level},
    {"size", ValueKind::number, append_size},
    {"duration", ValueKind::duration, append_duration},
    {"version", ValueKind::version, append_version},
};

class KindBucket : public Bucket {
 public:
  KindBucket(const HandKind &kind, const TimeContext &context) : kind_(kind), context_(context) {}
  bool append(Bytes value, std::string *out) const override {
    return value.data() != nullptr && kind_.append(value, context_, out);
  }
  bool is_number() const override {
    return kind_.kind == ValueKind::number || kind_.kind == ValueKind::duration;
  }
  ValueKind kind() const override { return kind_.kind; }
  bool is_form() const override { return kind_.append != append_size; }

 private:
  const HandKind &kind_;
  TimeContext context_;
};

class DurationBucket : public Bucket {
 public:
  DurationBucket(i64 unit_ns, const TimeContext &context)
      : reader_{ValueKind::duration, context, unit_ns} {}
  bool append(Bytes value, std::string *out) const override {
    thread_local Arena scratch;
    scratch.clear();
    const Number seconds = reader_.read(value, &scratch);
    append_number(seconds, out);
    return mrc::is_number(seconds);
  }
  bool is_number() const override { return true; }
  ValueKind kind() const override { return ValueKind::duration; }

 private:
  KindReader reader_;
};

}  // namespace

BucketOrNone make_duration_bucket(i64 unit_ns, const Clock &clock) {
  const Result<TimeContext> context = make_time_context(clock);
  if (!context.is_ok()) return context.status();
  return BucketOrNone(std::make_shared<DurationBucket>(unit_ns, *context));
}

BucketOrNone make_kind_bucket(std::string_view text, const Clock &clock, const FieldExpr &of) {
  const auto *kind = std::ranges::find(kByHand, text, &HandKind::name);
  if (kind == std::end(kByHand)) return BucketOrNone(nullptr);
  const Result<TimeContext> context =
      kind->kind == ValueKind::time ? make_time_context(clock, of) : make_time_context(clock);
  if (!context.is_ok()) return context.status();
  return BucketOrNone(std::make_shared<KindBucket>(*kind, *context));
}

}  // namespace mrc
