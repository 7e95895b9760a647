// Turns records with fields into text, a batch at a time: the reader splits fields, the filter
// selects records, and the wanted fields of those are appended. The caller orders the text of
// chunks.
#include "base/text.h"
#include "base/varint.h"
#include "fields/json.h"
#include "map/draw.h"
#include "output/encode.h"
#include "output/inner/columns.h"
#include "output/inner/nested_names.h"
#include "output/named_files.h"
#include "output/output.h"
#include "output/record_text.h"

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

// One printed field.
struct SelectCell {
  FieldExpr expr;
  size_t field;             // index in the batch
  std::string label;        // the text before it in JSON
  std::string not_of_kind;  // the reason for a bad value
  SelectedKey known;
};

// Cells as text of one format.
class RecordText final : public RecordWriter {
 public:
  explicit RecordText(const SelectSpec &spec);

  bool whole() const { return cells_.empty(); }
  void append_header(std::string *out) const override;
  void append(const Chunk &chunk, const SelectedRecords &batch, size_t record, bool json,
              BadRecordSink *bad, std::string *value, std::string *out) const override;

 private:
  // Appends the record. A missing value is empty, and null in JSON; so is a value that does not fit
  // its bucket, which is passed to misfit(value, reason). *value is for one at a time.
  // `json`: the records are JSON.
  template <typename Misfit>
  void append_cells(const SelectedRecords &batch, size_t record, bool json, Misfit misfit,
                    std::string *value, std::string *out) const;
  // Appends the record unchanged, with its carriage return if that lies before `end`.
  void append_whole(Bytes record, const char *end, std::string *out) const;
  template <typename Misfit>
  void append_nested(const SelectedRecords &batch, size_t record, bool json, Misfit misfit,
                     std::string *value, std::string *out) const;
  template <typename Misfit>
  Bytes fitting(const SelectCell &cell, Bytes text, Misfit misfit, std::string *value) const;
  size_t copy_cells(const SelectedRecords &batch, size_t record, size_t cell, char *to) const;
  bool append_unescaped(const SelectedRecords &batch, size_t record, std::string *out) const;
  void append_cell(const SelectCell &cell, Bytes value, bool json, std::string *out) const;
  void append_value(const SelectCell &cell, Bytes value, bool json, std::string *out) const;
  void append_sized_header(std::string *out) const;
  void append_sized_cell(const SelectCell &cell, Bytes value, bool json, std::string *out) const;
  // True if the cells become names in JSON.
  bool is_name(const SelectCell &cell) const { return labelled() && &cell == &cells_[0]; }
  bool is_bare(const SelectCell &cell, Bytes value, bool json) const;

  RowShape shape_;
  bool labelled() const { return separator_ == '\0'; }
  char separator_;
  AppendKey append_text_;
  bool all_text_;
  std::vector<SelectCell> cells_;
  bool may_be_unescaped_ = false;  // fields as TSV
  std::optional<NestedNames> nested_;
};

RecordText::RecordText(const SelectSpec &spec)
    : shape_(spec.shape),
      separator_(shape_.format->separator),
      append_text_(shape_.format->field_text(shape_)),
      all_text_(spec.all_text) {
  const WantedFields wanted = spec.fields.wanted();
  std::vector<std::string> names;
  for (const FieldExpr &key : spec.fields.keys) names.push_back(key.column());
  if (spec.nests) nested_.emplace(json_names(names));
  std::vector<std::string> labels = json_labels(names);
  for (size_t i = 0; i < names.size(); ++i) {
    const FieldExpr &key = spec.fields.keys[i];
    const SelectedKey known = i < spec.known.size() ? spec.known[i] : SelectedKey();
    cells_.push_back(
        {key, wanted.column(key.field), std::move(labels[i]), key.not_of_kind(), known});
  }
  if (shape_.format == &OutputFormat::csv && cells_.size() == 1 && !shape_.transposed)
    append_text_ = only_csv_text(shape_);
  may_be_unescaped_ = shape_.format == &OutputFormat::tsv && !shape_.raw && !shape_.terminal &&
                      !shape_.transposed && !whole() &&
                      std::ranges::none_of(cells_, [](const SelectCell &cell) {
                        return cell.expr.bucket != nullptr;
                      });
}

void RecordText::append_header(std::string *out) const {
  if (shape_.transposed) return append_sized_header(out);
  if (labelled() || whole()) return;
  for (const SelectCell &cell : cells_) {
    if (&cell != &cells_[0]) out->push_back(separator_);
    append_text_(cell.expr.column(), out);
  }
  out->push_back(shape_.terminator);
}

// Appends the row of names as TransposedText takes it.
void RecordText::append_sized_header(std::string *out) const {
  std::string text;
  for (const SelectCell &cell : cells_) {
    text.clear();
    is_name(cell) ? void(text = cell.expr.column()) : append_text_(cell.expr.column(), &text);
    append_sized(text, out);
  }
}

// Appends a cell as TransposedText takes it.
void RecordText::append_sized_cell(const SelectCell &cell, Bytes value, bool json,
                                   std::string *out) const {
  if (is_name(cell)) return append_sized(value, out);
  std::string text;
  append_value(cell, value, json, &text);
  append_sized(text, out);
}

void RecordText::append(const Chunk &chunk, const SelectedRecords &batch, size_t record, bool json,
                        BadRecordSink *bad, std::string *value, std::string *out) const {
  const Bytes bytes = batch.records[record];
  if (whole()) return append_whole(bytes, chunk.bytes.data() + chunk.bytes.size(), out);
  if (may_be_unescaped_ && append_unescaped(batch, record, out)) return;
  const auto misfit = [&](Bytes misfitting, const char *reason) {
    bad->take_value(chunk, {bytes, misfitting, reason});
  };
  append_cells(batch, record, json, misfit, value, out);
}

// Returns the value in the bucket of its cell, which is made in *value.
template <typename Misfit>
Bytes RecordText::fitting(const SelectCell &cell, Bytes text, Misfit misfit,
                          std::string *value) const {
  if (!cell.expr.bucket || text.empty() || text == "-") return text;
  value->clear();
  if (cell.expr.bucket->append(text, value)) return *value;
  misfit(text, cell.not_of_kind.c_str());
  return {};
}

// Values that are missing have no member. In records that are not JSON, so have empty ones, and
// what JSON writes for no members is that.
template <typename Misfit>
void RecordText::append_nested(const SelectedRecords &batch, size_t record, bool json,
                               Misfit misfit, std::string *value, std::string *out) const {
  std::string texts;
  std::vector<size_t> ends;
  for (const SelectCell &cell : cells_) {
    const Bytes text = fitting(cell, batch.column(cell.field)[record], misfit, value);
    const bool is_there = json ? text.data() != nullptr : !text.empty();
    const bool is_none = !json && (text == "{}" || text == "[]");
    if (is_there) is_none ? void(texts.append(text)) : append_value(cell, text, json, &texts);
    ends.push_back(texts.size());
  }
  std::vector<Bytes> values;
  size_t begin = 0;
  for (const size_t end : ends) {
    values.push_back(Bytes(texts).substr(begin, end - begin));
    begin = end;
  }
  nested_->append(values, out);
  out->push_back(shape_.terminator);
}

// True if a value follows others in the record, after one byte that is not a tab.
bool lies_beside(Bytes others, Bytes value, Bytes record) {
  const char *end = others.data() + others.size();
  return value.data() == end + 1 && others.data() >= record.data() &&
         value.data() + value.size() <= record.data() + record.size() && *end != '\t';
}

// Copies a cell, and those that lie beside it in the record. Returns their number, or 0 if one
// needs an escape. They are checked where they are copied to, as bytes follow there.
size_t RecordText::copy_cells(const SelectedRecords &batch, size_t record, size_t cell,
                              char *to) const {
  Bytes all = batch.column(cells_[cell].field)[record];
  size_t next = cell + 1;
  for (; next < cells_.size(); ++next) {
    const Bytes value = batch.column(cells_[next].field)[record];
    if (!lies_beside(all, value, batch.records[record])) break;
    all = {all.data(), all.size() + 1 + value.size()};
  }
  if (!all.empty()) std::memcpy(to, all.data(), all.size());
  return has_tsv_escape(to, all.size()) ? 0 : next - cell;
}

// Appends the cells as TSV, unless a value needs an escape, or they are long.
[[gnu::noinline]] bool RecordText::append_unescaped(const SelectedRecords &batch, size_t record,
                                                    std::string *out) const {
  constexpr size_t kLongest = size_t{1} << 16;
  const size_t begin = out->size();
  size_t bytes = cells_.size();  // separators, and the terminator
  for (const SelectCell &cell : cells_) bytes += batch.column(cell.field)[record].size();
  if (bytes > kLongest) return false;
  out->append(bytes + kReadBeyond, ' ');
  char *to = out->data() + begin;
  for (size_t i = 0; i < cells_.size();) {
    const size_t end = i + copy_cells(batch, record, i, to);
    if (end == i) {
      out->resize(begin);
      return false;
    }
    for (; i < end; ++i) {
      to += batch.column(cells_[i].field)[record].size();
      *to++ = separator_;
    }
  }
  out->resize(begin + bytes);
  out->back() = shape_.terminator;
  return true;
}

template <typename Misfit>
void RecordText::append_cells(const SelectedRecords &batch, size_t record, bool json, Misfit misfit,
                              std::string *value, std::string *out) const {
  if (nested_) return append_nested(batch, record, json, misfit, value, out);
  for (const SelectCell &cell : cells_) {
    const Bytes text = fitting(cell, batch.column(cell.field)[record], misfit, value);
    if (shape_.transposed) {
      append_sized_cell(cell, text, json, out);
      continue;
    }
    if (!labelled() && &cell != &cells_[0]) out->push_back(separator_);
    append_cell(cell, text, json, out);
  }
  if (shape_.transposed) return;
  if (labelled()) out->push_back('}');
  out->push_back(shape_.terminator);
}

void RecordText::append_cell(const SelectCell &cell, Bytes value, bool json,
                             std::string *out) const {
  if (labelled()) out->append(cell.label);
  append_value(cell, value, json, out);
}

void RecordText::append_value(const SelectCell &cell, Bytes value, bool json,
                              std::string *out) const {
  if (!labelled()) return append_text_(value, out);
  if (value.data() == nullptr) {
    out->append("null");
  } else if (is_bare(cell, value, json)) {
    append_json_value(value, out);
  } else {
    append_text_(value, out);
  }
}

// True if the value is not a string in JSON.
bool RecordText::is_bare(const SelectCell &cell, Bytes value, bool json) const {
  if (all_text_) return false;
  if (json && cell.known.is_read) return !is_json_string(value);
  if (cell.expr.is_number()) return is_key_number(value);
  return is_bare_json(cell.known.kind, value);
}

void RecordText::append_whole(Bytes record, const char *end, std::string *out) const {
  const bool is_visible = shape_.terminal && !shape_.raw;
  if (is_visible) {
    append_visible(record, out);
  } else {
    make_room_for(record, out);
    out->append(shape_.terminated ? with_return(record, end) : record);
  }
  if (is_visible || shape_.terminated) out->push_back(shape_.terminator);
}

class SelectWorker : public ChunkTransformer {
 public:
  SelectWorker(const SelectSpec &spec, const RecordText &text, bool has_ends, bool draws,
               const InputReaders &readers, BadRecordSink *bad)
      : spec_(spec),
        text_(text),
        has_ends_(has_ends),
        draws_(draws),
        draw_(spec.drawn),
        readers_(readers),
        bad_(bad),
        scan_(spec.fields.wanted(), readers, bad) {}

  i64 transform(const Chunk &chunk, const Source &source, TransformedText *out) override;

 private:
  void append_batch(const Chunk &chunk, bool json, TransformedText *out);
  void append_record(const Chunk &chunk, size_t record, bool json, std::string *out);
  bool is_drawn(u64 position);

  const SelectSpec &spec_;
  const RecordText &text_;
  const bool has_ends_, draws_;
  Draw draw_;  // of what this worker reads
  const InputReaders &readers_;
  BadRecordSink *bad_;
  RecordScan scan_;
  const SelectedRecords &batch_ = *scan_.batch();
  std::string value_;          // the value of one bucket
  std::string path_, record_;  // of one record that goes to a file
};

// Appends the header of records as the output takes it.
void append_header_for(const SelectSpec &spec, Bytes header, std::string *out) {
  if (!spec.files) return void(out->append(header));
  if (!header.empty()) append_to_file({}, header, out);
}

i64 SelectWorker::transform(const Chunk &chunk, const Source &, TransformedText *out) {
  const Dialect *dialect = readers_.dialect(chunk.source);
  if (dialect == nullptr || out->records >= spec_.of_all) return 0;
  if (text_.whole() && spec_.shape.header && chunk.offset == 0 && dialect->header) {
    std::string header;
    append_record_header(*dialect, spec_.shape, &header);
    append_header_for(spec_, header, &out->header);
  }
  const bool json = has_json_values(*dialect);
  return scan_.each(chunk, [&] {
    append_batch(chunk, json, out);
    return out->records < spec_.of_all;
  });
}

void SelectWorker::append_batch(const Chunk &chunk, bool json, TransformedText *out) {
  bad_->count_used(batch_.selected);
  for (i64 k = 0; k < batch_.selected; ++k) {
    const size_t i = batch_.selection[static_cast<size_t>(k)];
    const u64 position =
        position_of(chunk.source, chunk.offset + (batch_.begin_of(i) - chunk.bytes.data()));
    if (draws_ && !is_drawn(position)) continue;
    append_record(chunk, i, json, &out->text);
    ++out->records;
    if (!has_ends_) continue;
    out->ends.push_back(std::ssize(out->text));
    out->positions.push_back(position);
  }
}

void SelectWorker::append_record(const Chunk &chunk, size_t record, bool json, std::string *out) {
  if (!spec_.files) return text_.append(chunk, batch_, record, json, bad_, &value_, out);
  path_.clear();
  record_.clear();
  spec_.files->append(chunk, batch_, record, bad_, &value_, &path_);
  text_.append(chunk, batch_, record, json, bad_, &value_, &record_);
  append_to_file(path_, record_, out);
}

// A worker leaves out records that have no place even among those that it reads.
bool SelectWorker::is_drawn(u64 position) {
  const u64 rank = rank_of(position, spec_.seed);
  return rank <= spec_.most_rank && (spec_.drawn == INT64_MAX || draw_.take(rank));
}

class Select : public Transformer {
 public:
  explicit Select(SelectSpec spec) : spec_(std::move(spec)), text_(spec_) {}

  TransformTerms terms() const override {
    return {.of_all = spec_.of_all,
            .last = spec_.last,
            .reversed = spec_.reversed,
            .skipped = spec_.skipped,
            .drawn = spec_.drawn,
            .random = spec_.drawn < INT64_MAX || spec_.most_rank < ~u64{0},
            .seed = spec_.seed};
  }
  std::unique_ptr<ChunkTransformer> make_worker(const InputReaders *readers,
                                                BadRecordSink *bad) const override {
    return std::make_unique<SelectWorker>(spec_, text_, terms().counts_records(), terms().random,
                                          *readers, bad);
  }
  void begin(std::string *text) const override {
    if (!spec_.shape.header) return;
    std::string header;
    text_.append_header(&header);
    append_header_for(spec_, header, text);
  }

 private:
  const SelectSpec spec_;
  const RecordText text_;
};

}  // namespace

std::unique_ptr<RecordWriter> make_record_writer(const SelectSpec &spec) {
  return std::make_unique<RecordText>(spec);
}

bool has_json_values(const Dialect &dialect) {
  return dialect.format->paths || dialect.format == &LineFormat::row_objects;
}

std::unique_ptr<Transformer> make_select(SelectSpec spec) {
  return std::make_unique<Select>(std::move(spec));
}

}  // namespace mrc
