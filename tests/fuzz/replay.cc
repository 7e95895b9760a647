// Runs a fuzz target on the files of its corpus and on what small changes make of
// them, without a fuzzer: usage: TARGET FOLDER.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace {

void run(const std::string &bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

void run_variants(std::string bytes) {
  run(bytes);
  std::mt19937 random(7);
  for (int i = 0; i < 300 && !bytes.empty(); ++i) {
    size_t at = random() % bytes.size();
    switch (random() % 3) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes.insert(at, 1, static_cast<char>(random())); break;
      default: bytes.erase(at, 1 + random() % 3); break;
    }
    run(bytes);
  }
}

}  // namespace

int main(int argc, char **argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto &entry : std::filesystem::directory_iterator(argv[i])) {
      std::stringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      run_variants(text.str());
      ++files;
    }
  }
  std::printf("replayed %d files and 300 variants of each\n", files);
  return files == 0 ? 1 : 0;
}
