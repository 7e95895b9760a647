// Runs a fuzz target on the files of its corpus and on what small changes make of
// them, without a fuzzer: usage: fuzz_replay TARGET FOLDER.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

using Target = int(const uint8_t *data, size_t size);

// LLVMFuzzerTestOneInput of fuzz_NAME.cc is compiled as fuzz_NAME.
#define TARGET(name) extern "C" Target fuzz_##name;
#include "fuzz_targets.inc"
#undef TARGET

namespace {

struct Named {
  const char *name;
  Target *run;
};
constexpr Named kTargets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "fuzz_targets.inc"
#undef TARGET
};

Target *target_called(const char *name) {
  for (const Named &target : kTargets) {
    if (std::strcmp(target.name, name) == 0) return target.run;
  }
  return nullptr;
}

void run(Target *target, const std::string &bytes) {
  target(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

void run_variants(Target *target, std::string bytes) {
  run(target, bytes);
  std::mt19937 random(7);
  for (int i = 0; i < 300 && !bytes.empty(); ++i) {
    size_t at = random() % bytes.size();
    switch (random() % 3) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes.insert(at, 1, static_cast<char>(random())); break;
      default: bytes.erase(at, 1 + random() % 3); break;
    }
    run(target, bytes);
  }
}

}  // namespace

int main(int argc, char **argv) {
  Target *target = argc == 3 ? target_called(argv[1]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET FOLDER\n");
    return 2;
  }
  int files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(argv[2])) {
    std::stringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    run_variants(target, text.str());
    ++files;
  }
  std::printf("replayed %d files and 300 variants of each\n", files);
  return files == 0 ? 1 : 0;
}
