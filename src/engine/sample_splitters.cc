// Records are sampled in pieces, which lie at regular distances over all inputs in sequence, and
// begin with a record. Only the first bytes of a compressed input can be sampled.
#include "engine/inner/sample_splitters.h"

#include "engine/inner/sample.h"
#include "engine/inner/scan.h"
#include "engine/inner/unit_borders.h"
#include "input/stream.h"
#include "rows/key_ranges.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kPiecesPerRange = 16;
constexpr i64 kPieceBytes = i64{16} << 10;

// Ignores malformed records: the job meets them again.
class IgnoredRecords : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

class SplitterSample {
 public:
  SplitterSample(const Program &program, const Plan &plan)
      : program_(program),
        plan_(plan),
        stage_(program.stage->make(program)),
        cuts_(cuts_of(program, *stage_)) {
    sample_.splitters.emplace();
    hand_ = stage_->make_sampler(plan, &sample_, &ignored_);
  }

  // Samples this many pieces of a file.
  Status add(i64 source, i64 pieces) {
    const Source &of = plan_.sources[static_cast<size_t>(source)];
    const i64 distance = std::max<i64>((of.end - of.begin) / pieces, 1);
    Result<std::vector<i64>> borders = find_borders(program_, plan_, source, distance);
    if (!borders.is_ok()) return borders.status();
    borders->insert(borders->begin(), of.begin);
    borders->push_back(of.end);
    Result<InputFile> file = InputFile::open(of);
    if (!file.is_ok()) return file.status();
    for (size_t i = 0; i + 1 < borders->size(); ++i) {
      const i64 begin = (*borders)[i], end = (*borders)[i + 1];
      if (Status status = read(*file, source, begin, end); !status.is_ok()) return status;
    }
    return Status::ok();
  }

  // Samples the first bytes of a compressed input.
  Status add_packed(i64 source) {
    const Source &of = plan_.sources[static_cast<size_t>(source)];
    Result<InputFile> file = InputFile::open(of);
    if (!file.is_ok()) return file.status();
    BufferedReader packed(std::move(*file));
    Result<std::unique_ptr<Stream>> stream = open_stream(of.codec, &packed);
    if (!stream.is_ok()) return stream.status();
    buffer_.resize(static_cast<size_t>(kPieceBytes + kPadding));
    i64 have = 0;
    for (i64 more = 1; more > 0 && have < kPieceBytes; have += more) {
      const Result<i64> got = (*stream)->read(buffer_.data() + have, kPieceBytes - have);
      if (!got.is_ok()) return got.status();
      more = *got;
    }
    return take(source, 0, have, have < kPieceBytes);
  }

  std::vector<std::string> take_all() { return std::move(*sample_.splitters); }

 private:
  // Samples the first records of [begin, end), which begins and ends with whole records.
  Status read(const InputFile &file, i64 source, i64 begin, i64 end) {
    const i64 size = std::min(kPieceBytes, end - begin);
    buffer_.resize(static_cast<size_t>(size + kPadding));
    const Result<i64> got = file.read_at(begin, buffer_.data(), size);
    if (!got.is_ok()) return got.status();
    return take(source, begin, *got, *got == end - begin);
  }

  // Samples the records in the buffer, except a last one that may continue after it.
  Status take(i64 source, i64 offset, i64 size, bool whole) {
    const char *begin = buffer_.data(), *end = begin + size;
    if (!whole) {
      const char *last = cuts_.last(begin, end, offset);
      end = last == nullptr ? begin : last + 1;
    }
    if (end == begin) return Status::ok();
    i64 records = 0;
    return hand_->take({Bytes(begin, static_cast<size_t>(end - begin)), source, offset}, &records);
  }

  const Program &program_;
  const Plan &plan_;
  const std::unique_ptr<const Stage> stage_;
  const CutBytes cuts_;
  IgnoredRecords ignored_;
  Sample sample_;
  std::unique_ptr<Hand> hand_;
  std::string buffer_;
};

}  // namespace

Result<std::vector<std::string>> sample_splitters(const Program &program, const Plan &plan,
                                                  i64 ranges) {
  i64 all = 0, before = 0;
  for (const Source &source : plan.sources) all += source.end - source.begin;
  const i64 distance = std::max<i64>(all / (ranges * kPiecesPerRange), 1);
  SplitterSample sample(program, plan);
  for (i64 i = 0; i < std::ssize(plan.sources); ++i) {
    const Source &source = plan.sources[static_cast<size_t>(i)];
    const i64 after = before + source.end - source.begin;
    const i64 pieces = after / distance - std::exchange(before, after) / distance;
    Status status = Status::ok();
    if (source.codec != Codec::none) {
      status = sample.add_packed(i);
    } else if (pieces > 0) {
      status = sample.add(i, pieces);
    }
    if (!status.is_ok()) return status;
  }
  return choose_splitters(sample.take_all(), ranges, program.sort->order());
}

}  // namespace mrc
