#include "input/folders.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace mrc {
namespace {

// The bytes that Hive escapes.
bool is_escaped(char c) {
  const auto byte = static_cast<u8>(c);
  return byte < 0x20 || byte == 0x7F || Bytes("\"#%'*/:=?\\{[]^").find(c) != Bytes::npos;
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string unescaped(Bytes text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                            hex_digit(text[i + 2]) >= 0;
    out.push_back(has_digits
                      ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]))
                      : text[i]);
    if (has_digits) i += 2;
  }
  return out;
}

bool is_hidden(const std::string &name) { return name.starts_with('.') || name.starts_with('_'); }

}  // namespace

void append_escaped(Bytes text, std::string *out) {
  for (size_t i = 0; i < text.size();) {
    const auto size = static_cast<size_t>(decode_utf8(&text[i], text.data() + text.size()).size);
    if (size == 0 || is_escaped(text[i])) {
      fmt::format_to(std::back_inserter(*out), "%{:02X}", static_cast<u8>(text[i]));
      ++i;
      continue;
    }
    out->append(text.substr(i, size));
    i += size;
  }
}

std::string too_long_in(Bytes path) {
  while (!path.empty()) {
    const Bytes folder = path.substr(0, path.find('/'));
    if (folder.size() > kLongestName) return std::string(folder);
    path.remove_prefix(std::min(folder.size() + 1, path.size()));
  }
  return {};
}

void append_folder(Bytes name, Bytes value, std::string *out) {
  append_escaped(name, out);
  out->push_back('=');
  if (value.empty()) {
    out->append(kNoValueFolder);
  } else if (value == kNoValueFolder) {  // the text, which is no missing value
    out->append("%5F").append(value.substr(1));
  } else {
    append_escaped(value, out);
  }
}

std::optional<FolderField> folder_field(Bytes folder) {
  const size_t sign = folder.find('=');
  if (sign == Bytes::npos || sign == 0 || sign + 1 == folder.size()) return std::nullopt;
  FolderField field{unescaped(folder.substr(0, sign)), std::nullopt};
  const Bytes value = folder.substr(sign + 1);
  if (value != kNoValueFolder) field.value = unescaped(value);
  return field;
}

std::vector<FolderField> folder_fields(Bytes path) {
  std::vector<FolderField> fields;
  for (size_t slash = path.find('/'); slash != Bytes::npos; slash = path.find('/')) {
    std::optional<FolderField> field = folder_field(path.substr(0, slash));
    path.remove_prefix(slash + 1);
    if (!field) continue;
    std::erase_if(fields, [&](const FolderField &each) { return each.name == field->name; });
    fields.push_back(std::move(*field));
  }
  return fields;
}

bool has_field_folders(const std::string &directory) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!is_hidden(name) && folder_field(name) && at->is_directory(error)) return true;
  }
  return false;
}

Result<std::vector<std::string>> files_below(const std::string &directory) {
  std::vector<std::string> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator at(directory, error), end;
  for (; !error && at != end; at.increment(error)) {
    if (is_hidden(at->path().filename().string())) {
      at.disable_recursion_pending();
    } else if (!at->is_directory(error)) {
      files.push_back(at->path().string());
    }
  }
  if (error) return Status::from_errno(directory, error.value());
  std::ranges::sort(files);
  return files;
}

}  // namespace mrc
