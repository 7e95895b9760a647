// The functions of SQLite, which is loaded when a job reads a database.
#pragma once

#include "base/status.h"

#include <sqlite3.h>

namespace mrc {

struct SqliteLibrary {
#define MRC_SQLITE_FUNCTIONS(F) \
  F(open_v2)                    \
  F(close)                      \
  F(errmsg)                     \
  F(busy_timeout)               \
  F(prepare_v2)                 \
  F(finalize)                   \
  F(step)                       \
  F(stmt_readonly)              \
  F(bind_int64)                 \
  F(bind_text)                  \
  F(column_count)               \
  F(column_name)                \
  F(column_type)                \
  F(column_int64)               \
  F(column_double)              \
  F(column_text)                \
  F(column_blob)                \
  F(column_bytes)
#define MRC_DECLARE(name) decltype(&sqlite3_##name) name = nullptr;
  MRC_SQLITE_FUNCTIONS(MRC_DECLARE)
#undef MRC_DECLARE

  // Returns the library, or why there is none.
  static Result<const SqliteLibrary *> get();
};

}  // namespace mrc
