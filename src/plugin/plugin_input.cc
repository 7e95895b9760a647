// A failure of a reader concerns one input. The others are read, as they are if a file has a fault.
#include "plugin/plugin_input.h"

#include "input/row_stream.h"
#include "kinds/time_text.h"
#include "mrc_reader.h"
#include "plugin/call.h"
#include "plugin/inner/splits_of_plugin.h"
#include "plugin/read_plugin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <set>

namespace mrc {
namespace {

constexpr size_t kMostFields = 1 << 12, kMostReaderSplits = 1 << 16;

bool is_number(mrc_type type) { return type == MRC_INTEGER || type == MRC_REAL; }

class PluginInput : public Collection {
 public:
  PluginInput(const Plugin &plugin, std::string name) : plugin_(plugin), name_(std::move(name)) {}
  ~PluginInput() override;
  // Call it once, before all others.
  Status open(const std::string &text);

  std::string what() const override {
    return fmt::format("rows of the plugin {}", plugin_.about().name);
  }
  Result<std::vector<Source>> split(const Source &whole, bool divides_rows) override;
  Result<Source> first(const Source &whole) override;
  Result<std::unique_ptr<Stream>> open(const Source &source) override;
  const std::vector<std::string> &columns() const override { return names_; }
  std::vector<FieldKind> kinds() const override;
  bool leaves_out_rows() const override { return (reader().flags & MRC_LEAVES_OUT) != 0; }
  void read_rows(Rows rows) override { rows_ = std::move(rows); }

  // These serve streams.
  const mrc_reader &reader() const { return *plugin_.reader(); }
  void *self() const { return self_; }
  const Rows &rows() const { return rows_; }
  size_t width() const { return types_.size(); }
  mrc_type type_of(size_t field) const { return types_[field]; }
  PluginPlace place(const char *function) const {
    return {.plugin = plugin_.path().c_str(), .function = function, .input = name_.c_str()};
  }
  // Calls a function of the reader, and returns how it has failed.
  template <typename F>
  Status call(const char *function, F &&f) const {
    PluginRun own;
    own.quiet = PluginRun::current()->quiet;
    const PluginRun::Scope scope(&own);
    guarded(place(function), f);
    return own.status();
  }
  Status fault(const char *function, const std::string &what) const {
    return call(function, [&] { fail_plugin(what); });
  }

 private:
  Status take_fields(const mrc_fields &fields);
  Status make_splits();

  const Plugin &plugin_;
  const std::string name_;
  void *self_ = nullptr;
  bool is_open_ = false;
  std::vector<std::string> names_;
  std::vector<mrc_type> types_;
  std::vector<mrc_split> splits_;  // by part
  Rows rows_;
};

PluginInput::~PluginInput() {
  if (!is_open_ || reader().close == nullptr) return;
  (void)call("close", [&] { reader().close(self_); });
}

Status PluginInput::open(const std::string &text) {
  mrc_fields fields{};
  Status status =
      call("open", [&] { return reader().open(plugin_host(), text.c_str(), &fields, &self_); });
  if (!status.is_ok()) return status;
  is_open_ = true;
  return take_fields(fields);
}

// Checks what is needed to read rows of the right width.
Status PluginInput::take_fields(const mrc_fields &fields) {
  if (fields.count == 0 || fields.count > kMostFields || fields.at == nullptr) {
    return fault("open", fmt::format("gave {} fields; an input has 1 to {}",
                                     fields.at == nullptr ? 0 : fields.count, kMostFields));
  }
  std::set<std::string> known;
  for (size_t i = 0; i < fields.count; ++i) {
    mrc_field field{};
    const auto *at = reinterpret_cast<const char *>(fields.at) + i * fields.bytes;
    memcpy(&field, at, std::min(fields.bytes, sizeof field));
    const char *what = field.name == nullptr || *field.name == '\0' ? "no name"
                       : field.type > MRC_TIME                      ? "an unknown type"
                       : !known.insert(field.name).second           ? "the name of another field"
                                                                    : nullptr;
    if (what != nullptr) return fault("open", fmt::format("field {} has {}", i, what));
    names_.emplace_back(field.name);
    types_.push_back(field.type);
  }
  return Status::ok();
}

Status PluginInput::make_splits() {
  splits_.clear();
  SplitsOfPlugin splits(&splits_);
  Status status = call("split", [&] { return reader().split(self_, &splits); });
  if (!status.is_ok()) return status;
  if (splits_.size() > kMostReaderSplits) {
    return fault("split",
                 fmt::format("made {} splits; {} are the most", splits_.size(), kMostReaderSplits));
  }
  if (splits_.empty()) splits_ = {mrc_split{}};
  return Status::ok();
}

// Values of texts tell what they are, such as addresses.
std::vector<FieldKind> PluginInput::kinds() const {
  std::vector<FieldKind> kinds;
  for (size_t i = 0; i < width(); ++i) {
    FieldKind kind;
    if (types_[i] == MRC_TIME) kind = {ValueKind::time};
    if (is_number(types_[i])) kind = {ValueKind::number, unit_in_name(names_[i])};
    kinds.push_back(kind);
  }
  return kinds;
}

Result<Source> PluginInput::first(const Source &whole) {
  splits_ = {mrc_split{}};
  Source source = whole;
  source.stream = true;
  source.part = 0;
  return source;
}

Result<std::vector<Source>> PluginInput::split(const Source &whole, bool divides_rows) {
  std::vector<Source> parts = {*first(whole)};
  if (!divides_rows || reader().split == nullptr) return parts;
  if (Status status = make_splits(); !status.is_ok()) return status;
  parts.resize(splits_.size(), parts[0]);
  for (size_t i = 0; i < parts.size(); ++i) parts[i].part = static_cast<i64>(i);
  return parts;
}

// The part of the input that a job reads, in the form that the plugin gets.
class ReaderWanted {
 public:
  explicit ReaderWanted(const PluginInput &input) : fields_(input.width(), 1) {
    const Collection::Rows &rows = input.rows();
    const bool chooses = !rows.are_objects && !rows.wanted.empty();
    if (chooses) std::ranges::copy(rows.wanted, fields_.begin());
    for (const Collection::Numbers &numbers : rows.left_out) {
      if (!is_number(input.type_of(numbers.column))) continue;
      left_out_.push_back({numbers.column, numbers.least, numbers.most});
    }
  }
  mrc_wanted all() const {
    return {sizeof(mrc_wanted),
            fields_.data(),
            {left_out_.data(), left_out_.size(), sizeof(mrc_range)}};
  }

 private:
  std::vector<unsigned char> fields_;
  std::vector<mrc_range> left_out_;
};

// Returns a value as text. A missing one has no data(). Valid until `buffer` changes.
Bytes text_of_word(uint64_t word, mrc_type type, std::string *buffer) {
  static const TimeContext utc{.zone = *find_zone("UTC")};
  if (type == MRC_TEXT) {
    const mrc_text text = mrc_word_text(word);
    return {text.data, text.size};
  }
  const auto integer = static_cast<i64>(word);
  const double real = mrc_word_real(word);
  if (type == MRC_REAL ? std::isnan(real) : integer == MRC_NO_INTEGER) return {};
  buffer->clear();
  if (type == MRC_TIME) append_time(integer, utc, buffer);
  if (type == MRC_REAL) fmt::format_to(std::back_inserter(*buffer), "{}", real);
  if (type == MRC_INTEGER) fmt::format_to(std::back_inserter(*buffer), "{}", integer);
  return *buffer;
}

// The rows of a split.
class PluginRowStream : public RowStream {
 public:
  PluginRowStream(const PluginInput &input, const mrc_split &split)
      : RowStream(RowWriter(input.columns(), input.rows())),
        input_(input),
        split_(split),
        words_(MRC_BATCH * input.width()) {}
  ~PluginRowStream() override {
    const mrc_reader &reader = input_.reader();
    if (!is_begun_ || reader.end == nullptr) return;
    (void)input_.call("end", [&] { reader.end(input_.self(), cursor_); });
  }
  Status begin() {
    Status status = input_.call(
        "begin", [&] { return input_.reader().begin(input_.self(), &split_, &all_, &cursor_); });
    is_begun_ = status.is_ok();
    return status;
  }

 private:
  Result<bool> add_rows(RowWriter *to) override {
    i64 rows = 0;
    Status status = input_.call(
        "read", [&] { return input_.reader().read(input_.self(), cursor_, words_.data(), &rows); });
    if (rows < 0 || rows > MRC_BATCH) {
      return input_.fault("read",
                          fmt::format("gave {} rows; a batch has up to {}", rows, MRC_BATCH));
    }
    write(rows, to);
    return status.is_ok() ? Result<bool>(rows > 0) : status;
  }

  void write(i64 rows, RowWriter *to) {
    const PluginPlace place = input_.place("read");
    const PluginCall call(place);  // its texts may be no memory
    for (i64 row = 0; row < rows; ++row) {
      const uint64_t *const words = &words_[static_cast<size_t>(row) * input_.width()];
      for (const size_t column : to->columns()) {
        const mrc_type type = input_.type_of(column);
        to->add(column, text_of_word(words[column], type, &buffer_), is_number(type));
      }
      to->end_row();
    }
  }

  const PluginInput &input_;
  const mrc_split &split_;
  const ReaderWanted wanted_{input_};
  const mrc_wanted all_ = wanted_.all();
  bool is_begun_ = false;
  void *cursor_ = nullptr;
  std::vector<uint64_t> words_;
  std::string buffer_;
};

Result<std::unique_ptr<Stream>> PluginInput::open(const Source &source) {
  auto stream = std::make_unique<PluginRowStream>(*this, splits_[static_cast<size_t>(source.part)]);
  if (Status status = stream->begin(); !status.is_ok()) return status;
  return std::unique_ptr<Stream>(std::move(stream));
}

// Returns where the name of the plugin ends in NAME:TEXT; npos: it has none.
size_t end_of_plugin(const std::string &name) {
  constexpr std::string_view kFile = ".so:";
  const size_t file = name.find(kFile);
  if (file != name.npos && name.find('/') < file) return file + kFile.size() - 1;
  const size_t colon = name.find(':');
  const bool is_name =
      colon != name.npos && fault_of_name(name.substr(0, colon).c_str()) == nullptr;
  return is_name ? colon : name.npos;
}

}  // namespace

Result<std::shared_ptr<Collection>> open_plugin_input(const std::string &name) {
  const size_t end = end_of_plugin(name);
  if (end == name.npos) return std::shared_ptr<Collection>();
  const Result<PluginPath> path = plugin_path({});
  if (!path.is_ok()) return path.status();
  const Result<std::string> file = find_plugin(name.substr(0, end), *path);
  if (!file.is_ok()) return file.status().within(name);
  if (file->empty()) return std::shared_ptr<Collection>();
  // Verbs that read inputs have no option to load unsafe plugins.
  if (Status safe = check_safety(*file, geteuid()); !safe.is_ok()) return safe.within(name);
  Result<std::shared_ptr<const Plugin>> plugin = load_plugin(*file);
  if (!plugin.is_ok()) return plugin.status().within(name);
  if ((*plugin)->reader() == nullptr) {
    return Status::error(
        fmt::format("{}: there is no such file, and plugin {} has no reader", name, *file));
  }
  return open_plugin_input(**plugin, name, name.substr(end + 1));
}

Result<std::shared_ptr<Collection>> open_plugin_input(const Plugin &plugin, const std::string &name,
                                                      const std::string &text) {
  auto input = std::make_shared<PluginInput>(plugin, name);
  Status status = input->open(text);
  return status.is_ok() ? Result<std::shared_ptr<Collection>>(std::move(input)) : status;
}

}  // namespace mrc
