// 64 pieces, at places that are strided over the whole input, all files one behind the
// other, and shifted at random within their strides, always in the same way: input that
// repeats itself at regular distances must not show the same records again and again.
// (Metis 3.4 takes the first 7 % of the input instead, which tells little about input
// that changes on its way, and costs ten times as much.)
//
// Pieces have 1/192 of the input together, but at most 32 KiB each, so that sampling takes
// less than 2 % of the time of a job. Each is cut to whole records, as splits are.
#include "engine/sample.h"

#include "engine/common_prefix.h"
#include "map/emitter.h"
#include "rows/keyed_records.h"

#include <fcntl.h>

#include <algorithm>
#include <memory>

namespace mrc {
namespace {

constexpr i64 kWorthSampling = i64{32} << 20;
constexpr i64 kPieces = 64;
constexpr i64 kPart = 192;  // of the input: one in so many bytes
constexpr i64 kSmallestPiece = i64{4} << 10;
constexpr i64 kLargestPiece = i64{32} << 10;
constexpr i64 kPieceOfHead = i64{256} << 10;

// SplitMix64, of which a few steps are random enough for a place in a stride.
u64 random_number(i64 i) {
  u64 x = static_cast<u64>(i + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  return x ^ x >> 27;
}

// Adds what the input has from `at` on, up to `size` bytes, to the pieces: within one file.
// Returns how many bytes that are.
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
  return size;  // beyond the end there is nothing to add
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

// The pieces of the input, one after another, as chunks.
class PieceReader {
 public:
  PieceReader(const Job &job, const Plan &plan, std::vector<Split> pieces)
      : plan_(plan), cuts_(cuts_of(job)), pieces_(std::move(pieces)) {}

  // Nothing at the end; a chunk without bytes where a piece has no whole record, or could
  // not be read. A chunk stays readable until the next call.
  std::optional<Chunk> next() {
    if (next_ == pieces_.size()) return std::nullopt;
    const Split &piece = pieces_[next_];
    if (next_ == 0 || pieces_[next_ - 1].source != piece.source) open(piece.source);
    ++next_;
    const i64 size = piece.end - piece.begin;
    if (buffer_.size() < size + kPadding) buffer_.grow(size + kPadding);
    char *bytes = reinterpret_cast<char *>(buffer_.data());
    Result<i64> got = file_.read_at(piece.begin, bytes, size);
    if (!got.is_ok()) return Chunk{};
    return whole_records({Bytes(bytes, static_cast<size_t>(*got)), piece.source, piece.begin});
  }

 private:
  // All pieces of a file are asked for at once: a disk serves many requests faster than
  // one after the other.
  void open(i64 source) {
    Result<InputFile> file = InputFile::open(plan_.sources[static_cast<size_t>(source)]);
    file_ = file.is_ok() ? std::move(*file) : InputFile();
    for (size_t i = next_; i < pieces_.size() && pieces_[i].source == source; ++i) {
      const i64 size = pieces_[i].end - pieces_[i].begin;
      posix_fadvise(file_.fd(), pieces_[i].begin, size, POSIX_FADV_WILLNEED);
    }
  }

  // From behind the first cut to behind the last one, unless the file begins or ends here.
  Chunk whole_records(Chunk chunk) const {
    const Source &source = plan_.sources[static_cast<size_t>(chunk.source)];
    const char *begin = chunk.bytes.data(), *end = begin + chunk.bytes.size();
    const i64 offset = chunk.offset - source.begin;
    if (offset > 0) {
      const char *cut = cuts_.first(begin, end, offset);
      begin = cut == nullptr ? end : cut + 1;
    }
    if (chunk.offset + static_cast<i64>(chunk.bytes.size()) < source.end) {
      const char *cut = cuts_.last(begin, end, offset + (begin - chunk.bytes.data()));
      end = cut == nullptr ? begin : cut + 1;
    }
    return {Bytes(begin, static_cast<size_t>(end - begin)), chunk.source,
            chunk.offset + (begin - chunk.bytes.data())};
  }

  const Plan &plan_;
  CutBytes cuts_;
  std::vector<Split> pieces_;
  size_t next_ = 0;
  InputFile file_;
  Pages buffer_;
};

// Keeps of keys what the sample tells.
class SampledKeys : public BatchSink {
 public:
  explicit SampledKeys(Sample *sample) : sample_(sample) {}

  void take(const Batch<Key16> &batch) override { add(batch, 0); }
  void take(const Batch<Key32> &batch) override { add(batch, 1); }
  void take(const Batch<KeyRef> &batch) override { add(batch, 2); }

  void begin_piece() { keys_.begin_piece(); }
  void finish() {
    sample_->counts = keys_.counts();
    sample_->common_prefix = prefix_.bytes();
  }

 private:
  template <typename Key>
  void add(const Batch<Key> &batch, size_t key_class) {
    keys_.add(batch.hashes.data(), batch.size);
    sample_->of_class[key_class] += batch.size;
    for (i64 i = 0; i < batch.size; ++i) {
      const Bytes key = key_bytes(batch.keys[static_cast<size_t>(i)]);
      sample_->key_bytes += static_cast<i64>(key.size());
      prefix_.add(key);
    }
  }

  Sample *sample_;
  KeySample keys_;
  CommonPrefix prefix_;
};

// Who samples does not report what is bad: whoever maps it will.
class IgnoredRecords : public BadRecordSink {
 public:
  void take(const Chunk &, const BadRecord &) override {}
};

void sample_keys(const Job &job, const Plan &plan, PieceReader *reader, Sample *sample) {
  SampledKeys keys(sample);
  const auto emitter = std::make_unique<Emitter>(&keys, kFixedSeed, job.map.value_width());
  IgnoredRecords bad;
  const std::unique_ptr<Mapper> mapper =
      make_mapper(job.map, *plan.scanner, plan.readers.get(), &bad);
  while (std::optional<Chunk> chunk = reader->next()) {
    keys.begin_piece();
    sample->bytes += static_cast<i64>(chunk->bytes.size());
    if (!chunk->bytes.empty()) sample->records += mapper->map(*chunk, emitter.get());
  }
  keys.finish();
}

void sample_rows(const Job &job, const Plan &plan, PieceReader *reader, Sample *sample) {
  const RowLayout layout = job.sort->layout();
  const Order order = job.sort->order();
  RowStore store(layout, KeyBytes::copied);
  IgnoredRecords bad;
  const std::unique_ptr<ChunkRows> records =
      make_chunk_rows(*job.sort, job.map.fields, *plan.scanner, order, plan.readers.get(), &bad);
  CommonPrefix prefix;
  while (std::optional<Chunk> chunk = reader->next()) {
    sample->bytes += static_cast<i64>(chunk->bytes.size());
    if (!chunk->bytes.empty()) sample->records += records->add(*chunk, &store);
    for (const Row &row : store.rows()) {
      const Bytes key = layout.key(row);
      sample->key_bytes += static_cast<i64>(key.size());
      prefix.add(key);
    }
    store.clear();
  }
  sample->common_prefix = prefix.bytes();
}

}  // namespace

bool worth_sampling(const Job &job, const Plan &plan) {
  // A plugin gets each record once.
  if (job.plugin && job.plugin->maps()) return false;
  return job.switches.sample != Sampling::off && job.answer != Job::Answer::estimate &&
         plan.streams == 0 && plan.input_bytes > kWorthSampling;
}

Sample take_sample(const Job &job, const Plan &plan) {
  Sample sample;
  std::vector<Split> pieces = choose_pieces(job.switches, plan, &sample.piece_bytes);
  sample.pieces = std::ssize(pieces);
  PieceReader reader(job, plan, std::move(pieces));
  if (job.sort) {
    sample_rows(job, plan, &reader, &sample);
  } else {
    sample_keys(job, plan, &reader, &sample);
  }
  sample.share = static_cast<double>(sample.bytes) / static_cast<double>(plan.input_bytes);
  return sample;
}

Forecast foretell(const Job &job, const Sample &sample, i64 workers) {
  if (sample.counts.keys() == 0) return {};
  const double records = static_cast<double>(sample.records) / sample.share;
  const double each = records / static_cast<double>(workers);
  Forecast forecast;
  forecast.records = records;
  for (size_t i = 0; i < forecast.shares.size(); ++i) {
    forecast.shares[i] =
        static_cast<double>(sample.of_class[i]) / static_cast<double>(sample.records);
  }
  if (job.switches.sample == Sampling::head) {  // as Metis has it
    forecast.keys = std::min(records, static_cast<double>(sample.counts.keys()) / sample.share);
    forecast.worker_keys = std::min(each, forecast.keys);
  } else {
    forecast.keys = predict_distinct(sample.counts, records).distinct_total;
    forecast.worker_keys = predict_distinct(sample.counts, each).distinct_total;
  }
  forecast.repeats = records / forecast.keys;
  return forecast;
}

}  // namespace mrc
