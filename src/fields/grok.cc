#include "fields/grok.h"

#include "base/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace mrc {
namespace {

struct Expression {
  std::string_view name, text;
};
constexpr Expression kExpressions[] = {
    {"INT", "[+-]?[0-9]+"},
    {"POSINT", "[1-9][0-9]*"},
    {"NONNEGINT", "[0-9]+"},
    {"NUMBER", "[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)"},
    {"BASE10NUM", "%{NUMBER}"},
    {"BASE16NUM", "[+-]?(?:0x)?[0-9A-Fa-f]+"},
    {"WORD", "\\b\\w+\\b"},
    {"NOTSPACE", "\\S+"},
    {"SPACE", "\\s*"},
    {"DATA", ".*?"},
    {"GREEDYDATA", ".*"},
    {"QUOTEDSTRING", R"("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"},
    {"QS", "%{QUOTEDSTRING}"},
    {"UUID", "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"},
    {"MAC", "[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}(?:\\.[0-9A-Fa-f]{4}){2}"},
    // Addresses and names.
    {"IPV4", "\\b[0-9]{1,3}(?:\\.[0-9]{1,3}){3}\\b"},
    {"HEX4", "[0-9A-Fa-f]{1,4}"},
    {"IPV6",  // a clock such as 10:00:00 has neither eight parts nor two colons together
     "(?:(?:%{HEX4}:){7}%{HEX4}|(?:%{HEX4}:){6}%{IPV4}|"
     "(?:%{HEX4}(?::%{HEX4})*)?::(?:(?:%{HEX4}:)*(?:%{IPV4}|%{HEX4}))?)(?:%\\w+)?"},
    {"IP", "%{IPV6}|%{IPV4}"},
    {"HOSTNAME", "[0-9A-Za-z][0-9A-Za-z_-]*(?:\\.[0-9A-Za-z][0-9A-Za-z_-]*)*\\.?"},
    {"HOST", "%{HOSTNAME}"},
    {"IPORHOST", "%{IP}|%{HOSTNAME}"},
    {"HOSTPORT", "%{IPORHOST}:%{POSINT}"},
    {"USERNAME", "[0-9A-Za-z._-]+"},
    {"USER", "%{USERNAME}"},
    {"EMAILLOCALPART", "[0-9A-Za-z!#$%&'*+/=?^_`{|}~.-]+"},
    {"EMAILADDRESS", "%{EMAILLOCALPART}@%{HOSTNAME}"},
    {"HTTPDUSER", "%{EMAILADDRESS}|%{USER}"},
    // Paths and addresses of pages.
    {"UNIXPATH", "(?:/[^\\s/]*)+"},
    {"WINPATH", R"((?:[A-Za-z]:|\\)(?:\\[^\\?*]*)+)"},
    {"PATH", "%{UNIXPATH}|%{WINPATH}"},
    {"URIPROTO", "[A-Za-z][0-9A-Za-z+.-]*"},
    {"URIHOST", "%{IPORHOST}(?::%{POSINT})?"},
    {"URIPATH", "(?:/[^\\s?#]*)+"},
    {"URIQUERY", "[^\\s#]*"},
    {"URIPARAM", "\\?%{URIQUERY}"},
    {"URIPATHPARAM", "%{URIPATH}(?:%{URIPARAM})?"},
    {"URI", "%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?"},
    // Times.
    {"MONTH", "\\b[A-Z][a-z]{2,8}\\b"},
    {"MONTHNUM", "1[0-2]|0?[1-9]"},  // of two that fit, the first counts
    {"MONTHNUM2", "1[0-2]|0[1-9]"},
    {"MONTHDAY", "[12][0-9]|3[01]|0?[1-9]"},
    {"DAY", "[A-Z][a-z]{2,8}"},
    {"YEAR", "[0-9]{4}|[0-9]{2}"},
    {"HOUR", "2[0-3]|[01]?[0-9]"},
    {"MINUTE", "[0-5][0-9]"},
    {"SECOND", "(?:60|[0-5]?[0-9])(?:[:.,][0-9]+)?"},
    {"TIME", "%{HOUR}:%{MINUTE}(?::%{SECOND})?"},
    {"DATE_US", "%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}"},
    {"DATE_EU", "%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}"},
    {"DATE", "%{DATE_US}|%{DATE_EU}"},
    {"DATESTAMP", "%{DATE}[- ]%{TIME}"},
    {"TZ", "[A-Z]{3,4}"},
    {"ISO8601_TIMEZONE", "Z|[+-]%{HOUR}(?::?%{MINUTE})?"},
    {"TIMESTAMP_ISO8601",
     "[0-9]{4}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?"
     "(?:%{ISO8601_TIMEZONE})?"},
    {"DATESTAMP_RFC822", "%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}"},
    {"DATESTAMP_RFC2822", "%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}"},
    {"DATESTAMP_OTHER", "%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}"},
    {"HTTPDATE", "%{MONTHDAY}/%{MONTH}/[0-9]{4}:%{TIME} [+-][0-9]{4}"},
    {"HTTPDERROR_DATE", "%{DAY} %{MONTH} %{MONTHDAY} %{TIME} [0-9]{4}"},
    {"SYSLOGTIMESTAMP", "%{MONTH} +%{MONTHDAY} %{TIME}"},
    // Logs.
    {"LOGLEVEL",
     "(?i:trace|debug|notice|info(?:rmation)?|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|"
     "alert|emerg(?:ency)?)"},
    {"PROG", "[!-Z\\\\^-~]+"},
    {"SYSLOGPROG", "%{PROG:program}(?:\\[%{POSINT:pid}\\])?"},
    {"SYSLOGHOST", "%{IPORHOST}"},
    {"SYSLOGFACILITY", "<%{NONNEGINT:facility}\\.%{NONNEGINT:priority}>"},
    {"SYSLOGBASE",
     "%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource} %{SYSLOGPROG}:"},
    {"JAVACLASS", "(?:[A-Za-z_$][0-9A-Za-z_$]*\\.)*[A-Za-z_$][0-9A-Za-z_$]*"},
    {"JAVAMETHOD", "<(?:cl)?init>|[A-Za-z_$][0-9A-Za-z_$]*"},
    {"JAVAFILE", "[0-9A-Za-z_. -]+"},
    {"COMMONAPACHELOG",
     "%{IPORHOST:clientip} %{HTTPDUSER:ident} %{HTTPDUSER:auth} \\[%{HTTPDATE:timestamp}\\] "
     "\"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})\" "
     "%{NUMBER:response} (?:%{NUMBER:bytes}|-)"},
    {"COMBINEDAPACHELOG", "%{COMMONAPACHELOG} %{QS:referrer} %{QS:agent}"},
};

std::string group_name(std::string_view field) {
  std::string name;
  for (const char c : field) {
    if (is_letter(c) || is_digit(c) || c == '_') {
      name += c;
    } else if (!name.empty() && !name.ends_with('_')) {
      name += '_';
    }
  }
  if (field.ends_with(']') && name.ends_with('_')) name.pop_back();
  return name;
}

Status unknown(std::string_view name) {
  std::vector<std::string> names;
  for (const Expression &each : kExpressions) names.emplace_back(each.name);
  return Status::error(
      fmt::format("no expression %{{{}}}{}", name, did_you_mean(std::string(name), names)));
}

// Appends the text with its expressions in place of their names. An expression of the table names
// those before it only, so that the depth is bounded.
Status expand(std::string_view text, size_t known, std::string *out) {
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("(?<") && rest.size() > 3 && (is_letter(rest[3]) || rest[3] == '_')) {
      *out += "(?P<";  // the only form that old versions of RE2 have
      at += 3;
      continue;
    }
    const size_t close = rest.starts_with("%{") ? rest.find('}') : rest.npos;
    if (close == rest.npos) {
      *out += text[at++];
      continue;
    }
    const std::string_view inner = rest.substr(2, close - 2);
    const size_t colon = std::min(inner.find(':'), inner.size());
    const auto *found =
        std::find_if(std::begin(kExpressions), std::begin(kExpressions) + known,
                     [&](const Expression &each) { return each.name == inner.substr(0, colon); });
    if (found == std::begin(kExpressions) + known) return unknown(inner.substr(0, colon));
    const std::string_view field = inner.substr(std::min(colon + 1, inner.size()));
    const std::string name = group_name(field.substr(0, field.find(':')));
    *out += name.empty() ? "(?:" : "(?P<" + name + ">";
    const auto before = static_cast<size_t>(found - std::begin(kExpressions));
    if (Status status = expand(found->text, before, out); !status.is_ok()) return status;
    *out += ')';
    at += close + 1;
  }
  return Status::ok();
}

}  // namespace

Result<std::string> regex_of_grok(std::string_view text) {
  std::string regex;
  Status status = expand(text, std::size(kExpressions), &regex);
  return status.is_ok() ? Result<std::string>(std::move(regex)) : status;
}

}  // namespace mrc
