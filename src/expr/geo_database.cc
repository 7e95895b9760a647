#include "expr/inner/geo_database.h"

#include "base/hash.h"
#include "base/make_error.h"
#include "record.h"

#include <netinet/in.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unordered_set>

namespace mrc {
namespace {

constexpr u16 kVersion = 2;          // of the format
constexpr u64 kBytesAfterTree = 16;  // zeros

Status no_database(const std::string &path) {
  return Status::error(path +
                       ": it is no MaxMind DB file (.mmdb) of networks, or it is cut short or "
                       "compressed");
}

// Opening a pipe would wait, and a directory cannot be mapped.
Status check_file(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return Status::from_errno(path, errno);
  if (S_ISDIR(info.st_mode)) return Status::from_errno(path, EISDIR);
  if (!S_ISREG(info.st_mode)) {
    return Status::error(path + ": it is no regular file; a database is read at any offset");
  }
  if (access(path.c_str(), R_OK) != 0) return Status::from_errno(path, errno);
  return info.st_size == 0 ? no_database(path) : Status::ok();
}

}  // namespace

GeoDatabase::~GeoDatabase() {
  if (is_open_) MMDB_close(&mmdb_);
}

Result<std::unique_ptr<const GeoDatabase>> GeoDatabase::open(const std::string &path) {
  std::unique_ptr<GeoDatabase> database(new GeoDatabase(path));
  Status status = check_file(path);
  if (status.is_ok()) status = database->open();
  if (!status.is_ok()) return status;
  return std::unique_ptr<const GeoDatabase>(std::move(database));
}

Status GeoDatabase::open() {
  const int result = MMDB_open(path_.c_str(), MMDB_MODE_MMAP, &mmdb_);
  is_open_ = result == MMDB_SUCCESS;
  switch (result) {
    case MMDB_SUCCESS: return check();
    case MMDB_OUT_OF_MEMORY_ERROR: return Status::out_of_memory();
    case MMDB_FILE_OPEN_ERROR:
    case MMDB_IO_ERROR: return Status::from_errno(path_, errno);
    case MMDB_UNKNOWN_DATABASE_FORMAT_ERROR:
      return make_error("{}: it is of another version of the MaxMind DB format than {}", path_,
                        kVersion);
    default: return no_database(path_);
  }
}

// The library computes the size of the tree in 32 bits.
Status GeoDatabase::check() const {
  const MMDB_metadata_s &metadata = mmdb_.metadata;
  const bool has_size =
      metadata.record_size == 24 || metadata.record_size == 28 || metadata.record_size == 32;
  const bool has_version = metadata.ip_version == 4 || metadata.ip_version == 6;
  const u64 tree = u64{metadata.node_count} * metadata.record_size * 2 / 8;
  const bool fits = tree + kBytesAfterTree <= static_cast<u64>(mmdb_.file_size);
  const bool is_whole = has_size && has_version && fits && metadata.node_count > 0;
  return is_whole && metadata.database_type != nullptr ? Status::ok() : damaged();
}

GeoDatabase::Found GeoDatabase::find(const AddressKey &address, u32 *record) const {
  sockaddr_in ipv4 = {};
  sockaddr_in6 ipv6 = {};
  const bool is_ipv4 = address[0] == 4;
  if (!is_ipv4 && mmdb_.metadata.ip_version == 4) return Found::nothing;
  ipv4.sin_family = AF_INET;
  ipv6.sin6_family = AF_INET6;
  std::memcpy(&ipv4.sin_addr, address.data() + 1, sizeof ipv4.sin_addr);
  std::memcpy(&ipv6.sin6_addr, address.data() + 1, sizeof ipv6.sin6_addr);
  const auto *socket = is_ipv4 ? reinterpret_cast<const sockaddr *>(&ipv4)
                               : reinterpret_cast<const sockaddr *>(&ipv6);
  int error = MMDB_SUCCESS;
  const MMDB_lookup_result_s result = MMDB_lookup_sockaddr(&mmdb_, socket, &error);
  if (error != MMDB_SUCCESS) return Found::damage;
  *record = result.entry.offset;
  return result.found_entry ? Found::value : Found::nothing;
}

GeoDatabase::Found GeoDatabase::read(u32 record, const Path &path, MMDB_entry_data_s *value) const {
  MMDB_entry_s entry = {&mmdb_, record};
  const int error = MMDB_aget_value(&entry, value, path.data());
  if (error == MMDB_LOOKUP_PATH_DOES_NOT_MATCH_DATA_ERROR ||
      error == MMDB_INVALID_LOOKUP_PATH_ERROR) {
    return Found::nothing;
  }
  if (error != MMDB_SUCCESS) return Found::damage;
  if (!value->has_data) return Found::nothing;
  if (value->type != MMDB_DATA_TYPE_UTF8_STRING) return Found::value;
  // Metadata of more than kPadding bytes follow the last string of a whole database.
  const auto *text = reinterpret_cast<const u8 *>(value->utf8_string);
  const auto after = mmdb_.file_size - (text - mmdb_.file_content);
  return static_cast<i64>(value->data_size) + kPadding <= after ? Found::value : Found::damage;
}

Result<bool> GeoDatabase::any_record(const std::function<Result<bool>(u32)> &holds) const {
  std::unordered_set<u32> asked;
  for (u32 number = 0; number < mmdb_.metadata.node_count; ++number) {
    MMDB_search_node_s node;
    if (MMDB_read_node(&mmdb_, number, &node) != MMDB_SUCCESS) return damaged();
    const auto ask = [&](u8 type, const MMDB_entry_s &entry) -> Result<bool> {
      const bool is_new = type == MMDB_RECORD_TYPE_DATA && asked.insert(entry.offset).second;
      return is_new ? holds(entry.offset) : Result<bool>(false);
    };
    const Result<bool> left = ask(node.left_record_type, node.left_record_entry);
    if (!left.is_ok() || *left) return left;
    const Result<bool> right = ask(node.right_record_type, node.right_record_entry);
    if (!right.is_ok() || *right) return right;
  }
  return false;
}

u64 GeoDatabase::digest() const {
  const auto *content = reinterpret_cast<const char *>(mmdb_.file_content);
  return checksum_bytes(Bytes(content, static_cast<size_t>(mmdb_.file_size)));
}

}  // namespace mrc
