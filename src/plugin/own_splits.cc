#include "plugin/own_splits.h"

#include "plugin/inner/splits_of_plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mrc {
Result<std::unique_ptr<OwnSplits>> OwnSplits::open(const PluginSession &job,
                                                   const std::vector<Source> &sources,
                                                   i64 arguments) {
  std::unique_ptr<OwnSplits> own(new OwnSplits(job, sources));
  Input standard_input{};
  own->inputs_.resize(static_cast<size_t>(arguments));
  for (size_t i = 0; i < sources.size(); ++i) {
    const Source &source = sources[i];
    Result<WholeInput> whole = WholeInput::open(source);
    if (!whole.is_ok()) return whole.status();
    own->wholes_.push_back(std::move(*whole));
    Input &input = own->inputs_[static_cast<size_t>(source.argument)];
    input = {source.name(), own->wholes_.back().bytes(), static_cast<i64>(i)};
    if (source.path == "-") standard_input = {input.name, Bytes("", 0), input.source};
  }
  for (Input &input : own->inputs_) {
    if (input.name.empty()) input = standard_input;
  }
  return own;
}

Status OwnSplits::begin_round() {
  splits_.clear();
  next_.store(0);
  std::vector<mrc_input> inputs;
  for (const Input &input : inputs_) {
    inputs.push_back({input.name.c_str(), {input.bytes.data(), input.bytes.size()}});
  }
  SplitsOfPlugin collector(&splits_);
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
  const i64 size = known ? std::ssize(input_of(split).bytes) : 0;
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

std::unique_ptr<ChunkSource::Reader> OwnSplits::make_reader(i64) {
  return std::make_unique<Reader>(this);
}

Result<std::optional<Unit>> OwnSplits::Reader::claim() {
  release();
  const i64 number = splits_.next_.fetch_add(1);
  if (number >= splits_.size()) return std::optional<Unit>();
  claimed_ = number;
  const mrc_split &split = splits_.split(number);
  return std::optional(Unit{splits_.input_of(split).source, split.begin, split.end, number});
}

Result<std::optional<Chunk>> OwnSplits::Reader::next() {
  release();
  const i64 number = std::exchange(claimed_, -1);
  if (number < 0) return std::optional<Chunk>();
  const mrc_split &split = splits_.split(number);
  Result<Bytes> bytes = acquire(split);
  if (!bytes.is_ok()) return bytes.status();
  ++counts_.units;
  counts_.bytes += std::ssize(*bytes);
  return std::optional(
      Chunk{*bytes, splits_.input_of(split).source, split.begin, number, split.tag});
}

Result<Bytes> OwnSplits::Reader::acquire(const mrc_split &split) {
  const PluginSession &job = splits_.job_;
  const Input &input = splits_.input_of(split);
  if (job.functions().acquire != nullptr) {
    bytes_ = {};
    const int result = guarded(job.place("acquire", input.name.c_str(), split.begin), [&] {
      return job.functions().acquire(job.self(), &split, &bytes_);
    });
    if (result != 0) return plugin_status();
    acquired_ = &split;
    return Bytes(bytes_.data, bytes_.size);
  }
  static constexpr char kNothing[kPadding] = {};  // an empty text, not a missing one
  if (split.begin == split.end) return Bytes(kNothing, 0);
  if (!splits_.wholes_[static_cast<size_t>(input.source)].is_file()) {
    return input.bytes.substr(static_cast<size_t>(split.begin),
                              static_cast<size_t>(split.end - split.begin));
  }
  // Files are read, not mapped: page tables cost more than the copy.
  if (open_ != input.source) {
    const Source &source = splits_.sources_[static_cast<size_t>(input.source)];
    Result<InputFile> file = InputFile::open(source);
    if (!file.is_ok()) return file.status();
    window_.reset();
    file_ = std::move(*file);
    window_ = open_window(IoMode::read, source, file_, &buffer_);
    open_ = input.source;
  }
  Result<Bytes> bytes = window_->view(split.begin, split.end);
  if (bytes.is_ok() && std::ssize(*bytes) < split.end - split.begin) {
    return Status::error(fmt::format("{}: was truncated while it was read", file_.name()));
  }
  return bytes;
}

void OwnSplits::Reader::release() {
  const PluginSession &job = splits_.job_;
  if (acquired_ == nullptr) return;
  if (job.functions().release != nullptr) {
    guarded(job.place("release"), [&] { job.functions().release(job.self(), acquired_, bytes_); });
  }
  acquired_ = nullptr;
}

}  // namespace mrc
