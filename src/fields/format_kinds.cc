// Kinds of fields from the table of formats. The column `kinds` of a format comes first. The kinds
// of all other fields follow from the rule of its row: from the types of the values in a pattern,
// and from the names that fields share with those of other formats.
#include "base/typed_text.h"
#include "fields/binary.h"
#include "fields/inner/named_formats.h"
#include "fields/inner/surrounded.h"
#include "fields/pattern.h"
#include "fields/sampled_kind.h"
#include "kinds/kind.h"

#include <algorithm>
#include <array>

namespace mrc {
namespace {

using Names = std::vector<std::string>;

// Fields that have the same meaning in all formats.
constexpr const char *kCommonKinds =
    "time:time level:level ip:address target_ip:address client:address pid:number port:number "
    "target_port:number status:number bytes:number duration_ms:ms";

struct KindWord {
  Bytes word;
  ValueKind kind;
  i64 unit_ns = 0;
  LevelWords levels = LevelWords::usual;
  DateOrder dates = DateOrder::unknown;
};
// The words for kinds in the column `kinds`.
constexpr KindWord kWords[] = {
    {"number", ValueKind::number},
    {"ns", ValueKind::number, 1},
    {"us", ValueKind::number, 1'000},
    {"ms", ValueKind::number, 1'000'000},
    {"s", ValueKind::number, 1'000'000'000},
    {"duration", ValueKind::duration},
    {"time", ValueKind::time},
    {"mdy-time", ValueKind::time, 0, LevelWords::usual, DateOrder::month_first},
    {"address", ValueKind::address},
    {"level", ValueKind::level},
    {"syslog-level", ValueKind::level, 0, LevelWords::syslog},
    {"windows-level", ValueKind::level, 0, LevelWords::windows},
    {"redis-level", ValueKind::level, 0, LevelWords::redis},
    {"websphere-level", ValueKind::level, 0, LevelWords::websphere},
    {"macos-level", ValueKind::level, 0, LevelWords::macos},
    {"panos-level", ValueKind::level, 0, LevelWords::panos},
    {"php-level", ValueKind::level, 0, LevelWords::php},
    {"java-level", ValueKind::level, 0, LevelWords::java},
    {"xorg-level", ValueKind::level, 0, LevelWords::xorg},
    {"cmtrace-level", ValueKind::level, 0, LevelWords::cmtrace},
    {"truth", ValueKind::truth},
    {"text", ValueKind::text},
    {"structure", ValueKind::structure},
};

// One word of the column: NAME:KIND, or NAME:KIND/OTHER, which holds if there is a field OTHER.
struct KindEntry {
  explicit KindEntry(Bytes word) {
    const size_t colon = word.rfind(':'), slash = std::min(word.find('/', colon), word.size());
    name = word.substr(0, colon);
    const Bytes written = word.substr(colon + 1, slash - colon - 1);
    const auto *found = std::ranges::find(kWords, written, &KindWord::word);
    if (slash < word.size()) other = word.substr(slash + 1);
    if (found == std::end(kWords)) return;
    kind = {found->kind, found->unit_ns, found->levels, found->dates};
  }

  Bytes name, other = {};
  FieldKind kind;
};

std::optional<FieldKind> find_kind(Bytes column, Bytes name, const Names &names) {
  for (const std::string &word : words_in(column)) {
    const KindEntry entry(word);
    const bool holds = entry.other.empty() || has_name(names, entry.other);
    if (entry.name == name && holds) return entry.kind;
  }
  return std::nullopt;
}

FieldKind common_kind(Bytes name) {
  return find_kind(kCommonKinds, name, {}).value_or(FieldKind{ValueKind::text});
}

// The kind of a text is unknown in the user's pattern, which does not tell it.
ValueKind kind_of_type(ValueType type, bool by_user) {
  switch (type) {
    case ValueType::integer:
    case ValueType::number: return ValueKind::number;
    case ValueType::ip:
    case ValueType::peer:
    case ValueType::client: return ValueKind::address;
    case ValueType::time:
    case ValueType::ctime: return ValueKind::time;
    case ValueType::level: return ValueKind::level;
    case ValueType::text:
    case ValueType::word:
    case ValueType::rest: return by_user ? ValueKind::unknown : ValueKind::text;
    default: return ValueKind::text;
  }
}

// Returns the kind of a field that has these kinds in two alternatives. A text may be a time, but a
// number may not be any text.
ValueKind joined(ValueKind a, ValueKind b) {
  const auto is_any = [](ValueKind kind) {
    return kind == ValueKind::text || kind == ValueKind::unknown;
  };
  if (is_any(b)) std::swap(a, b);
  return !is_any(a) || b == ValueKind::number ? a : b;
}

// Returns the kind of a field of the pattern; unknown if it has no such field.
FieldKind kind_in_pattern(const Pattern &pattern, Bytes name, bool by_user) {
  const auto number = std::ranges::find(pattern.fields, name) - pattern.fields.begin();
  std::optional<ValueKind> found;
  i64 unit_ns = 0;
  for (const PatternAlternative &alternative : pattern.alternatives) {
    for (const PatternStep &step : alternative.steps) {
      if (step.field != number) continue;
      const ValueKind kind = step.kind == PatternStep::Kind::group
                                 ? ValueKind::text
                                 : kind_of_type(step.type, by_user);
      found = found ? joined(*found, kind) : kind;
      unit_ns = std::max(unit_ns, step.unit_ns);
    }
  }
  FieldKind kind{found.value_or(ValueKind::unknown)};
  const bool is_plain = kind.kind == ValueKind::text || kind.kind == ValueKind::number;
  const bool is_known = name == "time" || name == "level" || name == "ip";
  if (!by_user && is_plain && is_known) return common_kind(name);
  if (kind.kind == ValueKind::number) kind.unit_ns = unit_ns > 0 ? unit_ns : unit_in_name(name);
  if (kind.kind == ValueKind::level && pattern.is_loose) kind.levels = LevelWords::syslog;
  return kind;
}

// False for logs of any program, where a member such as "t" may be anything.
bool has_paths_of_its_own(const NamedFormat &row) {
  return row.kind != &kJsonLogKind && row.kind != &kLogfmtLogKind;
}

FieldKind kind_in_row(const NamedFormat &row, const Names &names, Bytes name) {
  if (const auto known = find_kind(row.kinds, name, names)) return *known;
  if (row.kind == &kPatternKind) return kind_in_pattern(pattern_of(row), name, false);
  if (row.kind == &kCsvKind) return common_kind(name);
  for (const JsonAlias &alias : aliases_of(row)) {
    const bool is_path = alias.path == name && has_paths_of_its_own(row);
    if (alias.name != name && !is_path) continue;
    return find_kind(row.kinds, alias.name, names).value_or(common_kind(alias.name));
  }
  return {};
}

FieldKind kind_in_user_pattern(const Dialect &dialect, Bytes name) {
  const Result<Pattern> pattern = Pattern::compile(dialect.pattern);
  return pattern.is_ok() ? kind_in_pattern(*pattern, name, true) : FieldKind();
}

// Returns the names in the rule of a row and in the column `kinds`.
Names names_in_table(const LineFormat &format) {
  Names names;
  const auto add = [&](const std::string &name) {
    if (!has_name(names, name)) names.push_back(name);
  };
  if (const NamedFormat *row = format.row) {
    if (row->kind == &kPatternKind) return pattern_of(*row).fields;
    if (row->kind == &kCsvKind) return *split_list(row->rule);
    for (const JsonAlias &alias : aliases_of(*row)) add(alias.name);
    for (const JsonAlias &alias : aliases_of(*row)) {
      if (has_paths_of_its_own(*row)) add(alias.path);
    }
  }
  const char *column = format.row != nullptr ? format.row->kinds : format.kinds;
  for (const std::string &word : words_in(column)) add(std::string(KindEntry(word).name));
  return names;
}

// Returns the kinds of a field in the dialects that have it.
std::vector<FieldKind> kinds_of(const Dialect &dialect, const FieldName &field) {
  std::vector<FieldKind> kinds;
  for (const Dialect &part : dialect.mixed) {
    if (has_field(part, field.text)) kinds.push_back(kind_in_format(part, field));
  }
  return kinds;
}

// Adds what another dialect knows. Numbers of levels that mean different things are text.
void join_kind(const FieldKind &other, FieldKind *kind) {
  if (kind->kind != other.kind) *kind = {ValueKind::text};
  if (kind->unit_ns != other.unit_ns) kind->unit_ns = 0;
  if (kind->dates != other.dates) kind->dates = DateOrder::unknown;
  if (kind->levels == LevelWords::usual) kind->levels = other.levels;
  const bool agree = other.levels == LevelWords::usual || kind->levels == other.levels;
  if (!agree) *kind = {ValueKind::text};
}

// The values of a dialect that does not know the kind, as JSON does not, are sampled. What is
// called a time or a level has been found to be one.
FieldKind kind_in_mixed(const Dialect &dialect, const FieldName &field) {
  std::vector<FieldKind> kinds = kinds_of(dialect, field);
  const auto is_unknown = [](const FieldKind &kind) { return kind.kind == ValueKind::unknown; };
  const bool is_sampled = std::ranges::any_of(kinds, is_unknown);
  std::erase_if(kinds, is_unknown);
  if (kinds.empty()) return {};
  FieldKind found = kinds[0];
  for (const FieldKind &kind : kinds) join_kind(kind, &found);
  if (!is_sampled) return found;
  const bool is_sure = found.kind == ValueKind::time || found.kind == ValueKind::level;
  return is_sure ? FieldKind{.kind = found.kind} : FieldKind();
}

FieldKind declared_kind(const Dialect &dialect, const std::string &name) {
  const auto found = std::ranges::find(dialect.names, name);
  const auto place = static_cast<size_t>(found - dialect.names.begin());
  return place < dialect.kinds.size() ? dialect.kinds[place] : FieldKind();
}

}  // namespace

FieldKind kind_in_format(const Dialect &dialect, const FieldName &field) {
  if (field.number == 0) return {ValueKind::text};
  if (dialect.format == &LineFormat::binary) return kind_in_layout(dialect.layout, field);
  const auto number = static_cast<size_t>(field.number);
  const bool by_number = field.number > 0 && number <= dialect.names.size();
  const std::string name = without_quotes(by_number ? dialect.names[number - 1] : field.text);
  if (name.empty() || (field.number != -1 && !by_number)) return {};
  if (!dialect.kinds.empty()) return declared_kind(dialect, name);
  if (!dialect.mixed.empty()) return kind_in_mixed(dialect, {.text = name});
  const bool is_joined = dialect.joins_time || !dialect.zone.empty();
  if (is_joined && name == "time") return {ValueKind::time};
  if (!dialect.around.empty() && !by_number && !has_name(dialect.names, name)) {
    const Dialect &around = dialect.around[0];
    if (has_field(around, name)) return kind_in_format(around, field);
  }
  if (dialect.format->row != nullptr) {
    return kind_in_row(*dialect.format->row, dialect.names, name);
  }
  const FieldKind kind = kind_in_user_pattern(dialect, name);
  if (kind.kind != ValueKind::unknown) return kind;
  const bool is_log = Bytes(dialect.pattern).starts_with("%~");
  const char *kinds = is_log ? LineFormat::log.kinds : dialect.format->kinds;
  return find_kind(kinds, name, dialect.names).value_or(FieldKind());
}

std::vector<std::pair<std::string, FieldKind>> fields_in_table(const LineFormat &format) {
  std::vector<std::pair<std::string, FieldKind>> fields;
  for (std::string &name : names_in_table(format)) {
    Dialect dialect{.format = &format};
    const FieldKind kind = kind_in_format(dialect, {name});
    fields.emplace_back(std::move(name), kind);
  }
  return fields;
}

}  // namespace mrc
