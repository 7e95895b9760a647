// input: reads bytes from files, at any offset, and from streams, as they arrive.
#pragma once

#include "base/int.h"
#include "base/pages.h"
#include "base/status.h"
#include "input/inner/codec.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mrc {

// Bytes for the standard input of a command. Thread safe.
class Feed {
 public:
  virtual ~Feed() = default;

  // The bytes of one command, in order. One thread.
  class Reader {
   public:
    virtual ~Reader() = default;
    // Returns the next bytes, which are valid until the next call; none at the end.
    virtual Result<Bytes> next() = 0;
    // Names the last bytes for messages: "FILE, bytes 0 to 4095".
    virtual std::string place() const = 0;
    // The command needs no more bytes: next() waits for none if no other command does. Any thread.
    virtual void give_up() {}
  };
  // The reader must not outlive the feed.
  virtual std::unique_ptr<Reader> open() = 0;
  // True if the command has to read all of its bytes, because no other command gets them.
  virtual bool wants_all() const = 0;
  // Says how a command could do without the rest, for the message that it has not read all.
  virtual std::string remedy() const { return ""; }
  // Returns the failure of the first command of the feed that failed. A script that fails in one
  // process mostly fails in all, and then its user is told once. Any thread.
  Status first_of(Status failure) {
    std::lock_guard lock(mutex_);
    if (first_failure_.is_ok()) first_failure_ = std::move(failure);
    return first_failure_;
  }

 private:
  std::mutex mutex_;
  Status first_failure_ = Status::ok();
};

// A command that combines the lines of other commands, each by itself, before they are read.
struct Combiner {
  std::string command;  // a script of sh(1), which reads lines sorted by key, and prints fewer
  char terminator = '\n';
  i64 most_bytes = i64{16} << 20;  // memory of the lines that it gets at a time
  // Counts of all lines that it has read and printed.
  std::atomic<i64> lines_in{0}, bytes_in{0}, lines_out{0}, bytes_out{0};
};

class Collection;
class Stream;
struct PackedBlocks;

// The kind of bytes of an input. In binary records, a byte order mark of UTF-16 or UTF-32 is data.
enum class Content { text, binary };
// `record_bytes`: the size of all records; 0: records have ends.
inline Content content_of(i64 record_bytes) {
  return record_bytes > 0 ? Content::binary : Content::text;
}

// One input as the user named it.
struct Source {
  std::string path;  // "-" is standard input
  // If set, the input is a part of this, such as a member of an archive, and `path` only names it.
  std::shared_ptr<Collection> collection = {};
  i64 part = -1;          // number of the part; -1: all parts
  std::string file = {};  // a part that is a range of this file, from `origin` on; empty: it is not
  i64 origin = 0;
  i64 lane = -1;  // streams of the same lane are read one after the other; -1: it has no such lane
  // If not empty, the input is the output of this command (child_program.h), and `path` only names
  // it.
  std::string command = {};
  // If set, the command reads these bytes, and not the input of this name.
  std::shared_ptr<Feed> feed = {};
  double feed_seconds = 0;  // the command may neither read nor print for so long; 0: no limit
  std::shared_ptr<Combiner> combiner = {};  // combines the output of the command; null: none does
  i64 argument = 0;                         // index among the named inputs, omitted ones included
  // Read once, front to back: pipes, terminals, fifos, devices, /proc, outputs of commands, and
  // compressed files. Offsets count decompressed bytes.
  bool stream = false;
  i64 begin = 0;  // first byte to read (standard input may be read in part)
  i64 end = 0;    // size when examined; later bytes are not read
  // An earlier run has read the input up to here, after a whole record; in streams, too. 0:
  // nothing.
  i64 known = 0;
  bool is_known = false;  // an earlier run has read all of it: it is not opened, and may be gone
  void pass_over() {
    is_known = true;
    stream = false;
    begin = end = known = 0;
    parts.clear();
  }
  // Restricts a file to these parts, in order. Each begins and ends between records, and is a tile.
  // Empty: all fresh bytes are read.
  struct Part {
    i64 begin = 0, end = 0;
    bool operator==(const Part &) const = default;
  };
  std::vector<Part> parts = {};
  // Offset of the first byte that no earlier run has read.
  i64 fresh() const { return begin > known ? begin : known; }
  // Bytes appended later are read, too; a followed stream is read as it arrives among other inputs.
  bool followed = false;
  int fd = -1;  // an open file, whose name may have changed; -1: opened by its name
  // Identity of a file; inode 0: whichever file has the name when it is opened.
  u64 device = 0, inode = 0;
  // Compression of a file; that of other streams is detected when they are read.
  Codec codec = Codec::none;
  i64 packed_bytes = 0;  // compressed bytes to read
  i64 window_bytes = 0;  // memory for its decompressor's window
  // If set, the file is compressed and read at any offset of its text (packed_blocks.h). Then it is
  // no stream, and has no codec.
  std::shared_ptr<const PackedBlocks> blocks = {};
  const BinaryFormat *binary = nullptr;  // format of an uncompressed file; null: it may be text
  Content content = Content::text;

  // Independent streams may be read in any order and several at a time; pipes may wait for each
  // other.
  bool is_independent() const {
    return codec != Codec::none || !command.empty() || (collection != nullptr && lane < 0);
  }

  // Name for messages.
  std::string name() const { return path == "-" ? "standard input" : path.empty() ? "\"\"" : path; }
};

// Returns the compression of a source that begins with these bytes.
Codec codec_of(const Source &source, Bytes first);

// Examines `path`, and the first bytes of a file. Opens nothing else (opening a fifo would block).
// Directories and missing files are errors.
Result<Source> examine(const std::string &path, Content content = Content::text);
// Makes a source that is read by a command, with the name in place of each {}, or at the end. Opens
// and runs nothing. Standard input is examined as above, and so is every input if the command is
// empty.
Result<Source> examine(const std::string &path, const std::string &command,
                       Content content = Content::text);
// Fails if no name can be substituted in it. The error completes "OPTION: ".
Status check_input_command(const std::string &command);

// True if it is a regular file that can be opened again by its name.
bool is_named_file(const Source &source);

class ChildProgram;
class FedCommand;
class PackedCursor;

// An open Source. Threads may call read_at() concurrently, but not read().
class InputFile {
 public:
  // Starts the source's command, if it has one. Closing the file ends the command if it still runs.
  static Result<InputFile> open(const Source &source);
  InputFile();
  ~InputFile();
  InputFile(InputFile &&other) noexcept;
  InputFile &operator=(InputFile &&other) noexcept;

  // Fills `to` from `offset` on; reads less than `size` only at the end of the file.
  Result<i64> read_at(i64 offset, char *to, i64 size) const;
  // Reads available bytes, up to `size`; returns 0 at the end of the stream, or an error if a
  // command has failed. Must not be called again after the end or an error.
  Result<i64> read(char *to, i64 size) const;
  // The caller reads nothing for a while: a command that reads a feed is not late meanwhile.
  void hold(bool is_held) const;
  int fd() const { return fd_; }
  const std::string &name() const { return name_; }

 private:
  Status start(const std::string &command, const std::string &input);
  Status start_fed(const Source &source);
  Result<i64> end_of_command() const;

  int fd_ = -1;
  i64 origin_ = 0;
  std::string name_;
  std::unique_ptr<Stream> stream_;  // null: bytes come from the file
  std::string command_;
  std::unique_ptr<ChildProgram> program_;  // null: no command
  std::unique_ptr<FedCommand> fed_;        // null: no command that reads a feed
  std::unique_ptr<PackedCursor> packed_;   // null: the file is not read by blocks
};

enum class IoMode { read, mmap };

// A contiguous view that slides over one file. Used by one worker.
class Window {
 public:
  virtual ~Window() = default;

  // Returns bytes [begin, end) of the file, fewer only at the end of the file; kPadding bytes past
  // them are readable. Valid until the next call. Moving forward is cheap.
  virtual Result<Bytes> view(i64 begin, i64 end) = 0;

  // Fails if bytes of a view were lost while it was used (a mapped file was truncated). Call after
  // using the bytes.
  virtual Status verify() const = 0;

  // Number of bytes to ask for at a time.
  virtual i64 stride() const = 0;
};

// The worker owns `buffer` and reuses it from file to file; `source` and `file` must outlive the
// window.
std::unique_ptr<Window> open_window(IoMode mode, const Source &source, const InputFile &file,
                                    Pages *buffer);

// Returns the NUMA node of the page at each offset of a file, as the kernel numbers nodes; -1 if
// the page is not in memory or the kernel does not tell. Does not wait for the disk. Costs some 3
// us per offset.
std::vector<i64> page_nodes(const Source &source, const std::vector<i64> &offsets);

}  // namespace mrc
