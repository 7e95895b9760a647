#include "engine/sinks/text_product.h"

#include "base/varint.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

// Text that is written at once.
constexpr i64 kTextOfBlock = i64{1} << 20;

template <typename Number>
void append_numbers(const std::vector<Number> &numbers, std::string *out) {
  append_varint(numbers.size(), out);
  for (const Number number : numbers) append_varint(static_cast<u64>(number), out);
}

template <typename Number>
void take_numbers(Bytes *from, std::vector<Number> *numbers) {
  numbers->resize(take_varint(from));
  for (Number &number : *numbers) number = static_cast<Number>(take_varint(from));
}

std::string packed(const TransformedText &text) {
  std::string out;
  append_sized(text.header, &out);
  append_varint(static_cast<u64>(text.records), &out);
  append_varint(static_cast<u64>(text.lines), &out);
  append_numbers(text.ends, &out);
  append_numbers(text.positions, &out);
  append_varint(text.inserts.size(), &out);
  for (const TransformedText::Insert &insert : text.inserts) {
    append_varint(static_cast<u64>(insert.at), &out);
    const bool is_name = insert.line == TransformedText::Insert::kName;
    append_varint(is_name ? 0 : static_cast<u64>(insert.line + 1), &out);
  }
  append_sized(text.text, &out);
  for (const TransformedText::Line &line : text.around) {
    append_varint(static_cast<u64>(line.end), &out);
    append_varint(static_cast<u64>(line.number) << 1 | u64{line.is_record}, &out);
  }
  return out;
}

TransformedText unpacked(Bytes from) {
  TransformedText text;
  text.header = take_sized(&from);
  text.records = static_cast<i64>(take_varint(&from));
  text.lines = static_cast<i64>(take_varint(&from));
  take_numbers(&from, &text.ends);
  take_numbers(&from, &text.positions);
  text.inserts.resize(take_varint(&from));
  for (TransformedText::Insert &insert : text.inserts) {
    insert.at = static_cast<i64>(take_varint(&from));
    const auto line = static_cast<i64>(take_varint(&from));
    insert.line = line == 0 ? TransformedText::Insert::kName : line - 1;
  }
  text.text = take_sized(&from);
  while (!from.empty()) {
    const auto end = static_cast<i64>(take_varint(&from));
    const u64 line = take_varint(&from);
    text.around.push_back({end, static_cast<i64>(line >> 1), (line & 1) != 0});
  }
  return text;
}

bool has_nothing(const TransformedText &text) {
  return text.records == 0 && text.lines == 0 && text.text.empty() && text.header.empty();
}

}  // namespace

TextProduct::TextProduct(Run *run, const Transformer &transformer, BadRecordSink *bad,
                         PartFiles *files)
    : run_(*run), files_(files), transformer_(transformer.make_worker(run->readers.get(), bad)) {
  transformer_->drain_to([this](TransformedText *) {
    if (status_.is_ok()) status_ = write();
    return status_.is_ok();
  });
}

Status TextProduct::take(const Chunk &chunk, i64 *records) {
  const u64 begin = position_of(chunk.source, chunk.offset);
  if (begin != end_ || text_.bytes() >= kTextOfBlock) {
    if (Status status = write(); !status.is_ok()) return status;
    begin_ = begin;
  }
  end_ = begin + chunk.bytes.size();
  const Source &source = run_.plan.sources[static_cast<size_t>(chunk.source)];
  *records += transformer_->transform(chunk, source, &text_);
  return status_;
}

Status TextProduct::write() {
  if (has_nothing(text_)) return Status::ok();
  if (!part_) {
    if (Status status = begin_part(); !status.is_ok()) return status;
  }
  const std::string text = packed(text_);
  text_.clear();
  std::string record;
  append_record(kTextShape, {.hash = begin_, .var = text}, &record);
  return writer_->add_block({.records = 1, .lo = begin_, .hi = begin_}, record);
}

Status TextProduct::begin_part() {
  if (files_ != nullptr) {
    Result<std::shared_ptr<SavedPart>> created = files_->create();
    if (!created.is_ok()) return created.status();
    part_ = std::move(*created);
  } else {
    Result<RunFile> file = RunFile::temporary(run_.plan.tmpdir);
    if (!file.is_ok()) return file.status();
    part_ = std::make_shared<SavedPart>(-1, std::move(*file));
  }
  writer_ = std::make_unique<RunWriter>(&part_->file, RunHeader{.shape = kTextShape});
  return Status::ok();
}

Result<std::shared_ptr<SavedPart>> TextProduct::save(bool *emptied) {
  *emptied = true;
  end_ = ~u64{0};
  Status status = write();
  if (status.is_ok() && writer_) status = writer_->finish();
  if (!status.is_ok()) return status;
  writer_.reset();
  return std::exchange(part_, nullptr);
}

Result<std::unique_ptr<TileProduct>> TextProduct::end_tile() {
  auto tile = std::make_unique<TextTile>();
  end_ = ~u64{0};
  if (Status status = write(); !status.is_ok()) return status;
  if (writer_) tile->blocks = writer_->blocks();
  tile->part = std::exchange(part_, nullptr);
  writer_.reset();
  return std::unique_ptr<TileProduct>(std::move(tile));
}

Result<TransformedText> read_text(const StoredBlock &block, Pages *buffer) {
  const Result<Bytes> bytes = read_block(*block.file, kTextShape, block.info, buffer);
  if (!bytes.is_ok()) return bytes.status();
  StoredRecord record;
  read_record(reinterpret_cast<const std::byte *>(bytes->data()), kTextShape, &record);
  return unpacked(record.var);
}

void sort_by_place(std::vector<StoredBlock> *blocks) {
  std::ranges::stable_sort(*blocks, {}, [](const StoredBlock &block) { return block.info.lo; });
}

}  // namespace mrc
