#include "engine/sinks/text_parts.h"

#include "base/varint.h"

#include <algorithm>
#include <utility>

namespace mrc {
namespace {

void append_bytes(Bytes bytes, std::string *out) {
  append_varint(bytes.size(), out);
  out->append(bytes);
}

std::string take_bytes(Bytes *from) {
  const size_t size = take_varint(from);
  std::string bytes(from->substr(0, size));
  from->remove_prefix(size);
  return bytes;
}

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
  append_bytes(text.header, &out);
  append_varint(static_cast<u64>(text.records), &out);
  append_varint(static_cast<u64>(text.lines), &out);
  append_numbers(text.ends, &out);
  append_numbers(text.positions, &out);
  append_varint(text.numbers.size(), &out);
  for (const TransformedText::Number &number : text.numbers) {
    append_varint(static_cast<u64>(number.at), &out);
    append_varint(static_cast<u64>(number.line), &out);
  }
  append_bytes(text.text, &out);
  return out;
}

TransformedText unpacked(Bytes from) {
  TransformedText text;
  text.header = take_bytes(&from);
  text.records = static_cast<i64>(take_varint(&from));
  text.lines = static_cast<i64>(take_varint(&from));
  take_numbers(&from, &text.ends);
  take_numbers(&from, &text.positions);
  text.numbers.resize(take_varint(&from));
  for (TransformedText::Number &number : text.numbers) {
    number.at = static_cast<i64>(take_varint(&from));
    number.line = static_cast<i64>(take_varint(&from));
  }
  text.text = take_bytes(&from);
  return text;
}

Status cut_short(const RunFile &file) { return Status::error(file.name() + ": is cut short"); }

}  // namespace

Status TextFile::append(Bytes text) {
  if (!file_) {
    Result<RunFile> file = RunFile::temporary(tmpdir_);
    if (!file.is_ok()) return file.status();
    file_.emplace(std::move(*file));
  }
  if (Status status = file_->write(bytes_, {&text, 1}); !status.is_ok()) return status;
  bytes_ += std::ssize(text);
  return Status::ok();
}

std::optional<RunFile> TextFile::release() {
  std::optional<RunFile> file;
  if (file_) file.emplace(std::move(*file_));
  file_.reset();
  bytes_ = 0;
  return file;
}

Status WorkerText::add(const Unit &unit, TransformedText *text) {
  const std::string bytes = packed(*text);
  text->clear();
  pieces_.push_back({unit.source, unit.number, file_.bytes(), std::ssize(bytes)});
  return file_.append(bytes);
}

SealedPart WorkerText::seal() {
  std::string notes;
  for (const TextPiece &piece : std::exchange(pieces_, {})) {
    for (const i64 number : {piece.source, piece.number, piece.bytes}) {
      append_varint(static_cast<u64>(number), &notes);
    }
  }
  return {.states = file_.release(), .emptied = true, .notes = std::move(notes)};
}

Status TextParts::take(const SealedPart &part) {
  if (!part.states) return Status::ok();
  i64 offset = file_.bytes();
  if (Status status = copy(*part.states); !status.is_ok()) return status;
  for (Bytes notes = part.notes; !notes.empty();) {
    TextPiece &piece = pieces_.emplace_back();
    piece.source = static_cast<i64>(take_varint(&notes));
    piece.number = static_cast<i64>(take_varint(&notes));
    piece.bytes = static_cast<i64>(take_varint(&notes));
    piece.offset = std::exchange(offset, offset + piece.bytes);
  }
  return offset == file_.bytes() ? Status::ok() : cut_short(*part.states);
}

Status TextParts::copy(const RunFile &from) {
  std::string buffer(size_t{1} << 20, '\0');
  for (i64 at = 0;;) {
    const Result<i64> got =
        from.read(at, reinterpret_cast<std::byte *>(buffer.data()), std::ssize(buffer));
    if (!got.is_ok()) return got.status();
    if (*got == 0) return Status::ok();
    const Bytes piece = Bytes(buffer).substr(0, static_cast<size_t>(*got));
    if (Status status = file_.append(piece); !status.is_ok()) return status;
    at += *got;
  }
}

Result<TransformedText> TextParts::read(const TextPiece &piece) const {
  std::string bytes(static_cast<size_t>(piece.bytes), '\0');
  const Result<i64> got =
      file_.file().read(piece.offset, reinterpret_cast<std::byte *>(bytes.data()), piece.bytes);
  if (!got.is_ok()) return got.status();
  return *got == piece.bytes ? Result<TransformedText>(unpacked(bytes)) : cut_short(file_.file());
}

Status TextParts::each(const std::function<Status(i64 source, TransformedText *text)> &write) {
  std::ranges::stable_sort(
      pieces_, {}, [](const TextPiece &piece) { return std::pair(piece.source, piece.number); });
  for (const TextPiece &piece : pieces_) {
    Result<TransformedText> text = read(piece);
    if (!text.is_ok()) return text.status();
    if (Status status = write(piece.source, &*text); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace mrc
