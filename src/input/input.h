// input: bytes enter the program, from files at any offset, from streams as they come.
#pragma once

#include "base/int.h"
#include "base/pages.h"
#include "base/status.h"
#include "input/binary_format.h"
#include "input/codec.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// One input as the user named it.
struct Source {
  std::string path;  // "-" is standard input
  // Not empty: the input is what this command prints (input_command.h), and `path` only names it.
  std::string command = {};
  i64 argument = 0;  // its number among the inputs that were named, those left out included
  // Read once, front to back: pipes, terminals, fifos, devices, /proc, outputs of commands, and
  // what is compressed. Offsets are those of the decompressed bytes.
  bool stream = false;
  i64 begin = 0;  // first byte to read (standard input may be part read)
  i64 end = 0;    // size when examined; what is appended later is not read
  // What an earlier run has read ends here, after a whole record; in a stream, too. 0: nothing.
  i64 known = 0;
  bool is_known = false;  // nothing of it is read any more: it is not opened, and may be gone
  void pass_over() {
    is_known = true;
    stream = false;
    begin = end = known = 0;
    parts.clear();
  }
  // Of a file: only these parts are read, which begin and end where records do; each is a tile. In
  // order. Empty: all that is fresh is read.
  struct Part {
    i64 begin = 0, end = 0;
    bool operator==(const Part &) const = default;
  };
  std::vector<Part> parts = {};
  // Where new bytes begin.
  i64 fresh() const { return begin > known ? begin : known; }
  // What is appended to it later is read, too; of a stream, what arrives among other inputs.
  bool followed = false;
  int fd = -1;  // a file that is open, whatever has its name by now; -1: it is opened by its name
  // Of a file; inode 0: whichever file has the name when it is opened is the one.
  u64 device = 0, inode = 0;
  // Of a file that is compressed; other streams are looked at when they are read.
  Codec codec = Codec::none;
  i64 packed_bytes = 0;                  // what is to be read of it
  i64 window_bytes = 0;                  // what its decompressor keeps in memory
  const BinaryFormat *binary = nullptr;  // of a file that is not compressed; null: it may be text

  // Pipes may wait for each other; these may be read in any order, and several at a time.
  bool is_independent() const { return codec != Codec::none || !command.empty(); }

  // For messages.
  std::string name() const { return path == "-" ? "standard input" : path.empty() ? "\"\"" : path; }
};

// Looks at `path`, and at the first bytes of a file; nothing else is opened (a fifo
// would block). Directories and what does not exist are errors.
Result<Source> examine(const std::string &path);
// Reads inputs by a command, with the name in place of each {}, or at the end. Nothing is looked
// at, and nothing is run. Standard input stays what it is, and so does every input if the command
// is empty.
Result<Source> examine(const std::string &path, const std::string &command);
// Error: names cannot be put into it. It completes "OPTION: ".
Status check_input_command(const std::string &command);

// Whether it is a regular file, and can be opened again by its name.
bool is_named_file(const Source &source);

class ChildProgram;

// An open Source. Threads may call read_at at the same time, read not.
class InputFile {
 public:
  // Starts the command of a source that has one, and ends it, if it still runs, when it is closed.
  static Result<InputFile> open(const Source &source);
  InputFile();
  ~InputFile();
  InputFile(InputFile &&other) noexcept;
  InputFile &operator=(InputFile &&other) noexcept;

  // Fills `to` from `offset` on; less than `size` only where the file ends.
  Result<i64> read_at(i64 offset, char *to, i64 size) const;
  // What has arrived, up to `size` bytes; 0 at the end of the stream. If a command has failed,
  // that is an error in place of the end. Not to be called again after either.
  Result<i64> read(char *to, i64 size) const;
  int fd() const { return fd_; }
  const std::string &name() const { return name_; }

 private:
  Status start(const std::string &command, const std::string &input);
  Result<i64> end_of_command() const;

  int fd_ = -1;
  std::string name_;
  std::string command_;
  std::unique_ptr<ChildProgram> program_;  // null: no command
};

enum class IoMode { read, mmap };

// A contiguous view that slides over one file. One worker uses it.
class Window {
 public:
  virtual ~Window() = default;

  // Bytes [begin, end) of the file, shorter only where the file ends; kPadding
  // bytes past them are readable. Valid until the next call. Cheap when it
  // moves forward.
  virtual Result<Bytes> view(i64 begin, i64 end) = 0;

  // To be called when the bytes of a view were used: an error if they were torn
  // away meanwhile (a mapped file that was truncated).
  virtual Status verify() const = 0;

  // How many bytes to ask for at a time.
  virtual i64 stride() const = 0;
};

// `buffer` is the worker's, reused from file to file; `source` and `file` must
// outlive the window.
std::unique_ptr<Window> open_window(IoMode mode, const Source &source, const InputFile &file,
                                    Pages *buffer);

// The NUMA nodes that the pages at these offsets of a file lie on, as the kernel numbers them; -1
// for a page that is not in memory, and for all if the kernel does not tell. Waits
// for no disk. Costs some 3 us for each offset.
std::vector<i64> page_nodes(const Source &source, const std::vector<i64> &offsets);

}  // namespace mrc
