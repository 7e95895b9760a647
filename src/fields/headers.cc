#include "fields/headers.h"

#include "base/names.h"
#include "base/text.h"
#include "scan/vector.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mrc {
namespace {

// The fields of Amazon's flow logs, by which their headers are recognized.
constexpr Bytes kFlowFields[] = {"version",
                                 "account-id",
                                 "interface-id",
                                 "srcaddr",
                                 "dstaddr",
                                 "srcport",
                                 "dstport",
                                 "protocol",
                                 "packets",
                                 "bytes",
                                 "start",
                                 "end",
                                 "action",
                                 "log-status",
                                 "vpc-id",
                                 "subnet-id",
                                 "instance-id",
                                 "tcp-flags",
                                 "type",
                                 "pkt-srcaddr",
                                 "pkt-dstaddr",
                                 "region",
                                 "az-id",
                                 "sublocation-type",
                                 "sublocation-id",
                                 "pkt-src-aws-service",
                                 "pkt-dst-aws-service",
                                 "flow-direction",
                                 "traffic-path",
                                 "ecs-cluster-arn",
                                 "ecs-cluster-name",
                                 "ecs-container-instance-arn",
                                 "ecs-container-instance-id",
                                 "ecs-container-id",
                                 "ecs-second-container-id",
                                 "ecs-service-name",
                                 "ecs-task-definition-arn",
                                 "ecs-task-arn",
                                 "ecs-task-id",
                                 "reject-reason",
                                 "resource-type"};

bool is_flow_field(Bytes name) {
  return std::ranges::find(kFlowFields, name) != std::end(kFlowFields);
}

HeaderNames split_header(Bytes text, Bytes separators) {
  HeaderNames names;
  while (!text.empty()) {
    const size_t size = std::min(text.find_first_of(separators), text.size());
    if (size > 0) names.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return names;
}

void add_name(const std::string &name, Dialect *dialect) {
  if (!has_name(dialect->names, name)) dialect->names.push_back(name);
}

}  // namespace

HeaderNames names_in_header(Bytes line, const NamedFormat &row) {
  const Bytes mark = row.mark;
  const bool flow = row.kind == &kFlowKind;
  if (flow ? !is_flow_field(line.substr(0, line.find(' '))) : !line.starts_with(mark)) return {};
  HeaderNames names = split_header(line.substr(flow ? 0 : mark.size()), " \t\r");
  if (names.size() > kMostHeadedFields) return {};
  if (flow && (names.size() < 3 || !std::ranges::all_of(names, is_flow_field))) return {};
  return distinct_names(names);
}

std::vector<PlacedHeader> headers_of(const Dialect &dialect) {
  std::vector<PlacedHeader> headers;
  for (const std::string &line : split_header(dialect.pattern, "\n")) {
    HeaderNames words = split_header(line, " ");
    i64 offset = 0;
    std::from_chars(words[0].data(), words[0].data() + words[0].size(), offset);
    headers.push_back({offset, {words.begin() + 1, words.end()}});
  }
  return headers;
}

i64 position_of(const HeaderNames &names, Bytes name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? -1 : found - names.begin();
}

i64 find_field(const HeaderNames &header, const std::string &name, const NamedFormat &row) {
  const i64 own = position_of(header, name);
  if (own >= 0) return own;
  for (const JsonAlias &alias : aliases_of(row)) {
    if (alias.name != name) continue;
    const i64 found = position_of(header, alias.path);
    if (found >= 0) return found;
  }
  return -1;
}

void add_header(const HeaderNames &names, i64 offset, Dialect *dialect) {
  const std::string text = fmt::format(" {}", fmt::join(names, " "));
  std::string &all = dialect->pattern;
  const size_t last = all.rfind('\n') == all.npos ? 0 : all.rfind('\n') + 1;
  if (!all.empty() && all.substr(std::min(all.find(' ', last), all.size())) == text) return;
  all += all.empty() ? "0" + text : fmt::format("\n{}{}", offset, text);
  for (const std::string &name : names) add_name(name, dialect);
}

void add_other_names(Dialect *dialect) {
  for (const JsonAlias &alias : aliases_of(*dialect->format->row)) {
    if (has_name(dialect->names, alias.path)) add_name(alias.name, dialect);
  }
}

bool has_headers(const Dialect &dialect) {
  const NamedFormat *row = dialect.format->row;
  return row != nullptr && row->kind == &kHeadedKind;
}

void HeaderScan::take(Bytes piece, i64 offset) {
  const char *begin = piece.data(), *end = begin + piece.size(), *p = begin;
  const char t = dialect_.terminator;
  const auto end_of_line = [&](const char *from) { return find_byte(from, end, t); };
  if (!begun_.empty()) {
    const char *stop = end_of_line(p);
    if (begun_.size() < kLongestHeader) begun_.append(p, stop);
    if (stop == end) return;
    finish();
    p = stop;
  }
  for (const char *mark = p; (mark = find_byte(mark, end, '#')) != end; ++mark) {
    if (mark == begin ? !at_line_ : mark[-1] != t) continue;
    const char *stop = end_of_line(mark);
    begun_.assign(mark, stop);
    begun_at_ = offset + (mark - begin);
    if (stop == end) break;
    finish();
    mark = stop;
  }
  if (!piece.empty()) at_line_ = piece.back() == t;
}

void HeaderScan::finish() {
  HeaderNames names = names_in_header(begun_, *dialect_.format->row);
  begun_.clear();
  if (!names.empty()) found_.push_back({begun_at_, std::move(names)});
}

void set_headers(const std::vector<PlacedHeader> &headers, Dialect *dialect) {
  dialect->pattern.clear();
  dialect->joins_lines = false;  // because all headers are known
  for (const PlacedHeader &header : headers) {
    add_header(header.names, header.offset, dialect);
    add_other_names(dialect);
  }
}

}  // namespace mrc
