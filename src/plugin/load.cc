// Turns a file into a Plugin: checks its format and safety, calls dlopen and the entry, reads the
// tables.
#include "base/int.h"
#include "base/setting_name.h"
#include "combine/integers.h"
#include "plugin/call.h"
#include "plugin/plugin.h"
#include "plugin/read_plugin.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>

namespace mrc {
namespace {

constexpr const char *kEntry = "mrc_plugin_v1";

using Loaded = std::shared_ptr<const Plugin>;
using Entry = const mrc_plugin *(*)(const mrc_host *);

// Plugins by device and inode; they are never unloaded. The mutex allows loading one at a time.
std::mutex loading;
std::map<std::pair<dev_t, ino_t>, Loaded> loaded;

// Returns the text of dlerror() without the file name, which the message adds itself.
std::string reason_of(const char *error, const std::string &path) {
  std::string reason = error == nullptr ? "dlopen does not say why" : error;
  if (reason.starts_with(path + ": ")) reason.erase(0, path.size() + 2);
  return reason;
}

// Runs the static initialisers of the plugin. Its symbols stay local, and all symbols that it needs
// must be found now.
Result<Entry> open_entry(const std::string &path, const PluginPlace &place) {
  // Without a slash, dlopen would search other directories.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void *const handle = guarded(place, [&] { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); });
  if (plugin_failed()) return plugin_status();
  if (handle == nullptr) {
    return Status::error("cannot be loaded: " + reason_of(dlerror(), file)).within(path);
  }
  void *const symbol = dlsym(handle, kEntry);
  if (symbol == nullptr) {
    return Status::error(std::string("is no plugin of mrc: it has no symbol ") + kEntry +
                         "; see mrc-plugin(3)")
        .within(path);
  }
  return reinterpret_cast<Entry>(symbol);
}

Result<Loaded> read_tables(const std::string &path, const char *name, const mrc_plugin *raw) {
  const PluginPlace place = {.plugin = name, .function = "the tables it returned"};
  PluginCall call(place);
  Result<Loaded> plugin = PluginReader(raw, path).read();
  if (plugin.is_ok()) return plugin;
  return plugin.status().within(path);
}

// `name`: the name of the file; it must live forever, since places point to it.
Result<Loaded> load_new(const std::string &path, const char *name) {
  report_crashes();
  Result<Entry> entry = open_entry(path, {.plugin = name, .function = "its static initialisers"});
  if (!entry.is_ok()) return entry.status();
  const mrc_plugin *const raw =
      guarded({.plugin = name, .function = kEntry}, [&] { return (*entry)(plugin_host()); });
  if (plugin_failed()) return plugin_status();
  if (raw == nullptr) {
    return Status::error(std::string(kEntry) + " returned NULL, and did not say why by fail()")
        .within(path);
  }
  return read_tables(path, name, raw);
}

#if defined(__x86_64__)
constexpr u16 kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr u16 kMachine = EM_AARCH64;
#elif defined(__riscv)
constexpr u16 kMachine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr u16 kMachine = EM_PPC64;
#endif

std::string machine_name(u16 machine) {
  switch (machine) {
    case EM_X86_64: return "x86-64";
    case EM_386: return "i386";
    case EM_AARCH64: return "aarch64";
    case EM_ARM: return "arm";
    case EM_RISCV: return "riscv";
    case EM_PPC64: return "ppc64";
    case EM_S390: return "s390";
    default: return "ELF machine " + std::to_string(machine);
  }
}

// Describes a file that is not an ELF file by its first bytes.
std::string kind_of_file(Bytes head) {
  constexpr const char *kBuild = "build it: cc -shared -fPIC -o NAME.so FILE";
  if (head.empty()) return "is empty";
  if (head.starts_with("#!")) return "is a script, not a shared object; plugins are compiled";
  if (head.starts_with("!<arch>")) {
    return "is a library of objects (.a), not a shared object; link it with cc -shared";
  }
  if (head.starts_with("MZ")) return "is a program or library of Windows, not a shared object";
  const bool text = std::all_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t' || c == '\r';
  });
  if (text) return std::string("is text, not a shared object; ") + kBuild;
  return "is not a shared object: it does not begin as one";
}

Status check_header(const Elf64_Ehdr &header) {
  const char *what = nullptr;
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    what = "is of 32 bits; mrc is of 64: build it with -m64";
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) what = "has its bytes in the other order than mrc";
  if (what != nullptr) return Status::error(what);
  if (header.e_machine != kMachine) {
    return Status::error(std::string("is built for ") + machine_name(header.e_machine) +
                         "; this is " + machine_name(kMachine) + ": build it here");
  }
  if (header.e_type == ET_REL)
    what = "is an object (.o), not a shared object; link it with cc -shared";
  if (header.e_type == ET_EXEC) what = "is a program, not a shared object";
  if (header.e_type == ET_CORE) what = "is a core dump, not a shared object";
  return what == nullptr ? Status::ok() : Status::error(what);
}

// Checks the segment sizes: the loader maps them as stated, and reading past the end of the file
// would crash.
bool is_whole(int fd, const Elf64_Ehdr &header, i64 size) {
  for (i64 i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    const auto at = static_cast<off_t>(header.e_phoff + static_cast<u64>(i) * header.e_phentsize);
    if (pread(fd, &part, sizeof part, at) != ssize_t{sizeof part}) return false;
    const auto whole = static_cast<u64>(size);
    if (part.p_offset > whole || part.p_filesz > whole - part.p_offset) return false;
  }
  return true;
}

Status check_open(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return Status::from_errno(errno);
  if (S_ISDIR(info.st_mode)) {
    return Status::error("is a directory; name the plugin's file in it");
  }
  if (!S_ISREG(info.st_mode)) return Status::error("is not a file");
  std::array<char, 512> head;
  const ssize_t size = pread(fd, head.data(), head.size(), 0);
  if (size < 0) return Status::from_errno(errno);
  const Bytes bytes(head.data(), static_cast<size_t>(size));
  if (!bytes.starts_with(Bytes(ELFMAG, SELFMAG))) {
    return Status::error(kind_of_file(bytes));
  }
  Elf64_Ehdr header = {};
  memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof header));
  if (bytes.size() < sizeof header) return Status::error("is cut short");
  if (Status status = check_header(header); !status.is_ok()) return status;
  return is_whole(fd, header, info.st_size) ? Status::ok() : Status::error("is cut short");
}

// Checks that a file is a shared object for this machine. The messages of dlopen() for other files
// are hard to understand. The error is complete: "PATH: is ...; what to do".
Status check_shared_object(const std::string &path) {
  // Opening a FIFO must not wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Status::from_errno(path, errno);
  Status status = check_open(fd);
  close(fd);
  return status.is_ok() ? status : status.within(path);
}

// The functions that mrc offers to plugins.

int fail_at_load(const char *reason) {
  refuse_plugin(reason == nullptr ? "failed, and gave no reason" : reason);
  return -1;
}

// Writes the line at once, so that lines of several threads do not mix.
void note(const char *text) {
  if (PluginRun::current()->quiet) return;
  const PluginCall *call = PluginCall::current();
  std::string line = "mrc: info: ";
  if (call != nullptr) line += std::string("plugin ") + call->place().plugin + ": ";
  line += as_line(text == nullptr ? "" : text) + "\n";
  // If stderr is closed, there is nothing to do.
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

const mrc_reducer *reducer(const char *name) {
  return name == nullptr ? nullptr : builtin_reducer(name);
}

constexpr mrc_host kHost = {
    .size = sizeof(mrc_host),
    .abi = MRC_ABI,
    .fail = fail_at_load,
    .note = note,
    .reducer = reducer,
    .workers = [] { return PluginRun::current()->workers; },
};

}  // namespace

const mrc_job *Plugin::find_job(const std::string &name) const {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const mrc_job *job) { return name == job->name; });
  return found == jobs_.end() ? nullptr : *found;
}

Result<Loaded> load_plugin(const std::string &path, bool force) {
  if (Status status = check_shared_object(path); !status.is_ok()) return status;
  Status safe = force ? Status::ok() : check_safety(path, geteuid());
  if (!safe.is_ok()) {
    return Status::error(safe.message() + ", or say " + setting_name("force-plugin"));
  }
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Status::from_errno(path, errno);
  std::lock_guard lock(loading);
  const std::pair id(info.st_dev, info.st_ino);
  if (const auto known = loaded.find(id); known != loaded.end()) return known->second;
  forget_plugin_failure();
  static std::deque<std::string> names;
  Result<Loaded> plugin = load_new(path, names.emplace_back(path).c_str());
  forget_plugin_failure();
  if (plugin.is_ok()) loaded[id] = *plugin;
  return plugin;
}

const mrc_host *plugin_host() { return &kHost; }

}  // namespace mrc
