// The text of one worker, as blocks of a run: for text of worker processes, and for kept text.
#pragma once

#include "engine/inner/product.h"
#include "engine/inner/run.h"
#include "engine/inner/stage.h"
#include "map/transform.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// The text of one worker in a tile.
struct TextTile : TileProduct {
  std::shared_ptr<SavedPart> part;  // null: there is no text
  std::vector<BlockInfo> blocks;
};

// Makes text of chunks. Writes the text of adjacent chunks as a block of the next part, whose
// bounds are the position of the first chunk.
class TextProduct : public Product {
 public:
  // If `files` is null, parts are temporary. All arguments outlive this.
  TextProduct(Run *run, const Transformer &transformer, BadRecordSink *bad, PartFiles *files);

  Status take(const Chunk &chunk, i64 *records) override;
  Status hand_over(bool) override { return Status::ok(); }
  Result<std::shared_ptr<SavedPart>> save(bool *emptied) override;
  void begin_tile() override {}
  Result<std::unique_ptr<TileProduct>> end_tile() override;

 private:
  // Writes the text so far as a block.
  Status write();
  Status begin_part();

  Run &run_;
  PartFiles *files_;
  std::unique_ptr<ChunkTransformer> transformer_;
  TransformedText text_;
  u64 begin_ = 0, end_ = ~u64{0};  // range of positions that text_ was made of
  std::shared_ptr<SavedPart> part_;
  std::unique_ptr<RunWriter> writer_;  // of that part
  Status status_ = Status::ok();
};

// The shape of the records that hold text.
inline constexpr RecordShape kTextShape = {};
// Reads the text of a block.
Result<TransformedText> read_text(const StoredBlock &block, Pages *buffer);
// Sorts blocks by their places in the input. Those of one chunk stay in their order.
void sort_by_place(std::vector<StoredBlock> *blocks);

// Makes the sink that writes text of chunks. Stages that do other things as well use it, too. Makes
// the sink. Both arguments must outlive it.
std::unique_ptr<StageSink> make_text_sink(Run *run, const Transformer &transformer);

}  // namespace mrc
