// Buckets by name: case of letters, parts of paths and URLs, and kinds, such as x:num. The bucket
// of a value by kind is the one form of all equal values of the kind, so that 1 and 1.0 are one
// group.
#include "base/case_fold.h"
#include "base/number.h"
#include "expr/inner/buckets.h"
#include "expr/inner/clock.h"
#include "expr/inner/kind_values.h"
#include "expr/inner/url.h"
#include "kinds/address.h"
#include "kinds/level.h"
#include "kinds/units.h"
#include "kinds/version.h"

#include <algorithm>

namespace mrc {
namespace {

template <void (*kMap)(Bytes, std::string *)>
bool append_mapped(Bytes text, const KindReader &, std::string *out) {
  kMap(text, out);
  return true;
}

// Changes the letters of ASCII alone, as hosts and extensions are kept in states.
bool append_lower_ascii(Bytes text, std::string *out) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  const auto begin = static_cast<i64>(out->size());
  out->append(text);
  std::transform(out->begin() + begin, out->end(), out->begin() + begin, lower);
  return true;
}

// Appends the host without user and port, in lower case, because hosts are case-insensitive.
bool append_host(Bytes url, const KindReader &, std::string *out) {
  const Bytes host = host_of(url);
  return !host.empty() && append_lower_ascii(host, out);
}

// Appends the path up to the last slash, which is kept only for the root.
bool append_directory(Bytes value, const KindReader &, std::string *out) {
  const Bytes path = path_of(value);
  const size_t slash = path.rfind('/');
  if (slash == Bytes::npos) return false;
  out->append(slash == 0 ? Bytes("/") : path.substr(0, slash));
  return true;
}

// Appends "-" if there is no extension, as logs write a missing value.
bool append_extension(Bytes value, const KindReader &, std::string *out) {
  const Bytes path = path_of(value);
  const Bytes name = path.substr(path.rfind('/') + 1);
  const size_t point = name.rfind('.');
  const bool has = point != Bytes::npos && point > 0 && point + 1 < name.size();
  return append_lower_ascii(has ? name.substr(point + 1) : Bytes("-"), out);
}

bool append_number_form(Number number, std::string *out) {
  append_number(number, out);
  return is_number(number);
}

bool append_form(Bytes value, const KindReader &, std::string *out) {
  thread_local Arena scratch;
  scratch.clear();
  return append_number_form(parse_any_number(value, &scratch), out);
}

bool append_text(Bytes value, const KindReader &, std::string *out) {
  out->append(value);
  return true;
}

bool append_time_form(Bytes value, const KindReader &reader, std::string *out) {
  const std::optional<i64> time = read_time(value, reader.context);
  if (time) append_time(*time, reader.context, out);
  return time.has_value();
}

bool append_address_form(Bytes value, const KindReader &, std::string *out) {
  const std::optional<AddressKey> key = address_key(value);
  if (key) append_address(*key, out);
  return key.has_value();
}

bool append_level(Bytes value, const KindReader &reader, std::string *out) {
  const std::optional<i64> rank = level_rank(usual_level(reader.levels, value));
  if (rank) out->append(level_of_rank(*rank));
  return rank.has_value();
}

bool append_size(Bytes value, const KindReader &reader, std::string *out) {
  const std::optional<std::string> digits = read_unit_size(value);
  if (!digits) return append_form(value, reader, out);
  out->append(*digits);
  return true;
}

// Appends seconds. A number without a unit counts seconds, or units of the field.
bool append_duration(Bytes value, const KindReader &reader, std::string *out) {
  if (reader.unit_ns > 0) {
    thread_local Arena scratch;
    scratch.clear();
    return append_number_form(reader.read(value, &scratch), out);
  }
  const std::optional<std::string> digits = read_duration(value);
  if (!digits) return append_form(value, reader, out);
  out->append(*digits);
  return true;
}

bool append_version(Bytes value, const KindReader &, std::string *out) {
  const std::optional<std::string> form = version_form(value);
  if (form) out->append(*form);
  return form.has_value();
}

// Return a value whose bucket is called `name`, if there may be one.
std::string same_text(const std::string &name) { return name; }
std::string url_of(const std::string &name) {
  if (name.find("//") != std::string::npos) return name;
  const bool is_ipv6 = name.find(':') != std::string::npos && address_key(name);
  return is_ipv6 ? "//[" + name + "]" : "//" + name;
}
std::string file_in(const std::string &name) {
  return name + (name.ends_with('/') && name.size() > 1 ? "" : "/x");
}
std::string file_with(const std::string &name) {
  return (name.starts_with('.') ? "x" : "x.") + name;
}

struct Named {
  std::string_view name;
  bool (*append)(Bytes value, const KindReader &reader, std::string *out);
  ValueKind kind = ValueKind::text;
  bool is_form = false;
  std::string (*value_of)(const std::string &name) = nullptr;  // null: the kind decides
};
constexpr Named of_text(std::string_view name, decltype(Named::append) append,
                        decltype(Named::value_of) value_of) {
  return {.name = name, .append = append, .value_of = value_of};
}
constexpr Named kNamed[] = {
    of_text("lower", append_mapped<append_lower>, same_text),
    of_text("upper", append_mapped<append_upper>, same_text),
    of_text("host", append_host, url_of),
    of_text("dir", append_directory, file_in),
    of_text("ext", append_extension, file_with),
    {"num", append_form, ValueKind::number, true},
    {"time", append_time_form, ValueKind::time, true},
    {"text", append_text, ValueKind::text, true},
    {"address", append_address_form, ValueKind::address, true},
    {"level", append_level, ValueKind::level, true},
    {"size", append_size, ValueKind::number},
    {"duration", append_duration, ValueKind::duration, true},
    {"version", append_version, ValueKind::version, true},
};

class NamedBucket : public Bucket {
 public:
  NamedBucket(const Named &named, const KindReader &reader) : named_(named), reader_(reader) {}
  bool append(Bytes value, std::string *out) const override {
    return value.data() != nullptr && named_.append(value, reader_, out);
  }
  bool is_number() const override {
    return named_.kind == ValueKind::number || named_.kind == ValueKind::duration;
  }
  ValueKind kind() const override { return named_.kind; }
  bool is_value() const override { return named_.is_form || named_.kind != ValueKind::text; }
  bool is_form() const override {
    return named_.is_form && reader_.unit_ns == 0 && reader_.levels == LevelWords::usual;
  }
  std::vector<std::string> names() const override {
    return named_.kind == ValueKind::level ? level_names() : std::vector<std::string>();
  }
  std::string name_like(const std::string &text) const override {
    return named_.value_of == nullptr ? text : name_for(named_.value_of(text));
  }

 private:
  const Named &named_;
  KindReader reader_;
};

}  // namespace

BucketOrNone make_named_bucket(std::string_view text, const Clock &clock, const FieldExpr &of) {
  const auto *named = std::ranges::find(kNamed, text, &Named::name);
  if (named == std::end(kNamed)) return BucketOrNone(nullptr);
  KindReader reader{named->kind, make_time_context(clock)};
  if (named->kind == ValueKind::time) reader.context = make_time_context(clock, of);
  const bool has_unit = named->kind == ValueKind::duration,
             is_level = named->kind == ValueKind::level;
  if ((has_unit || is_level) && clock.kinds != nullptr) {
    const FieldKind field = clock.kinds->kind_of(of.field);
    if (has_unit) reader.unit_ns = field.unit_ns;
    if (is_level) reader.levels = field.levels;
    const bool is_special = reader.unit_ns > 0 || reader.levels != LevelWords::usual;
    if (is_special) clock.kinds->depend_on(of.field, field);
  }
  return BucketOrNone(std::make_shared<NamedBucket>(*named, reader));
}

}  // namespace mrc
