// The reader of manifests on any bytes: an error, or one that is written and read back the same.
// The first byte says whether the checksum is made right first: nearly everything ends there else.
#include "base/hash.h"
#include "kept/kept.h"

#include <cstdio>
#include <cstdlib>

using namespace mrc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (data[0] & 1) {
    char last[32];
    std::snprintf(last, sizeof last, "end %016llx\n",
                  static_cast<unsigned long long>(checksum_bytes(text)));
    text += last;
  }
  const Result<Manifest> manifest = Manifest::from_text(text);
  if (!manifest.is_ok()) return 0;
  const Result<Manifest> again = Manifest::from_text(manifest->to_text());
  if (!again.is_ok() || !(*again == *manifest)) std::abort();
  for (const KeptSource &source : manifest->sources) source.content();
  manifest->runs();
  return 0;
}
