// An index is a magic, the version, the file's stamp, how it was read, the fields and the pages,
// and the checksum of all these. Numbers are varints, or have eight bytes if any value is likely.
#include "kept/range_index.h"

#include "base/hash.h"
#include "base/varint.h"
#include "kinds/time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>

namespace mrc {
namespace {

constexpr Bytes kMagic = "\x89MRCX\r\n\x1a";

class Writer {
 public:
  Writer &put(u64 number) {
    append_varint(number, &out_);
    return *this;
  }
  Writer &put_signed(i64 number) { return put(zigzag(number)); }
  Writer &put_text(Bytes text) {
    append_sized(text, &out_);
    return *this;
  }
  Writer &put_word(u64 word) {
    out_.append(reinterpret_cast<const char *>(&word), sizeof word);
    return *this;
  }
  void put_raw(Bytes bytes) { out_ += bytes; }
  std::string take() { return std::move(out_); }
  Bytes bytes() const { return out_; }

 private:
  std::string out_;
};

// Reads what a Writer has written. After the first failure, everything is 0.
class IndexReader {
 public:
  explicit IndexReader(Bytes bytes) : left_(bytes) {}

  u64 number() {
    u64 value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (left_.empty()) break;
      const auto byte = static_cast<u8>(left_[0]);
      left_.remove_prefix(1);
      value |= u64{byte & 0x7Fu} << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }
  i64 signed_number() { return unzigzag(number()); }
  // Returns a size of something that takes at least one byte for each unit.
  i64 size() {
    const u64 value = number();
    failed_ |= value > left_.size();
    return failed_ ? 0 : static_cast<i64>(value);
  }
  std::string text() {
    const auto bytes = static_cast<size_t>(size());
    const std::string text(left_.substr(0, bytes));
    left_.remove_prefix(bytes);
    return text;
  }
  // Returns a size that does not overflow if many are added up.
  i64 size_of_page() {
    const u64 value = number();
    failed_ |= value >> 46 != 0;
    return failed_ ? 0 : static_cast<i64>(value);
  }
  u64 word() {
    u64 word = 0;
    failed_ |= left_.size() < sizeof word;
    if (failed_) return 0;
    std::memcpy(&word, left_.data(), sizeof word);
    left_.remove_prefix(sizeof word);
    return word;
  }
  bool is_at_end() const { return left_.empty(); }
  bool failed() const { return failed_; }

 private:
  Bytes left_;
  bool failed_ = false;
};

constexpr u64 kNumbers = 1, kTimes = 2, kTexts = 4, kAny = 8, kMisfits = 16, kCut = 32,
              kNeedsZone = 64, kNeedsYear = 128;

void put(const FileStamp &stamp, Writer *to) {
  to->put(stamp.device).put(stamp.inode).put_signed(stamp.size);
  to->put_signed(stamp.modified_ns).put_signed(stamp.changed_ns);
}
FileStamp stamp_from(IndexReader *from) {
  FileStamp stamp;
  stamp.device = from->number();
  stamp.inode = from->number();
  stamp.size = from->signed_number();
  stamp.modified_ns = from->signed_number();
  stamp.changed_ns = from->signed_number();
  return stamp;
}

void put(const IndexedField &field, Writer *to) {
  to->put_text(field.name.text).put_signed(field.name.number).put(field.name.whole);
  to->put((field.as_numbers ? kNumbers : 0) | (field.times ? kTimes : 0) |
          (field.as_texts ? kTexts : 0));
  if (!field.times) return;
  to->put_text(field.zone).put_signed(field.times->year_of_now);
  to->put_signed(field.times->month_of_now).put(static_cast<u64>(field.times->dates));
}
// The meaning of "local" may change from process to process: it gets a zone that no other is.
IndexedField field_from(IndexReader *from) {
  static const Zone kUnknown({{INT64_MIN, 0}});
  IndexedField field;
  field.name.text = from->text();
  field.name.number = from->signed_number();
  field.name.whole = from->number() != 0;
  const u64 flags = from->number();
  field.as_numbers = (flags & kNumbers) != 0;
  field.as_texts = (flags & kTexts) != 0;
  if ((flags & kTimes) == 0) return field;
  field.zone = from->text();
  const Result<const Zone *> zone = find_zone(field.zone);
  const bool is_sure = zone.is_ok() && field.zone != "local";
  field.times.emplace(TimeContext{.zone = is_sure ? *zone : &kUnknown});
  field.times->year_of_now = from->signed_number();
  field.times->month_of_now = from->signed_number();
  field.times->dates = static_cast<DateOrder>(from->number());
  return field;
}

template <typename Value>
u64 flags_of(const Extent<Value> &extent) {
  return (extent.any ? kAny : 0) | (extent.misfits ? kMisfits : 0);
}
template <typename Value>
void set_flags(u64 flags, Extent<Value> *extent) {
  extent->any = (flags & kAny) != 0;
  extent->misfits = (flags & kMisfits) != 0;
}

// A field has flags and values for each kind that is known, in this order, and then a zero.
void put(const FieldBounds &bounds, Writer *to) {
  if (const auto &numbers = bounds.numbers) {
    to->put(kNumbers | flags_of(*numbers));
    if (numbers->any) to->put(numbers->least).put(numbers->most);
  }
  if (const auto &times = bounds.times) {
    to->put(kTimes | flags_of(*times) | (times->needs.zone ? kNeedsZone : 0) |
            (times->needs.year ? kNeedsYear : 0));
    if (times->any) to->put_signed(times->least).put_signed(times->most);
  }
  if (const auto &texts = bounds.texts) {
    to->put(kTexts | flags_of(*texts) | (texts->is_cut ? kCut : 0));
    if (texts->any) to->put_text(texts->least).put_text(texts->most);
  }
  to->put(0);
}
FieldBounds bounds_from(const IndexedField &field, IndexReader *from) {
  FieldBounds bounds;
  while (const u64 flags = from->number()) {
    const bool any = (flags & kAny) != 0;
    if ((flags & kNumbers) != 0) {
      auto &numbers = bounds.numbers.emplace();
      set_flags(flags, &numbers);
      if (any) numbers.least = from->number();
      if (any) numbers.most = from->number();
      const bool are_narrow = is_narrow(numbers.least) && is_narrow(numbers.most);
      if (any && !are_narrow) bounds.numbers.reset();
    } else if ((flags & kTimes) != 0) {
      auto &times = bounds.times.emplace();
      set_flags(flags, &times);
      times.needs = {(flags & kNeedsZone) != 0, (flags & kNeedsYear) != 0};
      if (field.times) times.context = *field.times;
      if (any) times.least = from->signed_number();
      if (any) times.most = from->signed_number();
      if (!field.times) bounds.times.reset();
    } else {
      auto &texts = bounds.texts.emplace();
      set_flags(flags, &texts);
      texts.is_cut = (flags & kCut) != 0;
      if (any) texts.least = from->text();
      if (any) texts.most = from->text();
    }
  }
  return bounds;
}

void put(const KeptFlaw &flaw, Writer *to) {
  to->put(flaw.position).put(flaw.chunk).put_signed(flaw.line);
  to->put_text(flaw.reason).put_text(flaw.shown);
}
KeptFlaw flaw_from(IndexReader *from) {
  KeptFlaw flaw;
  flaw.position = from->number();
  flaw.chunk = from->number();
  flaw.line = from->signed_number();
  flaw.reason = from->text();
  flaw.shown = from->text();
  return flaw;
}

void put(const RangeIndex::Page &page, Writer *to) {
  to->put(static_cast<u64>(page.end - page.begin))
      .put_signed(page.records)
      .put_signed(page.bad_records);
  to->put_word(page.content);
  if (page.bad_records > 0) put(page.flaw, to);
  for (const FieldBounds &bounds : page.bounds) put(bounds, to);
}
RangeIndex::Page page_from(i64 begin, const std::vector<IndexedField> &fields, IndexReader *from) {
  RangeIndex::Page page{.begin = begin};
  page.end = begin + from->size_of_page();
  page.records = from->signed_number();
  page.bad_records = from->signed_number();
  page.content = from->word();
  if (page.bad_records > 0) page.flaw = flaw_from(from);
  for (const IndexedField &field : fields) page.bounds.push_back(bounds_from(field, from));
  return page;
}

void put(const PackedBlocks &blocks, Writer *to) {
  to->put(blocks.codec == Codec::zstd).put(static_cast<u64>(blocks.text_bytes));
  to->put(blocks.blocks.size());
  PackedBlocks::Block last;
  for (const PackedBlocks::Block &block : blocks.blocks) {
    to->put(static_cast<u64>(block.text - last.text));
    to->put(static_cast<u64>(block.packed - last.packed));
    last = block;
  }
}
PackedBlocks blocks_from(IndexReader *from) {
  PackedBlocks blocks;
  blocks.codec = from->number() != 0 ? Codec::zstd : Codec::bgzf;
  blocks.text_bytes = from->size_of_page();
  PackedBlocks::Block block;
  for (i64 left = from->size(); left > 0 && !from->failed(); --left) {
    block.text += from->size_of_page();
    block.packed += from->size_of_page();
    blocks.blocks.push_back(block);
  }
  return blocks;
}

Status damaged_index() { return Status::error("it is damaged; index the file again"); }

}  // namespace

const ContentHash &RangeIndex::content_hash() {
  static const ContentHash hash(kFixedSeed.a);
  return hash;
}

bool RangeIndex::is_whole() const {
  i64 end = 0;
  for (const Page &page : pages) {
    if (page.begin != end || page.end <= end || page.records < 0 || page.bad_records < 0) {
      return false;
    }
    end = page.end;
  }
  if (!blocks) return end == file.size;
  return blocks->is_sound() && end == blocks->text_bytes;
}

i64 RangeIndex::find(const FieldName &name) const {
  const auto found = std::ranges::find(fields, name, &IndexedField::name);
  return found == fields.end() ? -1 : found - fields.begin();
}

std::string RangeIndex::to_bytes() const {
  Writer to;
  to.put_raw(kMagic);
  to.put(blocks ? kPackedVersion : kVersion);
  put(file, &to);
  to.put_text(reads).put(fields.size());
  for (const IndexedField &field : fields) put(field, &to);
  to.put(pages.size());
  for (const Page &page : pages) put(page, &to);
  if (blocks) put(*blocks, &to);
  to.put_word(checksum_bytes(to.bytes()));
  return to.take();
}

Result<RangeIndex> RangeIndex::from_bytes(Bytes bytes) {
  if (bytes.size() < kMagic.size() + sizeof(u64) || !bytes.starts_with(kMagic))
    return damaged_index();
  u64 checksum;
  std::memcpy(&checksum, bytes.data() + bytes.size() - sizeof checksum, sizeof checksum);
  bytes.remove_suffix(sizeof checksum);
  if (checksum != checksum_bytes(bytes)) return damaged_index();
  IndexReader from(bytes.substr(kMagic.size()));
  const u64 version = from.number();
  if (version != kVersion && version != kPackedVersion) {
    return Status::error("another version of mrc has made it; index the file again");
  }
  RangeIndex index;
  index.file = stamp_from(&from);
  index.reads = from.text();
  for (i64 left = from.size(); left > 0; --left) index.fields.push_back(field_from(&from));
  for (i64 left = from.size(); left > 0 && !from.failed(); --left) {
    const i64 begin = index.pages.empty() ? 0 : index.pages.back().end;
    index.pages.push_back(page_from(begin, index.fields, &from));
  }
  if (version == kPackedVersion) {
    index.blocks = std::make_shared<const PackedBlocks>(blocks_from(&from));
  }
  if (from.failed() || !from.is_at_end() || !index.is_whole()) return damaged_index();
  return index;
}

std::string range_index_path(const std::string &path, const std::string &directory) {
  const size_t name = path.rfind('/') + 1;
  if (directory.empty()) return path.substr(0, name) + "." + path.substr(name) + ".mrcx";
  const std::unique_ptr<char, decltype(&free)> real(realpath(path.c_str(), nullptr), free);
  const std::string whole = real == nullptr ? path : std::string(real.get());
  return fmt::format("{}/{}-{:016x}.mrcx", directory, path.substr(name), checksum_bytes(whole));
}

void await_next_tick(const FileStamp &stamp) {
  using std::chrono::nanoseconds;
  constexpr nanoseconds kTick = std::chrono::milliseconds(20);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const nanoseconds age = now - nanoseconds(std::max(stamp.modified_ns, stamp.changed_ns));
  if (age >= nanoseconds(0) && age < kTick) std::this_thread::sleep_for(kTick - age);
}

}  // namespace mrc
