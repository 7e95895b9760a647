#include "store/sealed_run.h"

namespace mrc {

Status SealedRun::copy(std::span<const StoredBlock> blocks, SealedBlocks *written) {
  const auto add = [&](RunWriter *writer) {
    Pages buffer;
    for (const StoredBlock &block : blocks) {
      const Result<Bytes> records = read_block(*block.file, shape_, block.info, &buffer);
      if (!records.is_ok()) return records.status();
      Status status = writer->add_block(block.info, *records);
      if (!status.is_ok()) return status;
    }
    return Status::ok();
  };
  return write(add, written);
}

}  // namespace mrc
