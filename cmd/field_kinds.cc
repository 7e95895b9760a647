#include "base/names.h"
#include "base/typed_text.h"
#include "cmd/found_kinds.h"
#include "cmd/look.h"
#include "cmd/messages.h"
#include "combine/formula.h"
#include "expr/computed_field.h"
#include "expr/expr.h"
#include "fields/binary.h"
#include "fields/sampled_kind.h"
#include "fields/spread.h"
#include "input/folders.h"
#include "kept/kept.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace mrc {
namespace {

// Field kinds that also collect the comparisons, and the kinds as which they compare.
class ExplainedKinds : public FieldKinds {
 public:
  void compared(const std::string &comparison, ValueKind as) const override {
    compared_[comparison].insert(as);
  }
  std::string comparisons() const override {
    std::string text;
    for (const auto &[comparison, kinds] : compared_) {
      std::vector<std::string_view> names;
      for (const ValueKind kind : kinds) names.push_back(kind_name(kind));
      text += fmt::format("compare  {} (as {})\n", comparison, fmt::join(names, " or "));
    }
    return text;
  }

 private:
  mutable std::map<std::string, std::set<ValueKind>> compared_;
};

// Returns nothing if no input is in a folder NAME=....
std::optional<FieldKind> kind_in_folders(const std::vector<std::string> &inputs,
                                         const std::string &name, DateOrder dates) {
  SampledKind sample(name, false, dates);
  bool any = false;
  for (const std::string &input : inputs) {
    for (FolderField &field : folder_fields(input)) {
      if (field.name != name) continue;
      any = true;
      if (!field.value || field.value->empty() || *field.value == "-") continue;
      const size_t size = field.value->size();
      field.value->append(kPadding, '\0');
      sample.add(Bytes(*field.value).substr(0, size));
    }
  }
  return any ? std::optional(sample.kind()) : std::nullopt;
}

class SampledKinds : public ExplainedKinds {
 public:
  SampledKinds(const Compiled &compiled, std::vector<std::string> inputs, FormatSpec format,
               KindTexts given)
      : inputs_(std::move(inputs)),
        command_(compiled.program.input_command),
        format_(std::move(format)),
        sparse_(compiled.program.sparse),
        quiet_(compiled.reporting.quiet),
        found_(std::move(given.found)),
        shown_(std::move(given.shown)) {
    format_.names_fields = true;
  }

  FieldKind kind_of(const FieldName &field) const override {
    return found_.is_given() ? found_.given(field.text) : sampled(field);
  }
  FieldKind shown_kind_of(const FieldName &field) const override {
    if (shown_.is_given()) return shown_.given(field.text);
    const FieldKind kind = kind_of(field);
    shown_.add(field.text, kind);
    return kind;
  }
  void depend_on(const FieldName &field, const FieldKind &kind) const override {
    found_.add(field.text, kind);
  }
  bool has(const FieldName &field) const override {
    return find(field) != nullptr || kind_of_folder(field) != nullptr ||
           (look() && kind_in_format(look()->dialect, field).kind != ValueKind::unknown);
  }
  // A format that is not open lists its fields itself.
  bool lacks(const FieldName &field) const override {
    if (!look() || field.number >= 0) return false;
    const Dialect &dialect = look()->dialect;
    if (dialect.empty || has(field)) return false;
    return dialect.open || !make_reader(dialect, {&field, 1}).is_ok();
  }
  std::string offset_of(const FieldName &field) const override {
    const FieldReport *report = find(field);
    if (report == nullptr || report->offset == 0) return "";
    const i64 minutes = std::abs(report->offset) / 60;
    return fmt::format("{}{:02}:{:02}", report->offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
  }
  bool mixes_zones(const FieldName &field) const override {
    const FieldReport *report = find(field);
    return report != nullptr && report->mixes_zones;
  }
  bool lacks_zones(const FieldName &field) const override {
    const FieldReport *report = find(field);
    return report != nullptr && report->lacks_zones;
  }
  i64 assumed_year(const FieldName &field) const override {
    const FieldReport *report = find(field);
    return report == nullptr ? 0 : report->assumed_year;
  }
  bool has_numbers(const FieldName &field) const override {
    const FieldReport *report = find(field);
    return report != nullptr && report->has_numbers;
  }
  bool is_known(const std::string &name) const override { return may_look() && has({name, -1}); }
  std::string nearest(const std::string &name) const override {
    std::vector<std::string> names;
    if (!may_look() || !look()) return "";
    for (const FieldReport &field : look()->report.fields) names.push_back(field.name);
    for (const std::string &folder : folder_names(inputs_)) names.push_back(folder);
    return did_you_mean(name, names);
  }
  void note(const std::string &text) const override {
    if (!quiet_ && notes_.insert(text).second) say_info(text);
  }
  std::string found() const override { return found_.text(); }
  std::string found_of_shown() const override { return shown_.text(); }

 private:
  // Standard input is consumed when the job has ended.
  bool may_look() const { return looked_ || std::ranges::find(inputs_, "-") == inputs_.end(); }
  FieldKind sampled(const FieldName &field) const {
    const FieldReport *report = find(field);
    if (report != nullptr) return report->kind;
    if (has_members(field)) return {ValueKind::structure};
    if (const FieldKind *folder = kind_of_folder(field)) return *folder;
    if (const FieldReport *other = find_elsewhere(field)) return other->kind;
    if (look()) return kind_in_format(look()->dialect, field);
    if (!format_.binary.empty()) return kind_in_layout(format_.binary, field);
    if (format_.format == nullptr) return {};
    return kind_in_format({.format = format_.format, .pattern = format_.pattern}, field);
  }
  // Returns what another input tells of a field that the first one lacks: the first that has it.
  const FieldReport *find_elsewhere(const FieldName &field) const {
    if (std::ranges::find(sparse_, field.text) == sparse_.end()) return nullptr;
    for (const std::string &input : inputs_) {
      const auto [other, is_new] = others_.try_emplace(input);
      if (is_new) other->second = look_at_first({input}, "", format_);
      const FieldReport *report = other->second ? other->second->field(field) : nullptr;
      if (report != nullptr) return report;
    }
    return nullptr;
  }
  // Returns the kind of the values that folders of inputs have for a field; null: there are none.
  const FieldKind *kind_of_folder(const FieldName &field) const {
    if (field.number >= 0) return nullptr;
    const auto [known, is_new] = of_folders_.try_emplace(field.text);
    if (is_new) known->second = kind_in_folders(inputs_, field.text, format_.dates);
    return known->second ? &*known->second : nullptr;
  }
  // True for an object of which the sample has members.
  bool has_members(const FieldName &field) const {
    const auto is_member = [&](const FieldReport &of) {
      return of.name.starts_with(field.text + ".");
    };
    return look() && field.number < 0 && !field.whole &&
           std::ranges::any_of(look()->report.fields, is_member);
  }
  const std::optional<FirstFile> &look() const {
    if (!looked_ && !found_.is_given()) first_ = look_at_first(inputs_, command_, format_);
    looked_ = true;
    return first_;
  }
  const FieldReport *find(const FieldName &field) const {
    if (!look()) return nullptr;
    const FieldReport *report = look()->field(field);
    const bool may_be_quoted = report == nullptr && field.number < 0;
    return may_be_quoted ? look()->field({written_name(field.text, true), -1}) : report;
  }

  std::vector<std::string> inputs_;
  std::string command_;
  FormatSpec format_;
  std::vector<std::string> sparse_;  // fields that only some of the inputs have
  bool quiet_;
  mutable bool looked_ = false;
  mutable std::optional<FirstFile> first_;
  mutable std::map<std::string, std::optional<FieldKind>> of_folders_;  // by name
  mutable std::map<std::string, std::optional<FirstFile>> others_;      // by input
  mutable std::set<std::string> notes_;
  mutable FoundKinds found_, shown_;
};

class KnownColumns : public ExplainedKinds {
 public:
  KnownColumns(std::vector<KnownColumn> columns, const Spread &spread)
      : columns_(std::move(columns)), spread_(spread) {
    for (const KnownColumn &column : columns_) names_.push_back(column.name);
  }
  FieldKind kind_of(const FieldName &field) const override {
    const auto found = find(field);
    const bool is_known = found != columns_.end() && !is_changed_by(spread_, field);
    return is_known ? found->kind : FieldKind();
  }
  bool has(const FieldName &field) const override { return find(field) != columns_.end(); }
  bool is_known(const std::string &name) const override { return has({name, -1}); }
  bool lacks(const FieldName &field) const override {
    return !columns_.empty() && !has(field) && !is_changed_by(spread_, field);
  }
  std::span<const std::string> columns() const override { return names_; }
  void note(const std::string &text) const override {
    if (!columns_.empty()) say_info(text);
  }

 private:
  std::vector<KnownColumn>::const_iterator find(const FieldName &field) const {
    if (field.number > 0 && field.number <= std::ssize(columns_)) {
      return columns_.begin() + (field.number - 1);
    }
    return std::ranges::find(columns_, field.text, &KnownColumn::name);
  }

  std::vector<KnownColumn> columns_;
  std::vector<std::string> names_;
  Spread spread_;
};

}  // namespace

std::shared_ptr<FieldKinds> sampled_kinds(const Compiled &compiled, KindTexts given) {
  const Program &program = compiled.program;
  return std::make_shared<SampledKinds>(compiled, program.inputs, program.map.fields.format,
                                        std::move(given));
}

namespace {

// Returns the text of the job of a directory that covers something; "": there is none.
std::string job_text_of_kept(const std::string &directory) {
  std::ifstream file(directory + "/MANIFEST", std::ios::binary);
  if (directory.empty() || !file) return "";
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const Result<Manifest> manifest = Manifest::from_text(text);
  return manifest.is_ok() && !manifest->covers_nothing() ? manifest->job : "";
}

}  // namespace

std::string found_of_kept(const std::string &directory) {
  const std::string job = job_text_of_kept(directory), mark = "\n" + std::string(kFoundFields);
  const size_t at = job.find(mark);
  if (at == job.npos) return "";
  const size_t begin = at + mark.size();
  return job.substr(begin, job.find('\n', begin) - begin);
}

void take_kinds_of(const std::string &directory, KindTexts *given) {
  const Result<Job> job = Job::from_text(job_text_of_kept(directory));
  if (!job.is_ok()) return;
  // The rows of a join are printed anew, in the kinds that its inputs have now.
  const Verb *verb = find_verb(job->verb);
  const std::string none(verb != nullptr && verb->joins ? "" : kNoKinds);
  const auto value_of = [&](std::string_view option) {
    const Job::Choice *found = job->find(option);
    return found == nullptr ? none : found->value;
  };
  *given = {value_of("--kinds"), value_of("--shown-kinds")};
}

void limit_kinds(KindTexts *given) {
  for (std::string *text : {&given->found, &given->shown}) {
    if (text->empty()) *text = kNoKinds;
  }
}

std::shared_ptr<FieldKinds> kinds_of_columns(std::vector<KnownColumn> columns,
                                             const Spread &spread) {
  return std::make_shared<KnownColumns>(std::move(columns), spread);
}

namespace {

// Returns the kinds of the stage before for the side that it hands over, or those of LEFT, which
// are known already.
std::shared_ptr<const FieldKinds> kinds_of_side(const Compiled &join, Side side) {
  const i64 first = side == kLeft ? 0 : join.program.join->left_sources;
  const std::string &input = join.program.inputs[static_cast<size_t>(first)];
  const bool is_known = join.is_fed ? input == "-" : side == kLeft;
  if (is_known) return join.kinds;
  return std::make_shared<SampledKinds>(join, std::vector{input},
                                        join.program.join->inputs[side].format, KindTexts());
}

}  // namespace

// Looks at the inputs now if rows show kinds: when rows are made, a pipe has been read.
void know_kinds_of_join(Compiled *compiled) {
  for (const Side side : {kLeft, kRight}) {
    const std::shared_ptr<const FieldKinds> kinds = kinds_of_side(*compiled, side);
    const bool shows_kinds = compiled->program.shape.format == &OutputFormat::json;
    if (shows_kinds) kinds->kind_of({.text = "1", .number = 1});
    compiled->program.join->inputs[side].kind_of =
        [kinds, clock = compiled->clock](const FieldExpr &expr) {
          Clock known = clock;
          known.kinds = kinds.get();
          return kind_of_field(expr, known);
        };
  }
}

std::vector<KnownColumn> known_columns(const Compiled &compiled,
                                       const std::vector<std::string> &names) {
  const Program &program = compiled.program;
  const std::vector<FieldExpr> &keys = program.map.fields.keys;
  const std::vector<Column> &columns = program.aggregation.columns;
  const size_t parts = std::max(keys.size(), program.shape.key.parts.size());
  std::vector<KnownColumn> known;
  const bool is_join = program.join && compiled.plan;
  const std::vector<FieldKind> joined =
      is_join ? join_kinds(*compiled.plan->join) : std::vector<FieldKind>();
  for (size_t i = 0; i < names.size(); ++i) {
    FieldKind kind;
    if (is_join) {
      kind = joined[i];
    } else if (program.shape.histogram) {
      kind = {ValueKind::number};
    } else if (program.shared) {
      kind = program.shape.key.parts[i].kind;
    } else if (i < keys.size()) {
      kind = kind_of_field(keys[i], compiled.clock);
    } else if (i >= parts && i - parts < columns.size()) {
      kind = kind_of_column(columns[i - parts]);
    }
    known.push_back({names[i], kind});
  }
  return known;
}

}  // namespace mrc
