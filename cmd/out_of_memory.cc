#include "base/status.h"
#include "cmd/allocator.h"
#include "output/output.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

namespace mrc {
namespace {

constexpr int kStatusOfError = 2;

std::terminate_handler terminate_otherwise = nullptr;
std::atomic<bool> memory_ran_out = false;

// std::current_exception() is not usable here: it is null where the compiler sees that an exception
// leaves a function that must not throw.
void terminate_without_memory() {
  if (memory_ran_out) end_without_memory();
  remove_temporary_outputs();
  terminate_otherwise();
}

[[maybe_unused]] void *checked(void *memory) {
  if (memory != nullptr) [[likely]]
    return memory;
  memory_ran_out = true;
  throw std::bad_alloc();
}

constexpr std::string_view kOutOfMemory =
    "out of memory; use fewer threads (-j), set --memory, or raise the limit of the process";

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(STDERR_FILENO, text.data(), text.size());
    if (put <= 0) return;
    text.remove_prefix(static_cast<size_t>(put));
  }
}

}  // namespace

void end_without_memory() {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();  // another thread is ending the process
  remove_temporary_outputs();
  for (std::string_view part : {std::string_view("mrc: error: "), kOutOfMemory, {"\n"}}) {
    write_all(part);
  }
  _exit(kStatusOfError);
}

void end_cleanly_without_memory() {
  Status::explain_out_of_memory(kOutOfMemory);
  terminate_otherwise = std::set_terminate(terminate_without_memory);
}

}  // namespace mrc

#if defined(MRC_MIMALLOC)
// mimalloc's own operators are compiled as C, which cannot throw: they abort. The memory that they
// free may come from malloc().
void *operator new(size_t bytes) { return mrc::checked(malloc(bytes)); }
void *operator new[](size_t bytes) { return operator new(bytes); }

void *operator new(size_t bytes, std::align_val_t alignment) {
  const size_t unit = static_cast<size_t>(alignment);
  return mrc::checked(aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
void *operator new[](size_t bytes, std::align_val_t alignment) {
  return operator new(bytes, alignment);
}
#endif
