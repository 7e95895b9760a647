#include "expr/record_scan.h"

#include "expr/computed_field.h"
#include "expr/evaluate.h"

#include <algorithm>

namespace mrc {

std::string WantedFields::index_name(const FieldName &name) {
  std::string text = std::to_string(name.number);
  text.push_back(name.path.empty() ? name.whole ? '!' : '.' : '/');
  return text + name.text;
}

WantedFields::WantedFields(std::shared_ptr<const Filter> filter,
                           const std::vector<FieldName> &names)
    : filter_(std::move(filter)) {
  for (const FieldName &name : names) add(name);
  if (filter_ == nullptr) return;
  for (const FieldName &name : filter_->fields()) add(name);
}

template <typename Field>
void WantedFields::Distinct<Field>::add(const FieldName &name, const Field &field) {
  if (places.add(index_name(name), std::ssize(fields))) fields.push_back(field);
}
template <typename Field>
size_t WantedFields::Distinct<Field>::place(const FieldName &name) const {
  return static_cast<size_t>(places.find(index_name(name)));
}

void WantedFields::add(const FieldName &name) { names_.add(name, name); }

void WantedFields::add(const FieldExpr &expr, bool as_number) {
  if (expr.computed == nullptr) return add(expr.field);
  for (const FieldName &name : expr.computed->fields()) add(name);
  (as_number ? numbers_ : texts_).add(expr.field, expr);
}

size_t WantedFields::column(const FieldName &name) const {
  if (name.number != kComputedNumber) return names_.place(name);
  return names().size() + texts_.place(name);
}

size_t WantedFields::number_column(const FieldName &name) const { return numbers_.place(name); }

RecordScan::RecordScan(WantedFields wanted, const InputReaders &readers, BadRecordSink *bad,
                       i64 bytes_beside)
    : wanted_(std::move(wanted)),
      readers_(readers),
      bad_(bad),
      cache_(std::make_unique<ValueCache>()) {
  const i64 bytes = std::ssize(wanted_.names()) * i64{sizeof(Bytes)} + bytes_beside;
  batch_.capacity = records_together(bytes, RecordBatch::kCapacity);
  batch_.set_columns(wanted_.names().size());
  batch_.texts.resize(wanted_.computed_texts().size());
  batch_.numbers.resize(wanted_.computed_numbers().size());
  for (size_t i = 0; i < wanted_.names().size(); ++i) {
    if (!wanted_.names()[i].is_everywhere()) unseen_.push_back(i);
  }
  if (wanted_.filter() != nullptr) filter_columns_ = columns_of(wanted_.filter()->fields());
  for (const FieldExpr &expr : wanted_.computed_texts()) {
    text_columns_.push_back(columns_of(expr.computed->fields()));
  }
  for (const FieldExpr &expr : wanted_.computed_numbers()) {
    number_columns_.push_back(columns_of(expr.computed->fields()));
  }
}

RecordScan::~RecordScan() = default;

RecordScan::Columns RecordScan::columns_of(const std::vector<FieldName> &fields) const {
  Columns columns;
  for (const FieldName &field : fields) columns.push_back(wanted_.column(field));
  return columns;
}

i64 RecordScan::read(const Chunk &chunk, const RecordReader &reader, const char **next) {
  batch_.clear();
  bad_values_.clear();
  cache_->clear();
  reader.read(chunk, next, &batch_);
  if (!unseen_.empty() && batch_.size > 0) look_for_fields();
  for (const BadRecord &bad : batch_.bad) bad_->take(chunk, bad);
  if (batch_.ends_in_quotes) bad_->take_open_quote();
  select();
  if (!text_columns_.empty() || !number_columns_.empty()) compute();
  if (!bad_values_.empty()) report(chunk);
  return batch_.size + std::ssize(batch_.bad);
}

void RecordScan::look_for_fields() {
  std::erase_if(unseen_, [this](size_t column) {
    const Bytes *values = batch_.fields[column].data();
    const bool is_there = std::any_of(values, values + batch_.size,
                                      [](Bytes value) { return value.data() != nullptr; });
    bad_->take_field(wanted_.names()[column], is_there);
    return is_there;
  });
}

void RecordScan::select() {
  batch_.selected = 0;
  if (wanted_.filter() == nullptr) {
    for (; batch_.selected < batch_.size; ++batch_.selected) {
      batch_.selection[static_cast<size_t>(batch_.selected)] = static_cast<u16>(batch_.selected);
    }
    return;
  }
  const Filter::Selection wanted = wanted_.filter()->select(&batch_, filter_columns_, &bad_values_);
  for (size_t i = 0; i < static_cast<size_t>(batch_.size); ++i) {
    batch_.selection[static_cast<size_t>(batch_.selected)] = static_cast<u16>(i);
    batch_.selected += wanted[i];
  }
}

void RecordScan::compute() {
  Bits wanted;
  for (i64 k = 0; k < batch_.selected; ++k) {
    const u64 i = batch_.selection[static_cast<size_t>(k)];
    wanted.words[i / 64] |= u64{1} << (i % 64);
  }
  const auto input = [this](const Columns &columns) {
    return FilterInput{batch_, columns, &batch_.unescaped, &bad_values_, cache_.get()};
  };
  for (size_t i = 0; i < text_columns_.size(); ++i) {
    const ComputedField &field = *wanted_.computed_texts()[i].computed;
    field.texts().fill(input(text_columns_[i]), wanted, &batch_.texts[i]);
  }
  for (size_t i = 0; i < number_columns_.size(); ++i) {
    const ComputedField &field = *wanted_.computed_numbers()[i].computed;
    field.numbers()->fill(input(number_columns_[i]), wanted, &batch_.numbers[i]);
  }
}

// Reports a value once, even if several conditions have noted it, read from a field or computed
// again. Values of a record come in its order, and computed ones last.
void RecordScan::report(const Chunk &chunk) {
  const auto keep_first = [this](auto order, auto identity) {
    std::ranges::stable_sort(bad_values_, {}, order);
    const auto repeated = std::ranges::unique(bad_values_, {}, identity);
    bad_values_.erase(repeated.begin(), repeated.end());
  };
  const auto content = [](const BadValue &bad) {
    return std::tuple(bad.record, bad.value, Bytes(bad.reason));
  };
  keep_first(content, content);
  const auto place = [this](const BadValue &bad) {
    const Bytes record = batch_.records[bad.record];
    const auto at = reinterpret_cast<uintptr_t>(bad.value.data());
    return std::pair(bad.record,
                     std::min(at - reinterpret_cast<uintptr_t>(record.data()), record.size()));
  };
  keep_first(place, [](const BadValue &bad) {
    const char *value = bad.value.data();
    return std::tuple(bad.record, value, value == nullptr ? bad.reason : nullptr);
  });
  for (const BadValue &bad : bad_values_) {
    bad_->take_value(chunk, {batch_.records[bad.record], bad.value, bad.reason});
  }
}

}  // namespace mrc
