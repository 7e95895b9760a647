#include "plugin/read_plugin.h"

#include "combine/integers.h"
#include "mrc_reader.h"

#include <set>

namespace mrc {
namespace {

// Struct sizes of the first published header of ABI 1. They never change.
constexpr size_t kFirstPlugin = 48, kFirstJob = 232, kFirstReducer = 136;
constexpr size_t kFirstColumn = 32, kFirstOption = 48, kFirstReduction = 32;
constexpr size_t kFirstReaderBytes = 64, kFirstField = 16;

// All structs begin with their size.
uint32_t size_of(const void *raw) {
  uint32_t size;
  memcpy(&size, raw, sizeof size);
  return size;
}

std::string named(const std::string &kind, const char *name) { return kind + " " + name; }

}  // namespace

// Copies an array {at, count, bytes} so that its elements have the size of ours. The copy lives as
// long as the plugin.
template <typename Array, typename T>
Status PluginReader::copy_array(const std::string &what, const T *at, size_t first, Array *array) {
  if (array->count == 0) {
    *array = {};
    return Status::ok();
  }
  if (at == nullptr)
    return Status::error(what + ": an array of " + std::to_string(array->count) + " is NULL");
  if (array->count > kLargestStruct) {
    return Status::error(what + ": an array says that it has " + std::to_string(array->count) +
                         " elements");
  }
  T *copies = plugin_->own<T>(array->count);
  const auto *from = reinterpret_cast<const char *>(at);
  for (size_t i = 0; i < array->count; ++i) {
    const std::string element = what + ": element " + std::to_string(i) + " of an array";
    Status status = copy_sized(from + i * array->bytes, array->bytes, first, element, &copies[i]);
    if (!status.is_ok()) return status;
  }
  array->at = copies;
  array->bytes = sizeof(T);
  return Status::ok();
}

PluginReader::PluginReader(const mrc_plugin *raw, std::string path) : raw_(raw) {
  plugin_->path_ = std::move(path);
}

Result<std::shared_ptr<const Plugin>> PluginReader::read() {
  if (Status status = read_about(); !status.is_ok()) return status;
  if (Status status = read_jobs(); !status.is_ok()) return status;
  if (Status status = read_reducers(); !status.is_ok()) return status;
  if (Status status = read_reader(); !status.is_ok()) return status;
  if (plugin_->jobs_.empty() && plugin_->reducers_.empty() && plugin_->reader() == nullptr) {
    return Status::error("offers neither jobs, nor reducers, nor a reader");
  }
  return std::shared_ptr<const Plugin>(plugin_);
}

Status PluginReader::read_about() {
  // All headers have abi and size at these offsets, so they are checked first.
  if (raw_->abi != MRC_ABI) {
    return Status::error("has version " + std::to_string(raw_->abi) +
                         " of the plugin interface; this mrc has " + std::to_string(MRC_ABI) +
                         (raw_->abi > MRC_ABI ? ": update mrc" : ": build it again"));
  }
  mrc_plugin &about = plugin_->about_;
  Status status = copy_sized(raw_, raw_->size, kFirstPlugin, "mrc_plugin", &about);
  if (!status.is_ok()) return status;
  if (about.name == nullptr || *about.name == '\0') return Status::error("has no name");
  if (about.version == nullptr) about.version = "";
  if (about.summary == nullptr) about.summary = "";
  return Status::ok();
}

Status PluginReader::read_jobs() {
  std::set<std::string> names;
  for (const mrc_job *const *at = plugin_->about_.jobs; at != nullptr && *at != nullptr; ++at) {
    Result<const mrc_job *> copy = job(*at);
    if (!copy.is_ok()) return copy.status();
    if (!names.insert((*copy)->name).second) {
      return Status::error(std::string("has two jobs \"") + (*copy)->name + "\"");
    }
    plugin_->jobs_.push_back(*copy);
  }
  return Status::ok();
}

Status PluginReader::read_reducers() {
  std::set<std::string> names;
  const mrc_reducer *const *at = plugin_->about_.reducers;
  for (; at != nullptr && *at != nullptr; ++at) {
    Result<const mrc_reducer *> copy = reducer(*at);
    if (!copy.is_ok()) return copy.status();
    if (!names.insert((*copy)->name).second) {
      return Status::error(std::string("has two reducers \"") + (*copy)->name + "\"");
    }
    plugin_->reducers_.push_back(*copy);
  }
  return Status::ok();
}

Status PluginReader::read_reader() {
  const mrc_reader *const raw = plugin_->about_.reader;
  if (raw == nullptr) return Status::ok();
  auto *copy = plugin_->own<mrc_reader>(1);
  Status status = copy_sized(raw, size_of(raw), kFirstReaderBytes, "the reader", copy);
  if (!status.is_ok()) return status;
  if ((copy->flags & ~MRC_LEAVES_OUT) != 0) {
    return Status::error("the reader has flags that this mrc does not know");
  }
  if (copy->open == nullptr) return Status::error("the reader has no open");
  if (copy->read == nullptr) return Status::error("the reader has no read");
  if (copy->begin == nullptr) return Status::error("the reader has no begin");
  if (copy->summary == nullptr) copy->summary = "";
  plugin_->about_.reader = copy;
  return Status::ok();
}

Result<const mrc_reducer *> PluginReader::reducer(const void *raw) {
  if (const auto known = copies_.find(raw); known != copies_.end()) return known->second;
  for (const Reducer *builtin : builtin_reducers()) {
    if (builtin == raw) return builtin;
  }
  auto *copy = plugin_->own<mrc_reducer>(1);
  Status status = copy_sized(raw, size_of(raw), kFirstReducer, "a reducer", copy);
  if (!status.is_ok()) return status;
  if (const char *fault = fault_of_name(copy->name); fault != nullptr) {
    return Status::error(std::string("a reducer's name ") + fault);
  }
  const std::string what = named("reducer", copy->name);
  status = copy_array(what, copy->columns.at, kFirstColumn, &copy->columns);
  if (!status.is_ok()) return status;
  status = copy_array(what, copy->parameters.at, kFirstOption, &copy->parameters);
  if (!status.is_ok()) return status;
  if (copy->summary == nullptr) copy->summary = "";
  if (status = check_reducer(*copy, what); !status.is_ok()) return status;
  copies_[raw] = copy;
  return copy;
}

Result<const mrc_job *> PluginReader::job(const void *raw) {
  auto *copy = plugin_->own<mrc_job>(1);
  Status status = copy_sized(raw, size_of(raw), kFirstJob, "a job", copy);
  if (!status.is_ok()) return status;
  if (const char *fault = fault_of_name(copy->name); fault != nullptr) {
    return Status::error(std::string("a job's name ") + fault);
  }
  const std::string what = named("job", copy->name);
  if (copy->summary == nullptr) copy->summary = "";
  if (copy->manual == nullptr) copy->manual = "";
  if (copy->key_name == nullptr) copy->key_name = "key";
  if (copy->map == nullptr) copy->key_type = MRC_TEXT;  // records are keys
  status = copy_array(what, copy->options.at, kFirstOption, &copy->options);
  if (!status.is_ok()) return status;
  status = copy_array(what, copy->reductions.at, kFirstReduction, &copy->reductions);
  if (!status.is_ok()) return status;
  status = copy_array(what, copy->fields.at, kFirstField, &copy->fields);
  if (!status.is_ok()) return status;
  if (status = fill_reductions(copy, what); !status.is_ok()) return status;
  if (status = check_job(*copy, what); !status.is_ok()) return status;
  return copy;
}

// Resolves reducers, so that every reduction has one, even if it names one of mrc.
Status PluginReader::fill_reductions(mrc_job *job, const std::string &what) {
  auto *reductions = const_cast<mrc_reduction *>(job->reductions.at);
  for (size_t i = 0; i < job->reductions.count; ++i) {
    mrc_reduction &reduction = reductions[i];
    const std::string which = what + ": reduction " + std::to_string(i);
    if ((reduction.reducer == nullptr) == (reduction.builtin == nullptr)) {
      return Status::error(which + " needs either a reducer or the name of a built-in one");
    }
    if (reduction.builtin != nullptr) {
      reduction.reducer = builtin_reducer(reduction.builtin);
      if (reduction.reducer == nullptr) {
        return Status::error(which + ": there is no built-in reducer \"" + reduction.builtin +
                             "\"; there are count, sum, min and max");
      }
      continue;
    }
    Result<const mrc_reducer *> copy = reducer(reduction.reducer);
    if (!copy.is_ok()) return copy.status().within(which);
    reduction.reducer = *copy;
  }
  return Status::ok();
}

}  // namespace mrc
