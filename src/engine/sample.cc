#include "engine/inner/sample.h"

#include "engine/inner/input_scan.h"
#include "split/split.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

namespace mrc {
namespace {

constexpr i64 kWorthSampling = i64{32} << 20;

// Ignores malformed records: the job meets them again.
class SampleWatch : public Watch {
 public:
  explicit SampleWatch(Sample *sample) : sample_(sample) {}

  Result<std::unique_ptr<Notes>> begin(i64) override {
    return std::unique_ptr<Notes>(std::make_unique<NoNotes>());
  }
  void end(std::unique_ptr<Notes>, const ReadCounts &counts, i64 records) override {
    sample_->bytes = counts.bytes;
    sample_->records = records;
  }

 private:
  class NoNotes : public Notes, public BadRecordSink {
   public:
    BadRecordSink *bad() override { return this; }
    void take(const Chunk &, const BadRecord &) override {}
  };

  Sample *sample_;
};

class SampleSink : public Sink {
 public:
  SampleSink(const Stage &stage, const Plan &plan, Sample *sample)
      : stage_(stage), plan_(plan), sample_(sample) {}

  std::unique_ptr<Hand> make_hand(i64, BadRecordSink *bad) override {
    return stage_.make_sampler(plan_, sample_, bad);
  }

 private:
  const Stage &stage_;
  const Plan &plan_;
  Sample *sample_;
};

}  // namespace

bool worth_sampling(const Program &program, const Plan &plan) {
  return program.switches.sample != Sampling::off && plan.streams == 0 &&
         plan.input_bytes > kWorthSampling;
}

Sample take_sample(const Program &program, const Stage &stage, const Plan &plan) {
  Sample sample;
  const std::unique_ptr<ChunkSource> pieces =
      make_pieces(program.switches, plan, cuts_of(program, stage), &sample);
  SampleSink sink(stage, plan, &sample);
  SampleWatch watch(&sample);
  WorkerPool alone(1);
  static_cast<void>(scan(pieces.get(), &sink, &watch, &alone));  // the run meets an error again
  sample.share = static_cast<double>(sample.bytes) / static_cast<double>(plan.input_bytes);
  return sample;
}

Forecast foretell(const Program &program, const Sample &sample, i64 workers) {
  if (sample.counts.keys() == 0) return {};
  const double records = static_cast<double>(sample.records) / sample.share;
  const double each = records / static_cast<double>(workers);
  Forecast forecast;
  forecast.records = records;
  for (size_t i = 0; i < forecast.shares.size(); ++i) {
    forecast.shares[i] =
        static_cast<double>(sample.of_class[i]) / static_cast<double>(sample.records);
  }
  forecast.indexes = static_cast<double>(sample.indexes) / static_cast<double>(sample.records);
  if (program.switches.sample == Sampling::head) {  // as in Metis
    forecast.keys = std::min(records, static_cast<double>(sample.counts.keys()) / sample.share);
    forecast.worker_keys = std::min(each, forecast.keys);
  } else {
    forecast.keys = predict_distinct(sample.counts, records).distinct_total;
    forecast.worker_keys = predict_distinct(sample.counts, each).distinct_total;
  }
  forecast.repeats = records / forecast.keys;
  return forecast;
}

// There are 64 pieces, strided over the whole input with its files in sequence, and shifted at
// random within their strides, always in the same way. If input repeats itself at regular
// distances, pieces must not show the same records again and again. (Metis 3.4 takes the first 7 %
// of the input instead, which shows little of input that changes later, and costs ten times as
// much.)
//
// All pieces together are 1/192 of the input, but at most 32 KiB each, so that sampling takes less
// than 2 % of the time of a program. Each is cut to whole records, as splits are.

namespace {

constexpr i64 kPieces = 64;
constexpr i64 kPart = 192;  // the sample takes 1/kPart of the bytes
constexpr i64 kSmallestPiece = i64{4} << 10;
constexpr i64 kLargestPiece = i64{32} << 10;
constexpr i64 kPieceOfHead = i64{256} << 10;

// SplitMix64; a few steps are random enough for a position in a stride.
u64 random_number(i64 i) {
  u64 x = static_cast<u64>(i + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  return x ^ x >> 27;
}

// Adds a piece at `at`, up to `size` bytes and within one file. Returns its size.
i64 add_piece(const std::vector<Source> &sources, i64 at, i64 size, std::vector<Split> *pieces) {
  for (size_t i = 0; i < sources.size(); ++i) {
    const i64 bytes = sources[i].end - sources[i].begin;
    if (at < bytes) {
      const i64 begin = sources[i].begin + at;
      const i64 end = std::min(begin + size, sources[i].end);
      pieces->push_back({static_cast<i64>(i), begin, end});
      return end - begin;
    }
    at -= bytes;
  }
  return size;  // past the end of the input
}

std::vector<Split> choose_pieces(const Switches &switches, const Plan &plan, i64 *piece_bytes) {
  std::vector<Split> pieces;
  if (switches.sample == Sampling::head) {
    *piece_bytes = kPieceOfHead;
    const i64 end = static_cast<i64>(switches.head * static_cast<double>(plan.input_bytes));
    for (i64 at = 0; at < end;) {
      at += add_piece(plan.sources, at, std::min(kPieceOfHead, end - at), &pieces);
    }
    return pieces;
  }
  *piece_bytes = std::clamp(plan.input_bytes / kPart / kPieces, kSmallestPiece, kLargestPiece);
  const i64 stride = plan.input_bytes / kPieces;
  for (i64 i = 0; i < kPieces; ++i) {
    const u64 room = static_cast<u64>(std::max<i64>(stride - *piece_bytes, 0)) + 1;
    add_piece(plan.sources, i * stride + static_cast<i64>(random_number(i) % room), *piece_bytes,
              &pieces);
  }
  return pieces;
}

// Each piece of the input is a unit of one chunk, or of none if the piece has no whole record or
// could not be read. For one worker.
class SampledPieces : public ChunkSource {
 public:
  SampledPieces(const Plan &plan, CutBytes cuts, std::vector<Split> pieces)
      : plan_(plan), cuts_(cuts), pieces_(std::move(pieces)) {}

  std::unique_ptr<ChunkSource::Reader> make_reader(i64) override;
  void cancel() override { cancelled_ = true; }
  bool all_claimed_before(i64) const override { return false; }

 private:
  class Reader;
  const Plan &plan_;
  const CutBytes cuts_;
  const std::vector<Split> pieces_;
  std::atomic<bool> cancelled_{false};
};

class SampledPieces::Reader : public ChunkSource::Reader {
 public:
  explicit Reader(const SampledPieces &pieces) : all_(pieces) {}

  Result<std::optional<Unit>> claim() override {
    if (all_.cancelled_ || next_ == all_.pieces_.size()) return std::optional<Unit>();
    const Split &piece = all_.pieces_[next_];
    if (next_ == 0 || all_.pieces_[next_ - 1].source != piece.source) open(piece.source);
    unread_ = true;
    return std::optional(Unit{piece.source, piece.begin, piece.end, static_cast<i64>(next_++)});
  }

  Result<std::optional<Chunk>> next() override {
    if (!std::exchange(unread_, false)) return std::optional<Chunk>();
    const Split &piece = all_.pieces_[next_ - 1];
    const i64 size = piece.end - piece.begin;
    if (buffer_.size() < size + kPadding) buffer_.grow(size + kPadding);
    char *bytes = reinterpret_cast<char *>(buffer_.data());
    Result<i64> got = file_.read_at(piece.begin, bytes, size);
    if (!got.is_ok()) return std::optional<Chunk>();
    const Chunk chunk =
        whole_records({Bytes(bytes, static_cast<size_t>(*got)), piece.source, piece.begin});
    counts_.bytes += std::ssize(chunk.bytes);
    return chunk.bytes.empty() ? std::optional<Chunk>() : std::optional(chunk);
  }

 private:
  // Requests all pieces of a file at once: a disk serves many requests faster than one after
  // another.
  void open(i64 source) {
    Result<InputFile> file = InputFile::open(all_.plan_.sources[static_cast<size_t>(source)]);
    file_ = file.is_ok() ? std::move(*file) : InputFile();
    const std::vector<Split> &pieces = all_.pieces_;
    for (size_t i = next_; i < pieces.size() && pieces[i].source == source; ++i) {
      const i64 size = pieces[i].end - pieces[i].begin;
      posix_fadvise(file_.fd(), pieces[i].begin, size, POSIX_FADV_WILLNEED);
    }
  }

  // Cuts the chunk after its first and its last record end, except where the file begins or ends.
  Chunk whole_records(Chunk chunk) const {
    const Source &source = all_.plan_.sources[static_cast<size_t>(chunk.source)];
    const char *begin = chunk.bytes.data(), *end = begin + chunk.bytes.size();
    const i64 offset = chunk.offset - source.begin;
    if (offset > 0) {
      const char *cut = all_.cuts_.first(begin, end, offset);
      begin = cut == nullptr ? end : cut + 1;
    }
    if (chunk.offset + static_cast<i64>(chunk.bytes.size()) < source.end) {
      const char *cut = all_.cuts_.last(begin, end, offset + (begin - chunk.bytes.data()));
      end = cut == nullptr ? begin : cut + 1;
    }
    return {Bytes(begin, static_cast<size_t>(end - begin)), chunk.source,
            chunk.offset + (begin - chunk.bytes.data())};
  }

  const SampledPieces &all_;
  size_t next_ = 0;
  bool unread_ = false;  // no chunk of the claimed piece is read yet
  InputFile file_;
  Pages buffer_;
};

std::unique_ptr<ChunkSource::Reader> SampledPieces::make_reader(i64) {
  return std::make_unique<Reader>(*this);
}

}  // namespace

std::unique_ptr<ChunkSource> make_pieces(const Switches &switches, const Plan &plan, CutBytes cuts,
                                         Sample *sample) {
  std::vector<Split> pieces = choose_pieces(switches, plan, &sample->piece_bytes);
  sample->pieces = std::ssize(pieces);
  return std::make_unique<SampledPieces>(plan, cuts, std::move(pieces));
}

}  // namespace mrc
