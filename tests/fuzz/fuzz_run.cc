// The reader of runs on any bytes: an error, or records that can be read. The first
// byte says whether checksums are made right first: nearly everything ends there else.
#include "support/run_bytes.h"

using namespace mrc;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  std::string bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (data[0] & 1) repair(&bytes);
  read_all(bytes);
  return 0;
}
