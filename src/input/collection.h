// Inputs that are parts of something: members of an archive, rows of a database or of what a plugin
// reads. This is the interface of all that reads other inputs than files of text.
#pragma once

#include "base/status.h"
#include "input/input.h"
#include "input/stream.h"
#include "kinds/kind.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Thread safe, except for read_rows().
class Collection {
 public:
  virtual ~Collection() = default;

  // Says what the parts are, for messages: "rows of a database".
  virtual std::string what() const = 0;
  // Returns the parts as sources of their own, in order. If `divides_rows`, there may be several of
  // one table, for workers to share.
  virtual Result<std::vector<Source>> split(const Source &whole, bool divides_rows) = 0;
  // Returns the first part only, which may cost less.
  virtual Result<Source> first(const Source &whole) = 0;
  // Opens a part that split() or first() has returned last.
  virtual Result<std::unique_ptr<Stream>> open(const Source &source) = 0;

  // Returns the names of the columns if the parts are rows (row_text.h); empty: they are files.
  virtual const std::vector<std::string> &columns() const {
    static const std::vector<std::string> none;
    return none;
  }
  // Returns the kinds of the columns if they are known; unknown for those whose values tell.
  virtual std::vector<FieldKind> kinds() const { return {}; }
  // Numbers from `least` to `most` in the column at this place.
  struct Numbers {
    size_t column;
    i64 least, most;
  };
  // The part of rows that a job reads: the columns at these places, or all if there are none.
  // `are_objects`: all columns, and each row is an object of JSON. Rows with such numbers, or with
  // no value there, need not be read; others have to be.
  struct Rows {
    std::vector<bool> wanted = {};
    bool are_objects = false;
    std::vector<Numbers> left_out = {};
  };
  // True if rows are left out where the job allows it.
  virtual bool leaves_out_rows() const { return false; }
  // Call it before a part is opened.
  virtual void read_rows(Rows) {}
};

// True if the source is rows, and no file of any kind.
inline bool has_rows(const Source &source) {
  return source.collection != nullptr && !source.collection->columns().empty();
}

// Opens the collection that an input is, or is a part of; null: it is neither.
Result<std::shared_ptr<Collection>> open_collection(const std::string &path);

// Installs what opens the inputs of plugins by their names, as above. Call once, before other
// threads start.
using OpenCollection = Result<std::shared_ptr<Collection>>(const std::string &name);
void open_other_collections_by(OpenCollection *open);

}  // namespace mrc
