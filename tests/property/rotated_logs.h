// Logs as a server writes them and as logrotate, people and their scripts treat them, with a model
// of what is in each file.
//
// The model keeps away from the limits of kept state: a log of less than 4 KiB is not copied while
// it stays, no file goes on that holds only the beginning of a log, and a log that ends in half a
// line is not there both compressed and as it was.
#pragma once

#include "support/compress.h"
#include "support/random.h"
#include "support/temporary_folder.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace mrc {

// What was written between two truncations, whatever its files are called.
struct LogText {
  std::string bytes;
  std::string rest;  // of a line of which only a part is written
};

// A file, by one name or several. It holds the beginning of a log, or all of it.
struct LogFile {
  std::shared_ptr<LogText> log = std::make_shared<LogText>();
  size_t size = 0;  // of what it holds, decompressed
  bool packed = false;
  bool is_under_way = false;  // it is being written, and its original is still there

  Bytes text() const { return Bytes(log->bytes).substr(0, size); }
  size_t whole_lines() const { return text().rfind('\n') + 1; }
  // How much of it a run covers: a compressed log will not go on.
  size_t mark() const { return packed ? is_under_way ? 0 : size : whole_lines(); }
  bool may_be_copied() const { return whole_lines() >= 4096; }
};

class RotatedLogs {
 public:
  using Files = std::map<std::string, std::shared_ptr<LogFile>>;  // by name

  explicit RotatedLogs(const TemporaryFolder &folder) : folder_(folder) {
    std::filesystem::create_directory(folder.path("logs"));
    std::filesystem::create_directory(folder.path("attic"));
  }

  const Files &files() const { return files_; }

  // `is_settled`: all states have seen the files as they are. Returns what was done.
  std::string step(Random &random, bool is_settled) {
    if (then_) return std::exchange(then_, nullptr)(), "finished";
    const std::string &log = one_of<std::string>(random, {"a.log", "b.log", "c.log", "large.log"});
    if (!files_.contains(log)) return append(random, log), "created " + log;
    switch (pick(random, 0, 17)) {
      case 0:
      case 1: return rotate(random, log);
      case 2:
      case 3: return compress(random, log);
      case 4: return copy_and_truncate(random, log);
      case 5: return truncate(random, log);
      case 6: return replace(random, log);
      case 7: return recreate(random, log);
      case 8: return edit(random, log);
      case 9: return back_up(random, log);
      case 10: return remove_one(random);
      case 11: return add_name(log);
      case 12: return is_settled ? move_away(random) : "nothing";
      case 13: return move_back();
      default: return append(random, log), "appended to " + log;
    }
  }

 private:
  std::string path(const std::string &name) const { return folder_.path("logs/" + name); }
  LogFile &file(const std::string &name) { return *files_.at(name); }
  void put(const std::string &name, const std::string &bytes) const {
    folder_.write("logs/" + name, bytes);
  }

  // A log begins with records, by which its format is detected.
  std::string line(Random &random, bool is_among_first = true) {
    const i64 n = ++lines_;
    if (!is_among_first && one_in(random, 12)) return "not a record " + std::to_string(n) + "\n";
    const std::string bytes = one_in(random, 9) ? "-" : std::to_string(pick(random, 0, 99999));
    return "192.0.2." + std::to_string(pick(random, 1, 30)) +
           " - - [13/Sep/2015:06:" + std::to_string(10 + n % 50) + ":10 +0000] \"" +
           one_of<std::string>(random, {"GET", "POST", "HEAD"}) + " /page/" + std::to_string(n) +
           " HTTP/1.1\" " + one_of<std::string>(random, {"200", "304", "404", "500"}) + " " +
           bytes + " \"-\" \"agent " + std::to_string(pick(random, 1, 9)) + "\"\n";
  }

  // Every third time the last line is not complete; the next time it is.
  std::string next_text(Random &random, const std::string &name, LogText *log) {
    const i64 most = name == "large.log" ? 150000 : one_in(random, 3) ? 9000 : 900;
    std::string text = std::exchange(log->rest, "");
    for (const i64 bytes = pick(random, 0, most); std::ssize(text) <= bytes;) {
      text += line(random, log->bytes.size() + text.size() < 300);
    }
    const auto cut = one_in(random, 3) ? static_cast<size_t>(pick(random, 1, 15)) % text.size() : 0;
    log->rest = text.substr(text.size() - cut);
    text.resize(text.size() - cut);
    return text;
  }
  void write_on(const std::string &name, const std::string &text) {
    std::ofstream(path(name), std::ios::app | std::ios::binary) << text;
    file(name).log->bytes += text;
    file(name).size = file(name).log->bytes.size();
  }
  void append(Random &random, const std::string &name) {
    std::shared_ptr<LogFile> &file = files_[name];
    if (file == nullptr) file = std::make_shared<LogFile>();
    write_on(name, next_text(random, name, file->log.get()));
  }

  // NAME, NAME.1, NAME.2, of which some are compressed, and at most four.
  std::string rotated(const std::string &name, int i) const {
    for (const char *ending : {"", ".gz", ".zst"}) {
      const std::string found = name + "." + std::to_string(i) + ending;
      if (files_.contains(found)) return found;
    }
    return "";
  }
  void rename(const std::string &from, const std::string &to) {
    std::filesystem::rename(path(from), path(to));
    files_[to] = files_.extract(from).mapped();
  }
  void remove(const std::string &name) {
    std::filesystem::remove(path(name));
    files_.erase(name);
  }
  void make_room(const std::string &name) {
    if (const std::string oldest = rotated(name, 4); !oldest.empty()) remove(oldest);
    for (int i = 3; i > 0; --i) {
      const std::string from = rotated(name, i);
      if (from.empty()) continue;
      std::string to = from;
      to[name.size() + 1] = static_cast<char>('1' + i);
      rename(from, to);
    }
  }
  std::string rotate(Random &random, const std::string &name) {
    if (!one_in(random, 4)) write_on(name, std::exchange(file(name).log->rest, ""));
    make_room(name);
    rename(name, name + ".1");
    return "rotated " + name;
  }

  // What takes more than a moment is done in two steps. Then the first leaves less than all.
  void begin(Random &random, const std::string &name, const std::string &bytes, size_t least,
             std::function<void()> then) {
    const std::shared_ptr<LogFile> file = files_[name];
    file->is_under_way = true;
    then_ = [=, this] {
      put(name, bytes);
      file->is_under_way = false;
      then();
    };
    if (one_in(random, 2) || least >= bytes.size()) return std::exchange(then_, nullptr)();
    const auto size =
        static_cast<size_t>(pick(random, static_cast<i64>(least), std::ssize(bytes) - 1));
    put(name, bytes.substr(0, size));
    if (file->packed) return;
    const size_t all = std::exchange(file->size, size);
    then_ = [=, this, finish = std::move(then_)] {
      file->size = all;
      finish();
    };
  }
  // Half a line counts if it is compressed, and not if it is not: then there is no other copy.
  bool may_be_compressed(const std::string &name) const {
    const std::shared_ptr<LogFile> &file = files_.at(name);
    const bool is_whole = file->whole_lines() == file->size;
    if (file.use_count() > 1 && !file->may_be_copied()) return false;
    return is_whole || (file.use_count() == 1 && file->log.use_count() == 1);
  }
  std::string compress(Random &random, const std::string &name) {
    const std::string from = rotated(name, static_cast<int>(pick(random, 1, 3)));
    if (from.empty() || file(from).packed) return "nothing";
    if (!may_be_compressed(from)) return "nothing";
    const bool is_gzip = one_in(random, 2);
    const std::string to = from + (is_gzip ? ".gz" : ".zst"), text(file(from).text());
    files_[to] = std::make_shared<LogFile>(LogFile{file(from).log, text.size(), true});
    begin(random, to, is_gzip ? gzipped(text) : zstandard(text), 0, [=, this] { remove(from); });
    return "compressed " + from;
  }

  void empty(const std::string &name) {
    std::filesystem::resize_file(path(name), 0);
    file(name).log = std::make_shared<LogText>();
    file(name).size = 0;
  }
  std::string copy_and_truncate(Random &random, const std::string &name) {
    make_room(name);
    copy(random, name, name + ".1", [=, this] { empty(name); });
    return "copied and truncated " + name;
  }
  void copy(Random &random, const std::string &from, const std::string &to,
            std::function<void()> then) {
    const std::string text(file(from).text());
    const size_t least = file(from).may_be_copied() ? text.find('\n', 4095) + 1 : text.size();
    files_[to] = std::make_shared<LogFile>(LogFile{file(from).log, text.size()});
    begin(random, to, text, least, std::move(then));
  }
  std::string back_up(Random &random, const std::string &name) {
    if (!file(name).may_be_copied() || files_.contains(name + ".backup")) return "nothing";
    copy(random, name, name + ".backup", [] {});
    return "copied " + name;
  }

  // Another log, longer than this one, in the same file.
  std::string truncate(Random &random, const std::string &name) {
    const size_t before = file(name).size;
    empty(name);
    if (one_in(random, 3)) return "truncated " + name;
    do append(random, name);
    while (file(name).size <= before);
    return "truncated " + name + ", and let it grow beyond";
  }
  std::string replace(Random &random, const std::string &name) {
    folder_.write("new", "");
    std::filesystem::rename(folder_.path("new"), path(name));
    files_[name] = std::make_shared<LogFile>();
    append(random, name);
    return "replaced " + name;
  }
  // On many file systems it has the inode that was just freed.
  std::string recreate(Random &random, const std::string &name) {
    remove(name);
    append(random, name);
    return "deleted and created " + name;
  }
  // Another first line, and the rest as it was.
  std::string edit(Random &random, const std::string &name) {
    if (file(name).whole_lines() == 0) return "nothing";
    const auto edited = std::make_shared<LogText>(*file(name).log);
    edited->bytes.replace(0, edited->bytes.find('\n') + 1, line(random));
    if (one_in(random, 2)) {
      remove(name);
      files_[name] = std::make_shared<LogFile>();
    }
    put(name, edited->bytes);
    file(name).log = edited;
    file(name).size = edited->bytes.size();
    return "edited " + name;
  }

  std::string any(Random &random) const {
    return std::next(files_.begin(), pick(random, 0, std::ssize(files_) - 1))->first;
  }
  std::string remove_one(Random &random) {
    const std::string name = any(random);
    remove(name);
    return "removed " + name;
  }
  std::string add_name(const std::string &name) {
    const std::string other = name + ".link";
    if (files_.contains(other)) return remove(other), "removed " + other;
    std::filesystem::create_hard_link(path(name), path(other));
    files_[other] = files_[name];
    return "linked " + name;
  }
  // Where no run sees it.
  std::string move_away(Random &random) {
    const std::string name = any(random);
    if (away_.second != nullptr || !file(name).may_be_copied()) return "nothing";
    std::filesystem::rename(path(name), folder_.path("attic/log"));
    away_ = {name, files_.extract(name).mapped()};
    return "moved " + name + " away";
  }
  std::string move_back() {
    if (away_.second == nullptr) return "nothing";
    const std::string name = away_.first + ".back";
    std::filesystem::rename(folder_.path("attic/log"), path(name));
    files_[name] = std::exchange(away_.second, nullptr);
    return "moved " + name;
  }

  const TemporaryFolder &folder_;
  Files files_;
  std::pair<std::string, std::shared_ptr<LogFile>> away_;
  std::function<void()> then_;  // what is under way
  i64 lines_ = 0;
};

}  // namespace mrc
