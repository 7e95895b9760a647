#include "plugin/inner/elf.h"

#include "base/int.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace mrc {
namespace {

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
std::string kind_of(Bytes head) {
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
    return Status::error(kind_of(bytes));
  }
  Elf64_Ehdr header = {};
  memcpy(&header, bytes.data(), std::min(bytes.size(), sizeof header));
  if (bytes.size() < sizeof header) return Status::error("is cut short");
  if (Status status = check_header(header); !status.is_ok()) return status;
  return is_whole(fd, header, info.st_size) ? Status::ok() : Status::error("is cut short");
}

}  // namespace

Status check_shared_object(const std::string &path) {
  // Opening a FIFO must not wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Status::from_errno(path, errno);
  Status status = check_open(fd);
  close(fd);
  return status.is_ok() ? status : status.within(path);
}

}  // namespace mrc
