// Text of worker processes. Each worker saves its text to a file. The process that started them
// copies it to a file of its own, and writes it in the order of the input when all is there.
#pragma once

#include "engine/inner/scan.h"
#include "map/transform.h"
#include "store/store.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// A temporary file to which text is appended. It is created when there is text.
class TextFile {
 public:
  explicit TextFile(std::string tmpdir) : tmpdir_(std::move(tmpdir)) {}

  Status append(Bytes text);
  // Returns all text, and starts another file. Unset: there is no text.
  std::optional<RunFile> release();
  // REQUIRES: there is text
  const RunFile &file() const { return *file_; }
  i64 bytes() const { return bytes_; }

 private:
  const std::string tmpdir_;
  std::optional<RunFile> file_;
  i64 bytes_ = 0;
};

// A piece of text of a unit, and its place in a file.
struct TextPiece {
  i64 source, number;
  i64 offset, bytes;
};

// The text of one worker process. It is made in that process: a file that it shared with its parent
// would get the text of both.
class WorkerText {
 public:
  explicit WorkerText(const std::string &tmpdir) : file_(tmpdir) {}

  // Adds text of a unit, and clears it. Text of one unit comes in order.
  Status add(const Unit &unit, TransformedText *text);
  // Returns all that was added, and starts over.
  SealedPart seal();

 private:
  TextFile file_;
  std::vector<TextPiece> pieces_;
};

// The text of all worker processes, in the process that started them. One thread.
class TextParts {
 public:
  explicit TextParts(const std::string &tmpdir) : file_(tmpdir) {}

  Status take(const SealedPart &part);
  // Passes all text on in the order of the input, until `write` returns an error.
  Status each(const std::function<Status(i64 source, TransformedText *text)> &write);

 private:
  Status copy(const RunFile &from);
  Result<TransformedText> read(const TextPiece &piece) const;

  TextFile file_;
  std::vector<TextPiece> pieces_;
};

}  // namespace mrc
