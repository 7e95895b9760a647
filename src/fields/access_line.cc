// Splits an access log line at its quotes, and the part of it before the time.
#include "fields/inner/access_log.h"
#include "fields/inner/text_form.h"
#include "kinds/timestamp.h"
#include "scan/vector.h"

#include <algorithm>

namespace mrc {
namespace {

// Methods and protocols of any text protocol are accepted: GET, HTTP/1.1, RTSP/1.0.
bool is_method(Bytes text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_letter(c) || c == '-' || c == '_'; });
}
bool is_protocol(Bytes text) {
  const size_t slash = text.find('/');
  return slash != Bytes::npos && slash + 1 < text.size() && is_digit(text[slash + 1]) &&
         is_method(text.substr(0, slash));
}

// A front is first read without a virtual host. If the words after its first one cannot be an ident
// and a user, the first word is the host and the second one the client.

bool is_address(Bytes word) { return read_client(word).kind == ClientKind::address; }

// Inlined variant of take_word().
MRC_INLINE Bytes take_near_word(Bytes *text) {
  const char *begin = text->data(), *end = begin + text->size();
  const char *blank = find_byte(begin, end, ' ');
  text->remove_prefix(static_cast<size_t>(std::min(blank + 1, end) - begin));
  return {begin, static_cast<size_t>(blank - begin)};
}

// True if identd may have answered this: not an address, nor a tag or bar, which log collectors
// write.
bool is_ident(Bytes word) {
  return word.find_first_of(",|[") == Bytes::npos && !word.ends_with(':') && !is_address(word);
}

// True if the user is rather the rest of a longer front, such as "192.0.2.1 - -".
bool is_part_of_front(Bytes user) {
  const bool has_blank = user.find(' ') != Bytes::npos;
  while (!user.empty()) {
    const Bytes word = take_word(&user);
    if (is_address(word) || (has_blank && word == "-")) return true;
  }
  return false;
}

// True if these may follow a label: the ident is "-" or a name, and the user is one word that is
// not a tag.
bool can_follow_label(Bytes ident, Bytes user) {
  const bool is_named = ident == "-" || std::any_of(ident.begin(), ident.end(), is_letter);
  return is_named && !user.empty() && user.find(' ') == Bytes::npos && !user.ends_with(':');
}

// Takes the ident and user after a client. The less certain the client is, the stricter the test of
// the rest.
MRC_INLINE bool take_rest(ClientKind client, Bytes rest, AccessFront *parts) {
  const char *end = rest.data() + rest.size();
  parts->ident = take_near_word(&rest);
  const bool has_user = parts->ident.data() + parts->ident.size() < end;
  parts->user = has_user ? rest : Bytes();
  const bool is_unknown = parts->ident == "-";
  if (client == ClientKind::label && !can_follow_label(parts->ident, parts->user)) return false;
  if (is_unknown && (client == ClientKind::address || !has_user)) return true;
  return has_user && (is_unknown || is_ident(parts->ident)) && !is_part_of_front(parts->user);
}

// True for an entry in a list of clients. A proxy that hides or does not know the address of a
// client writes a word in its place.
bool is_hop(Bytes word, ClientKind kind) {
  return kind > ClientKind::label || word == "-" || word == "unknown" || word.starts_with('_');
}

// Takes a list of clients, and the address of the connection if one follows.
bool take_forwarded(Bytes text, AccessFront *parts) {
  const char *second = nullptr;
  bool has_address = false;
  for (;;) {
    const Bytes word = text.substr(0, text.find_first_of(" ,"));
    const ClientWord client = read_client(word);
    if (!is_hop(word, client.kind)) return false;
    has_address = has_address || client.kind == ClientKind::address;
    if (second == nullptr) parts->ip = client.ip;
    text.remove_prefix(word.size());
    if (!text.starts_with(',')) break;
    text.remove_prefix(std::min(text.find_first_not_of(' ', 1), text.size()));
    if (second == nullptr) second = text.data();
  }
  const char *end = text.data();
  if (!has_address || !text.starts_with(' ')) return false;
  Bytes rest = text = text.substr(1);
  const Bytes connection = take_word(&rest);
  if (is_address(connection)) {
    end = connection.data() + connection.size();
    text = rest;
  }
  parts->forwarded = {second, static_cast<size_t>(end - second)};
  return take_rest(ClientKind::address, text, parts);
}

// Takes a front without a virtual host. Sets *first to the kind of the first word.
MRC_INLINE bool take_client(Bytes text, ClientWord *first, AccessFront *parts) {
  Bytes rest = text;
  const Bytes word = take_near_word(&rest);
  *first = read_client(word);
  if (first->kind == ClientKind::none) {
    return word.find(',') != Bytes::npos && take_forwarded(text, parts);
  }
  parts->ip = first->ip;
  parts->forwarded = {};
  return take_rest(first->kind, rest, parts);
}

// Removes :port from the end of a word and returns the port.
Bytes take_port(Bytes *word) {
  size_t at = word->size();
  while (at > 0 && is_digit((*word)[at - 1])) --at;
  const bool has_port = at > 0 && at < word->size() && (*word)[at - 1] == ':';
  const Bytes port = word->substr(has_port ? at : word->size());
  if (has_port) word->remove_suffix(port.size() + 1);
  return port;
}

// Takes host or host:port. An IPv6 address, which is the whole word, only looks like host:port.
bool take_host(Bytes word, const ClientWord &client, AccessFront *parts) {
  parts->host = word;
  if (client.kind != ClientKind::none && client.ip.size() == word.size()) return true;
  parts->port = take_port(&parts->host);
  return read_client(parts->host).kind != ClientKind::none;
}

// Quick test for most names, which excludes months and dates.
bool is_usual_name(Bytes word) {
  constexpr size_t kMonth = 3;
  return word.size() > kMonth && is_letter(word[0]) && has_name_bytes(word);
}

}  // namespace

// Any text but a number may be a time of an unknown form, if no time is in brackets before it.
const char *access::find_other_time(const char *begin, const char *end) {
  const char *last = nullptr, *close = end;
  for (const char *at = end - 1; at > begin; --at) {
    if (*at == ']') close = at;
    if (*at != '[' || at[-1] != ' ') continue;
    const Bytes text = between(at + 1, close);
    const Timestamp found = find_timestamp(text);
    const bool is_date = has_date(found.shape) && found.size == std::ssize(text);
    if (last != nullptr && is_date) return nullptr;
    if (last != nullptr) continue;
    const bool is_epoch = found.shape == TimeShape::epoch && found.size == std::ssize(text);
    if (is_date || is_epoch) return at;
    if (text.find_first_not_of("0123456789.") == Bytes::npos && !text.empty()) return nullptr;
    last = at;
  }
  return last;
}

bool is_escaped(const char *at, const char *begin) {
  const char *p = at;
  while (p > begin && p[-1] == '\\') --p;
  return ((at - p) & 1) != 0;
}

QuotedLine find_quotes(Bytes text) {
  QuotedLine line;
  line.begin = text.data();
  line.end = text.data() + text.size();
  for (const char *at = line.begin; (at = find_byte(at, line.end, '"')) < line.end; ++at) {
    if (is_escaped(at, line.begin)) continue;
    const bool in_front = line.quotes > 0 && !access::follows_time(line.quote[0], line.begin);
    if (in_front && access::follows_time(at, line.begin)) line.quotes = 0;
    line.add(at);
  }
  return line;
}

AccessRequest split_request(Bytes request) {
  AccessRequest parts;
  const size_t first = request.find(' '), last = request.rfind(' ');
  if (first == last || !is_method(request.substr(0, first))) return parts;
  if (!is_protocol(request.substr(last + 1))) return parts;
  parts.method = request.substr(0, first);
  parts.protocol = request.substr(last + 1);
  parts.path = request.substr(first + 1, last - first - 1);
  const size_t mark = parts.method == "CONNECT" ? Bytes::npos : parts.path.find('?');
  if (mark == Bytes::npos) return parts;
  parts.query = parts.path.substr(mark + 1);
  parts.path = parts.path.substr(0, mark);
  return parts;
}

Bytes referer_of(const QuotedLine &line, const char *rest) {
  if (line.quotes < 4 || line.quote[2] != rest + 1) return {};
  return access::between(line.quote[2] + 1, line.quote[3]);
}

Bytes agent_of(const QuotedLine &line, const char *rest) {
  if (line.quotes < 6 || line.quote[2] != rest + 1 || line.quote[4] != line.quote[3] + 2) return {};
  return access::between(line.quote[4] + 1, line.quote[5]);
}

// Fronts that are not found here are left to split_front(). Both split a front in the same way.
Bytes find_ip(Bytes front) {
  constexpr Bytes kTail = " - -";
  if (front.size() <= kTail.size() || !front.ends_with(kTail)) return {};
  const char *begin = front.data(), *end = begin + front.size() - kTail.size();
  const char *blank = find_byte(begin, end, ' ');
  Bytes host(begin, static_cast<size_t>(blank - begin));
  const char *client = blank < end ? blank + 1 : begin;
  const Bytes ip(client, static_cast<size_t>(end - client));
  const bool is_ip =
      !ip.empty() && (ipv4_size(client) == ip.size() || is_usual_name(ip) || is_ipv6(ip));
  if (!is_ip) return {};
  if (client == begin) return ip;
  take_port(&host);
  return is_usual_name(host) ? ip : Bytes();
}

AccessFront split_usual_front(Bytes front, Bytes ip) {
  AccessFront parts;
  const auto before = static_cast<size_t>(ip.data() - front.data());
  parts.host = front.substr(0, before == 0 ? 0 : before - 1);
  parts.port = take_port(&parts.host);
  parts.ip = ip;
  parts.ident = front.substr(before + ip.size() + 1, 1);
  parts.user = front.substr(before + ip.size() + 3);
  return parts;
}

bool split_front(Bytes front, AccessFront *parts) {
  parts->host = parts->port = front.substr(0, 0);
  ClientWord first, second;
  if (take_client(front, &first, parts)) return true;
  const Bytes word = take_near_word(&front);
  if (!take_host(word, first, parts) || !take_client(front, &second, parts)) return false;
  // "localhost - ann smith" rather has a user of two words.
  return parts->ip != "-" || !parts->port.empty();
}

}  // namespace mrc
