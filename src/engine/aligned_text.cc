// The widths of columns depend on all rows, so rows are kept until the last one is known, and read
// twice: once to measure, once to write.
#include "engine/inner/aligned_text.h"

#include "engine/inner/program.h"
#include "map/key_parts.h"
#include "output/encode.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace mrc {
namespace {

constexpr size_t kAlignedPiece = size_t{1} << 20;
// If a cell is wider, its row continues in the next line, so that it does not widen all rows.
constexpr i64 kWidestCell = 60;
constexpr size_t kGap = 2;  // blanks between cells

// Calls take(index, cell) for each cell of a row.
template <typename Take>
void each_cell(Bytes row, Take take) {
  for (size_t i = 0, begin = 0; begin <= row.size(); ++i) {
    const size_t end = std::min(row.find('\t', begin), row.size());
    take(i, row.substr(begin, end - begin));
    begin = end + 1;
  }
}

Result<size_t> read_at(int fd, i64 at, char *to, size_t bytes) {
  for (;;) {
    const ssize_t got = ::pread(fd, to, bytes, at);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return Status::from_errno("rows of the table", errno);
  }
}

}  // namespace

bool aligns_text(const Program &program) {
  return program.shape.format->for_people && (program.transform || program.join);
}

AlignedText::AlignedText(std::unique_ptr<OutputFile> answer, const RowShape &shape, i64 memory,
                         const std::string &tmpdir)
    : answer_(std::move(answer)), shape_(shape), text_("rows of the table", answer_.get()) {
  text_.keep_within(memory, tmpdir);
}

template <typename Take>
Status AlignedText::each_row(Take take) const {
  const Source source = text_.source();
  std::string held;
  for (i64 at = 0; at < source.end;) {
    const size_t before = held.size();
    const size_t wanted = static_cast<size_t>(std::min<i64>(kAlignedPiece, source.end - at));
    held.resize(before + wanted);
    const Result<size_t> got = read_at(source.fd, at, held.data() + before, wanted);
    if (!got.is_ok()) return got.status();
    if (*got == 0) return Status::error("rows of the table: the temporary file was cut");
    held.resize(before + *got);
    at += static_cast<i64>(*got);
    size_t begin = 0;
    for (size_t end; (end = held.find('\n', std::max(begin, before))) != held.npos;) {
      if (Status status = take(Bytes(held).substr(begin, end - begin)); !status.is_ok()) {
        return status;
      }
      begin = end + 1;
    }
    held.erase(0, begin);
  }
  return Status::ok();
}

void AlignedText::measure(Bytes row) {
  const bool is_header = measured_++ == 0 && shape_.header;
  each_cell(row, [&](size_t i, Bytes cell) {
    if (i == columns_.size()) columns_.emplace_back();
    Column &column = columns_[i];
    column.width = std::max(column.width, std::min(display_width(cell), kWidestCell));
    const bool is_missing = cell.empty() || cell == "-";
    if (is_header || is_missing) return;
    (is_key_number(cell) ? column.has_numbers : column.has_text) = true;
  });
}

void AlignedText::append_table_row(Bytes row, bool is_header, std::string *out) const {
  const bool is_bold = is_header && shape_.color;
  size_t end = 0;  // width of the row up to the end of the cell
  each_cell(row, [&](size_t i, Bytes cell) {
    const Column &column = columns_[i];
    const i64 room = column.width - display_width(cell);
    const size_t blanks = static_cast<size_t>(std::max<i64>(0, room));
    if (i > 0) out->append(kGap, ' ');
    if (column.is_right()) out->append(blanks, ' ');
    if (is_bold && !cell.empty()) out->append("\x1b[1m");
    out->append(cell);
    if (is_bold && !cell.empty()) out->append("\x1b[0m");
    end += (i > 0 ? kGap : 0) + static_cast<size_t>(column.width);
    if (i + 1 == columns_.size()) return;
    if (room < 0) {  // the next cell would not be in its column
      out->push_back('\n');
      out->append(end, ' ');
    } else if (!column.is_right()) {
      out->append(blanks, ' ');
    }
  });
  out->push_back('\n');
}

void AlignedText::append_markdown_row(Bytes row, bool is_header, std::string *out) const {
  each_cell(row, [&](size_t, Bytes cell) { out->append("| ").append(cell).push_back(' '); });
  out->append("|\n");
  if (!is_header) return;
  for (const Column &column : columns_) out->append(column.is_right() ? "| ---: " : "| :--- ");
  out->append("|\n");
}

Status AlignedText::write_row(Bytes row, std::string *out) {
  const bool is_header = written_++ == 0 && shape_.header;
  const bool is_table = shape_.format == &OutputFormat::table;
  is_table ? append_table_row(row, is_header, out) : append_markdown_row(row, is_header, out);
  if (out->size() < kAlignedPiece) return Status::ok();
  Status status = answer_->write(*out);
  out->clear();
  return status;
}

Status AlignedText::finish() {
  Status status = each_row([&](Bytes row) {
    measure(row);
    return Status::ok();
  });
  std::string out;
  if (status.is_ok()) {
    status = each_row([&](Bytes row) { return write_row(row, &out); });
  }
  if (status.is_ok()) status = answer_->write(out);
  return status.is_ok() ? answer_->commit() : status;
}

}  // namespace mrc
