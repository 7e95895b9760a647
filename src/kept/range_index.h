// kept: the range index of a file, which says for each page of the file between which values some
// fields are. A job leaves out the pages in which its condition can hold for no record.
#pragma once

#include "base/status.h"
#include "expr/indexed_field.h"
#include "input/packed_blocks.h"
#include "kept/kept.h"

#include <optional>
#include <string>
#include <vector>

namespace mrc {

struct RangeIndex {
  // Versions of the format: of files, and of compressed files. Others are not read.
  static constexpr u64 kVersion = 1, kPackedVersion = 2;

  // Whole records. The pages of a file follow one another and cover it.
  struct Page {
    i64 begin = 0, end = 0;
    i64 records = 0, bad_records = 0;  // malformed ones are among the records
    KeptFlaw flaw = {};                // the first malformed one; positions are offsets
    u64 content = 0;                   // content_hash() of its bytes, at their place in the file
    std::vector<FieldBounds> bounds = {};  // by field
  };

  FileStamp file;     // the file as it was
  std::string reads;  // how its records were read: a line for users, and other readers' differ
  std::vector<IndexedField> fields;
  std::vector<Page> pages;                          // of the text, if the file is compressed
  std::shared_ptr<const PackedBlocks> blocks = {};  // null: the file is not compressed

  static const ContentHash &content_hash();
  // True if the pages follow one another and cover the file.
  bool is_whole() const;
  // Returns the index of the field; -1: it is not indexed.
  i64 find(const FieldName &name) const;

  std::string to_bytes() const;
  // Accepts any bytes. The error is a sentence about "it".
  static Result<RangeIndex> from_bytes(Bytes bytes);
};

// Returns the path of a file's index: .NAME.mrcx beside it, or else in the directory, where names
// tell files of several directories apart.
std::string range_index_path(const std::string &path, const std::string &directory);

// Waits until a change of the file would change its stamp, too: clocks of file systems tick.
void await_next_tick(const FileStamp &stamp);

}  // namespace mrc
