#include "input/inner/mapped_window.h"
#include "input/inner/read_window.h"

namespace mrc {

std::unique_ptr<Window> open_window(IoMode mode, const Source &source, const InputFile &file,
                                    Pages *buffer) {
  if (mode == IoMode::mmap) return std::make_unique<MappedWindow>(source, file);
  return std::make_unique<ReadWindow>(file, buffer);
}

}  // namespace mrc
