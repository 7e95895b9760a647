#include "plugin/own_splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mrc {
namespace {

struct Collector : mrc_splits {
  explicit Collector(std::vector<mrc_split> *the_splits) : mrc_splits{append}, splits(the_splits) {}
  std::vector<mrc_split> *splits;

 private:
  static void append(mrc_splits *self, const mrc_split *split, size_t bytes) {
    mrc_split whole{};
    std::memcpy(&whole, split, std::min(bytes, sizeof whole));
    static_cast<Collector *>(self)->splits->push_back(whole);
  }
};

}  // namespace

Result<std::unique_ptr<OwnSplits>> OwnSplits::open(const PluginJob &job,
                                                   const std::vector<Source> &sources) {
  std::unique_ptr<OwnSplits> own(new OwnSplits(job, sources));
  for (const Source &source : sources) {
    Result<WholeInput> input = WholeInput::open(source);
    if (!input.is_ok()) return input.status();
    own->inputs_.push_back(std::move(*input));
    own->names_.push_back(source.name());
  }
  return own;
}

Status OwnSplits::begin_round() {
  splits_.clear();
  next_.store(0);
  std::vector<mrc_input> inputs;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Bytes bytes = inputs_[i].bytes();
    inputs.push_back({names_[i].c_str(), {bytes.data(), bytes.size()}});
  }
  Collector collector(&splits_);
  guarded(job_.place("split"), [&] {
    return job_.functions().split(job_.self(), {inputs.data(), inputs.size(), sizeof(mrc_input)},
                                  &collector);
  });
  if (Status status = plugin_status(); !status.is_ok()) return status;
  for (i64 i = 0; i < size(); ++i) {
    if (Status status = check(splits_[static_cast<size_t>(i)], i); !status.is_ok()) return status;
  }
  return Status::ok();
}

Status OwnSplits::check(const mrc_split &split, i64 number) const {
  const bool known = split.input >= 0 && split.input < std::ssize(inputs_);
  const i64 size = known ? std::ssize(inputs_[static_cast<size_t>(split.input)].bytes()) : 0;
  if (known && split.begin >= 0 && split.begin <= split.end && split.end <= size) {
    return Status::ok();
  }
  const PluginPlace place = job_.place("split");
  PluginCall call(place);
  fail_plugin(fmt::format("split {} has bytes {} to {} of input {}; there are {} inputs{}", number,
                          split.begin, split.end, split.input, inputs_.size(),
                          known ? fmt::format(", and this one has {} bytes", size) : ""));
  return plugin_status();
}

Result<std::optional<Chunk>> OwnSplits::Reader::next() {
  release();
  const i64 number = splits_.next_.fetch_add(1);
  if (number >= splits_.size()) return std::optional<Chunk>();
  const mrc_split &split = splits_.splits_[static_cast<size_t>(number)];
  Result<Bytes> bytes = acquire(split);
  if (!bytes.is_ok()) return bytes.status();
  return std::optional(Chunk{*bytes, split.input, split.begin, number, split.tag});
}

Result<Bytes> OwnSplits::Reader::acquire(const mrc_split &split) {
  const PluginJob &job = splits_.job_;
  if (job.functions().acquire != nullptr) {
    bytes_ = {};
    const int result = guarded(
        job.place("acquire", splits_.names_[static_cast<size_t>(split.input)].c_str(), split.begin),
        [&] { return job.functions().acquire(job.self(), &split, &bytes_); });
    if (result != 0) return plugin_status();
    acquired_ = &split;
    return Bytes(bytes_.data, bytes_.size);
  }
  static constexpr char kNothing[kPadding] = {};  // an empty text, which is not none
  if (split.begin == split.end) return Bytes(kNothing, 0);
  const WholeInput &input = splits_.inputs_[static_cast<size_t>(split.input)];
  if (!input.is_file()) {
    return input.bytes().substr(static_cast<size_t>(split.begin),
                                static_cast<size_t>(split.end - split.begin));
  }
  // Read, and not looked at where it is mapped: page tables cost more than the copy.
  if (open_ != split.input) {
    const Source &source = splits_.sources_[static_cast<size_t>(split.input)];
    Result<InputFile> file = InputFile::open(source);
    if (!file.is_ok()) return file.status();
    window_.reset();
    file_ = std::move(*file);
    window_ = open_window(IoMode::read, source, file_, &buffer_);
    open_ = split.input;
  }
  Result<Bytes> bytes = window_->view(split.begin, split.end);
  if (bytes.is_ok() && std::ssize(*bytes) < split.end - split.begin) {
    return Status::error(fmt::format("{}: was truncated while it was read", file_.name()));
  }
  return bytes;
}

void OwnSplits::Reader::release() {
  const PluginJob &job = splits_.job_;
  if (acquired_ == nullptr) return;
  if (job.functions().release != nullptr) {
    guarded(job.place("release"), [&] { job.functions().release(job.self(), acquired_, bytes_); });
  }
  acquired_ = nullptr;
}

}  // namespace mrc
