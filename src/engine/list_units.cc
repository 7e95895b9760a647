#include "engine/list_units.h"

#include "engine/inner/input_formats.h"
#include "engine/inner/sample_splitters.h"
#include "engine/inner/unit_borders.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace mrc {
namespace {

// An empty file counts as a file, not as a stream.
bool is_file(const Source &source) {
  struct stat info;
  if (source.path == "-") return false;
  return !source.stream || source.codec != Codec::none ||
         (stat(source.path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0);
}

void add_unit(i64 source, i64 begin, i64 end, UnitList *list) {
  if (end > begin) list->units.push_back({std::ssize(list->units), source, begin, end});
}

// Adds a command without running it: the process that maps the unit detects the format of the
// output, as for any other input.
void add_command(i64 i, const Source &source, UnitList *list) {
  list->inputs.push_back({.path = source.path, .of_command = true});
  list->units.push_back({std::ssize(list->units), i, 0, 0});
}

// `readers`: those of the plan; null: records have no fields.
Status add_input(const Program &program, const Plan &plan, i64 i, i64 unit_bytes,
                 InputReaders *readers, UnitList *list) {
  const Source &source = plan.sources[static_cast<size_t>(i)];
  if (!source.command.empty()) {
    add_command(i, source, list);
    return Status::ok();
  }
  if (!is_file(source)) {
    return Status::error(source.name() + ": is no file, of which others could read units");
  }
  UnitList::Input input{.path = source.path, .packed = source.codec != Codec::none};
  if (readers != nullptr && input.packed) {
    Result<Dialect> dialect = dialect_of_packed(program, source, i);
    Status status = dialect.is_ok() ? readers->set(i, *dialect) : dialect.status();
    if (!status.is_ok()) return status.within(source.name());
    input.dialect = std::move(*dialect);
  } else if (readers != nullptr && readers->dialect(i) != nullptr) {
    input.dialect = *readers->dialect(i);
  }
  if (input.dialect && input.dialect->empty) input.dialect.reset();  // no record is read by it
  if (input.dialect) input.dialect->reason.clear();
  list->inputs.push_back(std::move(input));
  if (source.codec != Codec::none) {
    add_unit(i, 0, source.packed_bytes, list);
    return Status::ok();
  }
  const Result<std::vector<i64>> borders = find_borders(program, plan, i, unit_bytes);
  if (!borders.is_ok()) return borders.status();
  i64 begin = source.begin;
  for (const i64 border : *borders) add_unit(i, std::exchange(begin, border), border, list);
  add_unit(i, begin, source.end, list);
  return Status::ok();
}

}  // namespace

Result<UnitList> list_units(const Program &program, i64 unit_bytes, i64 ranges) {
  Plan plan = make_plan(program);
  if (!plan.unreadable.empty()) return Status::error(plan.unreadable.front());
  if (!plan.problem.is_ok()) return plan.problem;
  const auto readers = plan.readers ? std::make_shared<InputReaders>(*plan.readers) : nullptr;
  plan.readers = readers;
  UnitList list;
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    Status status = add_input(program, plan, i, unit_bytes, readers.get(), &list);
    if (!status.is_ok()) return status;
  }
  if (list.units.empty()) list.units.push_back({0, 0, 0, 0});  // so that there is an answer
  if (ranges == 1) return list;
  Result<std::vector<std::string>> splitters = sample_splitters(program, plan, ranges);
  if (!splitters.is_ok()) return splitters.status();
  list.splitters = std::move(*splitters);
  return list;
}

}  // namespace mrc
