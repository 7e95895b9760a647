#include "engine/sinks/range_pages.h"

#include <utility>

namespace mrc {

PageMaker::PageMaker(WantedFields wanted, const std::vector<IndexedField> &fields,
                     const InputReaders &readers, char terminator, BadRecordSink *bad)
    : bad_(bad, terminator), scan_(std::move(wanted), readers, &bad_) {
  for (const IndexedField &field : fields) builders_.push_back(field.builder());
}

RangeIndex::Page PageMaker::make(const Chunk &chunk) {
  RangeIndex::Page page{.begin = chunk.offset, .end = chunk.offset + std::ssize(chunk.bytes)};
  page.records = scan_.each(chunk, [&] {
    take_batch();
    return true;
  });
  note_bad(&page);
  for (BoundsBuilder &builder : builders_) page.bounds.push_back(builder.take());
  return page;
}

void PageMaker::note_bad(RangeIndex::Page *page) {
  Portion counts;
  KeptFlaws flaws;
  bad_.move_to(&counts, &flaws);
  page->bad_records = counts.bad_records;
  page->flaw = std::move(flaws.record);
  page->flaw.position = static_cast<u64>(offset_of(page->flaw.position));
  page->flaw.chunk = static_cast<u64>(offset_of(page->flaw.chunk));
}

void PageMaker::take_batch() {
  const SelectedRecords &batch = *scan_.batch();
  for (size_t i = 0; i < builders_.size(); ++i) {
    const Bytes *values = batch.column(i);
    for (i64 k = 0; k < batch.size; ++k) builders_[i].add(values[k]);
  }
}

}  // namespace mrc
