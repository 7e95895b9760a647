// Programs of one shared scan (engine/inner/program.h), each with a key and aggregates of its own.
#pragma once

#include "cmd/compile.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mrc {

// One of the group-bys that share a scan, as options of mrc stats have it.
struct PanelJob {
  std::string key = {};
  std::vector<std::string> where = {};  // conditions, which all must hold
  std::string aggregates = {}, having = {}, by = {};
  i64 top = -1;  // -1: all rows
  Ask::Direction direction = Ask::Direction::natural;
};

// Adds programs of panels to a job whose fields are compiled: their format, condition and kinds are
// those of the job.
class Panels {
 public:
  // `format`: that of the rows of all panels. All arguments outlive this.
  Panels(const Ask &ask, const OutputFormat *format, Compiled *compiled)
      : ask_(ask), format_(format), compiled_(*compiled) {}

  // Returns the program that was added.
  Result<const Program *> add(const PanelJob &job);
  // Returns a program that runs after the others. It reads rows of one text column, which the
  // answer makes of the rows of the program that was added last. REQUIRES: it is the only one
  Result<const Program *> add_next(const std::string &column, const PanelJob &job);
  // Returns how many programs there are; the next one is not counted.
  size_t size() const { return programs_.size(); }
  // Makes the job a shared scan of these programs.
  void share(std::shared_ptr<const SharedAnswer> answer);

 private:
  const Ask &ask_;
  const OutputFormat *format_;
  Compiled &compiled_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::optional<SharedNext> next_;
  std::string kept_;  // describes what is kept of them
};

}  // namespace mrc
