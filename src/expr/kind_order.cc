// A name is 01 and the key of the value: eight bytes of nanoseconds, the bytes of an address, or a
// sort field of a number, of a level's rank, or of a version's key as text. For a value that is not
// of the kind, it is 00 and the value as a sort field.
#include "expr/kind_order.h"

#include "base/sort_field.h"
#include "base/text.h"
#include "expr/inner/clock.h"
#include "expr/inner/kind_values.h"
#include "kinds/address.h"
#include "kinds/version.h"

namespace mrc {
namespace {

constexpr char kNoPlace = 0x00, kPlace = 0x01;
constexpr u64 kSign = u64{1} << 63;

// True for decimals without an exponent. Most numbers are, and are ordered without being parsed.
bool is_plain_decimal(Bytes text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t point = text.find('.');
  const Bytes fraction = point == Bytes::npos ? "0" : text.substr(point + 1);
  return is_digits(text.substr(0, point)) && is_digits(fraction);
}

class KindOrder : public Bucket {
 public:
  KindOrder(const FieldKind &kind, const TimeContext &context, Misplaced misplaced)
      : reader_{kind.kind, context, kind.unit_ns, kind.levels}, misplaced_(misplaced) {}

  bool append(Bytes value, std::string *out) const override {
    const size_t begin = out->size();
    out->push_back(kPlace);
    if (append_key(value, out)) return true;
    out->resize(begin);
    if (misplaced_ == Misplaced::refused) return false;
    out->push_back(kNoPlace);
    append_sort_field({.type = SortField::Type::bytes}, value, out);
    return true;
  }

 private:
  bool append_key(Bytes value, std::string *out) const {
    if (reader_.kind == ValueKind::time) {
      const std::optional<i64> time = read_time(value, reader_.context);
      if (time) append_position(static_cast<u64>(*time) ^ kSign, out);
      return time.has_value();
    }
    if (reader_.kind == ValueKind::address) {
      const std::optional<AddressKey> key = first_address(value);
      if (key) out->append(bytes_of(*key));
      return key.has_value();
    }
    if (reader_.kind == ValueKind::version) {
      const std::optional<std::string> key = version_key(value);
      if (key) append_sort_field({.type = SortField::Type::bytes}, *key, out);
      return key.has_value();
    }
    return append_number_key(value, out);
  }
  bool append_number_key(Bytes value, std::string *out) const {
    constexpr SortField kNumber{.type = SortField::Type::number};
    if (reader_.kind == ValueKind::number && is_plain_decimal(value)) {
      append_sort_field(kNumber, value, out);
      return true;
    }
    thread_local Arena scratch;
    scratch.clear();
    const Number number = reader_.read(value, &scratch);
    if (!mrc::is_number(number)) return false;
    thread_local std::string digits;
    digits.clear();
    append_number(number, &digits);
    append_sort_field(kNumber, digits, out);
    return true;
  }

  KindReader reader_;
  Misplaced misplaced_;
};

}  // namespace

bool has_order(ValueKind kind) {
  return kind != ValueKind::unknown && kind != ValueKind::text && kind != ValueKind::structure;
}

std::shared_ptr<const Bucket> make_kind_order(const FieldKind &kind, Misplaced misplaced,
                                              const Clock &clock) {
  TimeContext context = make_time_context(clock);
  if (is_settled(kind.dates)) context.dates = kind.dates;
  return std::make_shared<KindOrder>(kind, context, misplaced);
}

}  // namespace mrc
