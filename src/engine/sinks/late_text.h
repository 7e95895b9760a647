// Text that cannot be written at once: of the last records, or of all in reverse order.
#pragma once

#include "map/transform.h"
#include "output/output.h"
#include "store/store.h"

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mrc {

class LateText {
 public:
  // The last records stay in memory; take() fails if they do not fit. If all records are wanted,
  // those that do not fit go to a file in `tmpdir`.
  LateText(const TransformTerms &terms, i64 memory, std::string tmpdir)
      : last_(terms.last), reversed_(terms.reversed), memory_(memory), tmpdir_(std::move(tmpdir)) {}

  // Adds the next text. `ends`: the ends of its records.
  Status take(std::string text, std::span<const i64> ends);
  // Writes the wanted records of all text. Returns their number.
  Result<i64> write_to(OutputFile *file);

 private:
  struct Piece {
    std::string text;
    std::vector<i64> ends;
  };
  // Follows each piece in the file, which is read from its end.
  struct Footer {
    i64 text_bytes, records;
  };

  Status spill();
  Result<Piece> unspill();
  Status write(const Piece &piece, i64 passed_over, OutputFile *file) const;
  static i64 bytes_of(const Piece &piece) {
    return std::ssize(piece.text) + std::ssize(piece.ends) * i64{sizeof(i64)};
  }

  const i64 last_;
  const bool reversed_;
  const i64 memory_;
  const std::string tmpdir_;
  std::deque<Piece> pieces_;
  i64 bytes_ = 0, records_ = 0;  // of the pieces in memory
  std::optional<RunFile> file_;  // earlier pieces
  i64 file_bytes_ = 0;
};

}  // namespace mrc
