// The functions of libarchive, which is loaded when a job reads an archive.
#pragma once

#include "base/status.h"

#include <archive.h>
#include <archive_entry.h>

namespace mrc {

struct ArchiveLibrary {
#define MRC_ARCHIVE_FUNCTIONS(F)     \
  F(archive_read_new)                \
  F(archive_read_free)               \
  F(archive_read_support_format_tar) \
  F(archive_read_support_format_zip) \
  F(archive_read_open_filename)      \
  F(archive_read_open_memory)        \
  F(archive_read_open)               \
  F(archive_read_next_header)        \
  F(archive_read_data)               \
  F(archive_read_data_block)         \
  F(archive_error_string)            \
  F(archive_entry_pathname)          \
  F(archive_entry_pathname_utf8)     \
  F(archive_entry_filetype)          \
  F(archive_entry_hardlink)          \
  F(archive_entry_size)              \
  F(archive_entry_is_data_encrypted)
#define MRC_DECLARE(name) decltype(&::name) name = nullptr;
  MRC_ARCHIVE_FUNCTIONS(MRC_DECLARE)
#undef MRC_DECLARE

  // Returns the library, or why there is none.
  static Result<const ArchiveLibrary *> get();
};

}  // namespace mrc
