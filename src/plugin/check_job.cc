// Rejects jobs and reducers that cannot work, before they are used.
#include "plugin/plugin_job.h"
#include "plugin/read_plugin.h"

#include <cctype>
#include <set>

namespace mrc {
namespace {

// Rejects options and parameters that no value can satisfy.

const char *fault_of_option(const mrc_option &option) {
  if (option.type > MRC_REAL) return "has an unknown type";
  if (option.help == nullptr) return "has no help";
  if (option.initial == nullptr || option.type == MRC_TEXT) return nullptr;
  mrc_setting value{};
  if (!read_number(option, option.initial, &value)) {
    return "has an initial value that is no number";
  }
  if (!is_within_bounds(option, value.real)) return "has an initial value beyond its limits";
  return nullptr;
}

// `word`: "option" or "parameter".
Status check_options(const mrc_options &options, const std::string &word, const std::string &what) {
  std::set<std::string> names;
  for (size_t i = 0; i < options.count; ++i) {
    const mrc_option &option = options.at[i];
    if (const char *fault = fault_of_name(option.name); fault != nullptr) {
      return Status::error(what + ": the name of " + word + " " + std::to_string(i) + " " + fault);
    }
    const std::string which = what + ": " + word + " " + option.name;
    if (!names.insert(option.name).second) return Status::error(which + " is there twice");
    if (const char *fault = fault_of_option(option)) return Status::error(which + " " + fault);
  }
  return Status::ok();
}

// Parameters are told apart by their place, so that only the last ones can be left out.
Status check_parameters(const mrc_reducer &reducer, const std::string &what) {
  const mrc_options &parameters = reducer.parameters;
  if (parameters.count > 0 && reducer.open == nullptr) {
    return Status::error(what + " has parameters, but no open, which would take them");
  }
  if (reducer.close != nullptr && reducer.open == nullptr) {
    return Status::error(what + " has close, but no open");
  }
  for (size_t i = 1; i < parameters.count; ++i) {
    if (parameters.at[i].initial != nullptr || parameters.at[i - 1].initial == nullptr) continue;
    return Status::error(what + ": parameter " + parameters.at[i].name +
                         " has no default, and one before it has");
  }
  return Status::ok();
}

// Rejects reducers that cannot work before they are used.

constexpr int64_t kLargestState = 1 << 20;  // for one key; larger states belong in the arena

Status check_functions(const mrc_reducer &reducer, const std::string &what) {
  const bool folds = reducer.add != nullptr || reducer.merge != nullptr;
  const bool ordered = (reducer.flags & MRC_ORDERED) != 0;
  if (reducer.reduce != nullptr && folds) {
    return Status::error(what + " has reduce, which is in place of add and merge, and one of them");
  }
  if (reducer.combine != nullptr && reducer.reduce == nullptr) {
    return Status::error(what + " has combine, but no reduce");
  }
  if (reducer.reduce != nullptr) return Status::ok();
  if (reducer.add == nullptr) return Status::error(what + " has no add");
  if (reducer.merge == nullptr && !ordered) {
    return Status::error(what + " has no merge, and is not MRC_ORDERED");
  }
  if ((reducer.save == nullptr) != (reducer.load == nullptr)) {
    return Status::error(what + " has one of save and load, but not the other");
  }
  if (reducer.destroy != nullptr && reducer.save == nullptr && !ordered) {
    return Status::error(what + " has destroy, but not save and load, which move what it owns");
  }
  return Status::ok();
}

Status check_state(const mrc_reducer &reducer, const std::string &what) {
  if (reducer.reduce != nullptr) return Status::ok();
  const int64_t bytes = reducer.state_bytes;
  if (bytes <= 0 || bytes % 8 != 0 || bytes > kLargestState) {
    return Status::error(what + " has state_bytes " + std::to_string(bytes) +
                         "; they are a multiple of 8, and at most 1 MiB");
  }
  return Status::ok();
}

Status check_columns(const mrc_reducer &reducer, const std::string &what) {
  const size_t count = reducer.columns.count;
  if (reducer.reduce != nullptr) {
    // Only the name of the column is used.
    return count <= 1 ? Status::ok() : Status::error(what + " has reduce, which makes one column");
  }
  if (count == 0) return Status::error(what + " has no columns");
  for (size_t i = 0; i < count; ++i) {
    const mrc_column &column = reducer.columns.at[i];
    const std::string which = what + ": column " + std::to_string(i);
    if (column.name == nullptr || *column.name == '\0')
      return Status::error(which + " has no name");
    const int shown =
        (column.integer != nullptr) + (column.real != nullptr) + (column.text != nullptr);
    if (shown != 1) {
      return Status::error(which + " has " + std::to_string(shown) +
                           " of the functions integer, real and text; it needs one");
    }
  }
  return Status::ok();
}

// Rejects jobs that cannot work before they run.

const char *name_of_constant(mrc_type type) {
  constexpr const char *kNames[] = {"MRC_TEXT", "MRC_INTEGER", "MRC_REAL"};
  return type <= MRC_REAL ? kNames[type] : "unknown";
}

// Each returns the first fault, or null.
const char *fault_of_shape(const mrc_job &job) {
  const bool splits = job.shape == MRC_SPLITS;
  if (job.shape > MRC_ROWS) return "has an unknown shape";
  if ((job.shape == MRC_FIXED) != (job.record_bytes != 0)) {
    return "has record_bytes, or has the shape MRC_FIXED: one belongs to the other";
  }
  if (job.record_bytes < 0) return "has record_bytes below 0";
  if (splits && job.split == nullptr) return "has the shape MRC_SPLITS, but no split";
  if (!splits && job.split != nullptr) return "has split, but not the shape MRC_SPLITS";
  if (job.acquire != nullptr && !splits) return "has acquire, but not the shape MRC_SPLITS";
  if (job.release != nullptr && job.acquire == nullptr) return "has release, but no acquire";
  if (job.shape == MRC_ROWS && job.fields.count == 0)
    return "has the shape MRC_ROWS, but no fields";
  if (job.shape != MRC_ROWS && job.fields.count != 0) {
    return "has fields, but not the shape MRC_ROWS";
  }
  return nullptr;
}

const char *fault_of_map(const mrc_job &job) {
  if (job.key_type != MRC_TEXT && job.key_type != MRC_INTEGER) {
    return "has a key_type that is neither MRC_TEXT nor MRC_INTEGER";
  }
  if (job.header != nullptr && job.format == nullptr) return "has header, but no format";
  if (job.map != nullptr) return nullptr;
  if (job.begin != nullptr || job.end != nullptr) return "has begin or end, but no map";
  if (job.key_type != MRC_TEXT) return "has no map: its keys are the records, which are texts";
  if (job.value_count != 0) return "has no map, which would make its values";
  if (job.shape == MRC_ROWS) return "has fields, but no map, which would get them";
  if (job.shape >= MRC_BYTES) return "has no map, and a shape without records, which would be keys";
  return nullptr;
}

Status check_values(const mrc_job &job, const std::string &what) {
  constexpr size_t kMostValues = 1 << 12;
  if (job.value_count > kMostValues) return Status::error(what + " has too many values");
  if (job.value_count > 0 && job.values == nullptr) {
    return Status::error(what + " has values, but they are NULL");
  }
  for (size_t i = 0; i < job.value_count; ++i) {
    if (job.values[i] > MRC_REAL) return Status::error(what + " has a value of an unknown type");
  }
  return Status::ok();
}

Status check_fields(const mrc_job &job, const std::string &what) {
  for (size_t i = 0; i < job.fields.count; ++i) {
    const mrc_field &field = job.fields.at[i];
    const std::string which = what + ": field " + std::to_string(i);
    if (field.name == nullptr || *field.name == '\0') return Status::error(which + " has no name");
    if (field.type > MRC_TIME) return Status::error(which + " has an unknown type");
  }
  return Status::ok();
}

// Checks that the values of a reducer exist and have its types.
Status check_reduction(const mrc_job &job, const mrc_reduction &reduction,
                       const std::string &what) {
  const mrc_reducer &reducer = *reduction.reducer;
  if (reducer.open != nullptr) {
    return Status::error(what + ": reducer " + reducer.name +
                         " has open, which mrc stats calls; "
                         "the job has its own");
  }
  const auto there = static_cast<int64_t>(job.value_count);
  const auto wanted = static_cast<int64_t>(reducer.value_count);
  if (wanted > 0 && (reduction.value < 0 || reduction.value > there - wanted)) {
    return Status::error(what + ": reducer " + reducer.name + " takes " + std::to_string(wanted) +
                         " from value " + std::to_string(reduction.value) + ", and there are " +
                         std::to_string(there));
  }
  for (int64_t i = 0; i < wanted; ++i) {
    if (job.values[reduction.value + i] == reducer.values[i]) continue;
    return Status::error(what + ": value " + std::to_string(reduction.value + i) + " is " +
                         name_of_constant(job.values[reduction.value + i]) + ", and reducer " +
                         reducer.name + " wants " + name_of_constant(reducer.values[i]));
  }
  return Status::ok();
}

}  // namespace

const char *fault_of_name(const char *name) {
  if (name == nullptr || *name == '\0') return "is missing";
  for (const char *c = name; *c != '\0'; ++c) {
    const bool word = std::isalnum(static_cast<unsigned char>(*c)) != 0 || *c == '_';
    if (!word && (*c != '-' || c == name))
      return "has other characters than letters, digits, _ and -";
  }
  return nullptr;
}

Status check_reducer(const mrc_reducer &reducer, const std::string &what) {
  if ((reducer.flags & ~MRC_ORDERED) != 0) {
    return Status::error(what + " has flags that this mrc does not know");
  }
  for (size_t i = 0; i < reducer.value_count; ++i) {
    if (reducer.values == nullptr) return Status::error(what + " has values, but they are NULL");
    if (reducer.values[i] > MRC_REAL)
      return Status::error(what + " has a value of an unknown type");
  }
  if (Status status = check_functions(reducer, what); !status.is_ok()) return status;
  if (Status status = check_state(reducer, what); !status.is_ok()) return status;
  if (Status status = check_columns(reducer, what); !status.is_ok()) return status;
  Status status = check_options(reducer.parameters, "parameter", what);
  return status.is_ok() ? check_parameters(reducer, what) : status;
}

Status check_job(const mrc_job &job, const std::string &what) {
  if (const char *fault = fault_of_shape(job)) return Status::error(what + " " + fault);
  if (const char *fault = fault_of_map(job)) return Status::error(what + " " + fault);
  if (Status status = check_values(job, what); !status.is_ok()) return status;
  if (Status status = check_fields(job, what); !status.is_ok()) return status;
  for (size_t i = 0; i < job.reductions.count; ++i) {
    Status status = check_reduction(job, job.reductions.at[i], what);
    if (!status.is_ok()) return status;
  }
  return check_options(job.options, "option", what);
}

}  // namespace mrc
