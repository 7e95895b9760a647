#include "baselines.h"

void histogram(const Arguments &arguments) {
  const std::string bytes = read_file(arguments[0]);
  int first, width, height;
  std::memcpy(&first, bytes.data() + 10, 4);
  std::memcpy(&width, bytes.data() + 18, 4);
  std::memcpy(&height, bytes.data() + 22, 4);
  std::vector<long> counts(768);
  for (long row = 0; row < std::abs(height); ++row) {
    const long stride = (3L * width + 3) / 4 * 4;
    const auto *at = reinterpret_cast<const unsigned char *>(bytes.data()) + first + row * stride;
    for (const unsigned char *const end = at + 3L * width; at < end; at += 3) {
      ++counts[at[0]];
      ++counts[256u + at[1]];
      ++counts[512u + at[2]];
    }
  }
  constexpr const char *kColours[] = {"blue", "green", "red"};
  for (size_t i = 0; i < counts.size(); ++i) {
    std::printf("%s %03zu\t%ld\n", kColours[i / 256], i % 256, counts[i]);
  }
}
