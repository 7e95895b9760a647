#include "fields/server_format.h"

#include "base/text.h"
#include "fields/inner/format_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace mrc {
namespace {

// A value as another program names it, its field and its type (pattern.h).
struct Variable {
  std::string_view name, field, type;
};

constexpr Variable kNginx[] = {
    {"remote_addr", "ip", "client"},
    {"realip_remote_addr", "ip", "client"},
    {"remote_user", "user", "word"},
    {"remote_port", "port", "int"},
    {"time_local", "time", "time"},
    {"time_iso8601", "time", "time"},
    {"msec", "time", "time"},
    {"request", "request", "request"},
    {"request_method", "method", "word"},
    {"uri", "path", "text"},
    {"document_uri", "path", "text"},
    {"args", "query", "text"},
    {"query_string", "query", "text"},
    {"server_protocol", "protocol", "word"},
    {"status", "status", "int"},
    {"body_bytes_sent", "bytes", "int"},
    {"bytes_sent", "bytes", "int"},
    {"request_length", "request_length", "int"},
    {"request_time", "request_time", "s"},
    {"http_referer", "referer", "text"},
    {"http_user_agent", "agent", "text"},
    {"http_x_forwarded_for", "forwarded", "text"},
    {"host", "host", "text"},
    {"http_host", "host", "text"},
    {"server_name", "host", "text"},
    {"connection", "connection", "int"},
    {"connection_requests", "connection_requests", "int"},
    {"pid", "pid", "int"},
};

constexpr Variable kApache[] = {
    {"h", "ip", "client"},
    {"a", "ip", "client"},
    {"l", "ident", "word"},
    {"u", "user", "word"},
    {"t", "time", "bracketed time"},
    {"r", "request", "request"},
    {"m", "method", "word"},
    {"U", "path", "text"},
    {"q", "query", "query"},
    {"H", "protocol", "word"},
    {"s", "status", "int"},
    {"b", "bytes", "int"},
    {"B", "bytes", "int"},
    {"O", "bytes", "int"},
    {"I", "request_length", "int"},
    {"S", "bytes_transferred", "int"},
    {"D", "request_time", "us"},
    {"T", "request_time", "s"},
    {"v", "host", "text"},
    {"V", "host", "text"},
    {"p", "port", "int"},
    {"P", "pid", "int"},
    {"k", "connection_requests", "int"},
    {"A", "local_ip", "ip"},
    {"f", "file", "text"},
    {"L", "log_id", "text"},
    {"R", "handler", "text"},
    {"X", "connection_status", "text"},
};

// Values of "%{NAME}C" in LogFormat, as "NAME" in lower case and C.
constexpr Variable kApacheNamed[] = {
    {"referer i", "referer", "text"},
    {"user-agent i", "agent", "text"},
    {"x-forwarded-for i", "forwarded", "text"},
    {"host i", "host", "text"},
    {"us T", "request_time", "us"},
    {"ms T", "request_time", "ms"},
    {"s T", "request_time", "s"},
};

constexpr Variable kGoAccess[] = {
    {"x", "time", "time"},       {"h", "ip", "client"},       {"v", "host", "text"},
    {"e", "user", "word"},       {"r", "request", "request"}, {"m", "method", "word"},
    {"U", "path", "text"},       {"q", "query", "text"},      {"H", "protocol", "word"},
    {"s", "status", "int"},      {"b", "bytes", "int"},       {"R", "referer", "text"},
    {"u", "agent", "text"},      {"D", "request_time", "us"}, {"T", "request_time", "s"},
    {"L", "request_time", "ms"}, {"n", "request_time", "ns"}, {"C", "cache", "text"},
    {"K", "tls", "text"},        {"k", "cipher", "text"},     {"M", "mime", "text"},
    {"S", "server", "text"},     {"^", "", "text"},
};

const Variable *find(std::span<const Variable> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Variable::name);
  return found == all.end() ? nullptr : &*found;
}

void add_literal(std::string_view text, FormatPieces *pieces) {
  if (pieces->empty() || !pieces->back().type.empty()) pieces->emplace_back();
  pieces->back().literal += text;
}
void add_value(std::string_view field, std::string_view type, FormatPieces *pieces) {
  pieces->push_back({"", std::string(field), std::string(type)});
}

Status wrong(std::string_view text, size_t at, std::string_view reason) {
  return Status::error(fmt::format("'{}' at character {}: {}", text, at + 1, reason));
}

// Reads $name and ${name}.
Result<FormatPieces> read_nginx(std::string_view text) {
  FormatPieces pieces;
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      add_literal(text.substr(at++, 1), &pieces);
      continue;
    }
    const size_t begin = at++;
    const bool braced = at < text.size() && text[at] == '{';
    at += braced;
    const size_t name = at;
    while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]) || text[at] == '_')) ++at;
    const std::string_view word = text.substr(name, at - name);
    if (word.empty()) return wrong(text, begin, "a variable has a name, as $remote_addr");
    if (braced && (at == text.size() || text[at++] != '}')) {
      return wrong(text, begin, "nothing closes this ${ by }");
    }
    const Variable *known = find(kNginx, word);
    add_value(known != nullptr ? known->field : word, known != nullptr ? known->type : "text",
              &pieces);
  }
  return pieces;
}

// Returns the field that is called so in no table: the name in lower case.
std::string plain_name(std::string_view name) {
  std::string field;
  for (const char c : name) {
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    field += is_letter(low) || is_digit(low) ? low : '_';
  }
  return field;
}

// Reads %c, %{name}c, and the conditions and marks that may stand before the letter: %>s, %!200s.
class ApacheReader {
 public:
  explicit ApacheReader(std::string_view text) : text_(text) {}

  Result<FormatPieces> read() {
    while (at_ < text_.size()) {
      Status status = text_[at_] == '%' ? value() : literal();
      if (!status.is_ok()) return status;
    }
    return std::move(pieces_);
  }

 private:
  // A backslash stands before a quote, since the configuration has the format in quotes.
  Status literal() {
    const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
    const char c = escaped ? text_[at_ + 1] : text_[at_];
    add_literal(escaped && c == 't' ? "\t" : std::string(1, c), &pieces_);
    at_ += escaped ? 2 : 1;
    return Status::ok();
  }
  Status value() {
    const size_t begin = at_++;
    at_ = std::min(text_.find_first_not_of("!<>,0123456789", at_), text_.size());
    std::string_view name;
    if (at_ < text_.size() && text_[at_] == '{') {
      const size_t close = text_.find('}', at_);
      if (close == text_.npos) return wrong(text_, begin, "nothing closes this %{ by }");
      name = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    }
    if (at_ == text_.size()) return wrong(text_, begin, "after % comes a letter, as in %h");
    const std::string_view letter = text_.substr(at_++, 1);
    if (letter == "%") {
      add_literal("%", &pieces_);
      return Status::ok();
    }
    return name.empty() ? plain(letter, begin) : named(name, letter);
  }
  Status plain(std::string_view letter, size_t begin) {
    const Variable *known = find(kApache, letter);
    if (known == nullptr) {
      return wrong(text_, begin, fmt::format("LogFormat has no %{}", letter));
    }
    add_value(known->field, known->type, &pieces_);
    return Status::ok();
  }
  Status named(std::string_view name, std::string_view letter) {
    std::string lower(name);
    for (char &c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    const Variable *known = find(kApacheNamed, fmt::format("{} {}", lower, letter));
    if (known != nullptr) {
      add_value(known->field, known->type, &pieces_);
    } else if (letter == "t") {
      add_value("time", "time", &pieces_);
    } else if (find(kApache, letter) != nullptr) {
      return plain(letter, at_);
    } else {
      add_value(plain_name(name), "text", &pieces_);
    }
    return Status::ok();
  }

  const std::string_view text_;
  size_t at_ = 0;
  FormatPieces pieces_;
};

Result<FormatPieces> read_apache(std::string_view text) { return ApacheReader(text).read(); }

// Returns the size of a date and a time that stand together, which are a time. The zone, which
// GoAccess passes over, is part of it.
size_t size_of_time(std::string_view text) {
  const bool is_time = text.size() >= 5 && text.starts_with("%d") && text.substr(3, 2) == "%t";
  if (!is_time) return 0;
  return text.substr(5).starts_with(" %^]") ? 8 : 5;
}

Result<FormatPieces> read_goaccess(std::string_view text) {
  FormatPieces pieces;
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest[0] != '%' || rest.size() == 1) {
      add_literal(rest.substr(0, 1), &pieces);
      continue;
    }
    const size_t time = size_of_time(rest);
    const std::string_view letter = time > 0 ? "x" : rest.substr(1, 1);
    const Variable *known = find(kGoAccess, letter);
    if (letter == "%" || letter == "~") {
      add_literal(letter == "%" ? "%" : " ", &pieces);
    } else if (known == nullptr) {
      return wrong(text, at,
                   letter == "d" || letter == "t"
                       ? "a date and a time stand together, as %d:%t, or as %x"
                       : fmt::format("no value is called %{}", letter));
    } else {
      add_value(known->field, known->type, &pieces);
    }
    at += time > 0 ? time - 1 : 1;
  }
  return pieces;
}

struct ServerFormat {
  std::string_view prefix;
  Result<FormatPieces> (*read)(std::string_view text);
};
constexpr std::array<ServerFormat, 3> kFormats = {
    {{"nginx:", read_nginx}, {"apache:", read_apache}, {"goaccess:", read_goaccess}}};

}  // namespace

std::optional<Result<std::string>> pattern_of_server_format(std::string_view text) {
  for (const auto &[prefix, read] : kFormats) {
    if (!text.starts_with(prefix)) continue;
    const std::string_view format = text.substr(prefix.size());
    const Result<FormatPieces> pieces = read(format);
    if (!pieces.is_ok()) return Result<std::string>(pieces.status());
    return pattern_of(*pieces, format);
  }
  return std::nullopt;
}

std::string server_format_names() {
  std::string names;
  for (const ServerFormat &each : kFormats) {
    names += fmt::format("{}{}", names.empty() ? "" : "|", each.prefix);
  }
  return names;
}

}  // namespace mrc
