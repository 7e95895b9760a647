#include "expr/inner/foreign.h"

#include "base/make_error.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace mrc {
namespace {

struct Foreign {
  std::string_view words;  // with blanks around each; signs and functions are in lower case
  std::string_view ours;
};
// Signs and words that one of ours replaces.
constexpr Foreign kSigns[] = {
    {" = === eq ", "=="},  {" <> ne ", "!="},     {" ~ ~= rlike regexp matches ", "=~"},
    {" => ge gte ", ">="}, {" =< le lte ", "<="}, {" gt ", ">"},
    {" lt ", "<"},         {" && and ", "and"},   {" || or ", "or"},
    {" ! not ", "not"},    {" in ", "in"},        {" between ", "between"},
    {" mod ", "%"},        {" ≥ ", ">="},         {" ≤ ", "<="},
    {" ≠ ", "!="},         {" – — − ", "-"},
};
constexpr Foreign kForms[] = {
    {" not ", "write not (x in (...)), with not before the whole, and not contains(x, 'part')"},
    {" like ilike glob similar ",
     "a part of text is contains(x, 'part'); a pattern is x =~ 'REGEX', or '(?i)REGEX' in any "
     "case"},
    {" is isnull notnull ", "x is null is not has(x); x is not null is has(x)"},
    {" ? ?: case when ", "a choice is if(CONDITION, VALUE, OTHERWISE)"},
    {" // ?? ", "another value for a missing one is coalesce(x, 0)"},
    {" & ", "write and for &; texts are joined by concat(x, y)"},
    {" | ", "write or for |; a pipe to a function is a call, such as length(x)"},
    {" contains startswith endswith begins starts ends has ",
     "these are functions: contains(x, 'part'), startswith(x, 'GET'), endswith(x, '.php')"},
    {" as ", "a name comes first, as in total=sum(price)"},
    {" asc desc ", "a direction is an option, --asc or --desc; in keys of sort it is price:desc"},
    {" day days hour hours minute minutes min second seconds sec d h m s kb mb gb tb kib mib gib "
     "k g ",
     "a unit follows its number without a blank: 1d, 90s, 10M"},
    {" , ", "one of several values is x in (1, 2); decimals have a point, as 12.5"},
    {" ` ", "a field of any name is $\"any name\", without backquotes"},
    {" [ ", "a member of a list is a.0"},
    {" { ", "braces have no meaning; a list is in parentheses: x in (1, 2)"},
    {" ** ^ ", "a power is pow(x, y)"},
    {" div ", "a whole quotient is floor(x / y)"},
    {" xor ", "write (a or b) and not (a and b)"},
    {" date timestamp interval ",
     "a date is 2026-11-03 and an interval 1d, without a word before it and quotes"},
};
constexpr Foreign kForeignFunctions[] = {
    {" avg average ", "mean(x), an aggregate"},
    {" dc ", "distinct(x), an aggregate"},
    {" count sum mean median ", "an aggregate, for groups"},
    {" countif sumif averageif eval ", "an aggregate with a condition: count[x > 1]"},
    {" counta ", "count[has(x)]"},
    {" countblank ", "count[not has(x)]"},
    {" perc percentile percentile_cont percentile_approx quantile perc50 perc90 perc95 perc99 ",
     "p95(x), an aggregate; p50, p99 and others alike"},
    {" values list collapse group_concat string_agg array_agg listagg ", "list(x), an aggregate"},
    {" latest last_value ", "last(x), an aggregate"},
    {" earliest first_value ", "first(x), an aggregate"},
    {" like ", "contains(x, 'part')"},
    {" isnull is_null isblank isempty empty isnan ", "not has(x)"},
    {" isnotnull is_not_null exists defined ", "has(x)"},
    {" type typeof ", "a kind, which mrc fields prints"},
    {" len strlen char_length ", "length(x)"},
    {" cidrmatch ", "ip in (192.0.2.0/24)"},
    {" match test regexp_matches regexp_like searchmatch ", "x =~ 'REGEX'"},
    {" index instr indexof position strpos find search inside ", "contains(x, 'part')"},
    {" strftime date_format todate ", "format(time, '%d.%m.%Y')"},
    {" strptime ", "time(x, '%d.%m.%Y')"},
    {" fromdate fromdateiso8601 ", "epoch(time)"},
    {" date date_trunc ", "a bucket, such as time:day or time:hour"},
    {" date_part datepart ", "hour(time), year(time) and so on"},
    {" regexp_extract regexp_substr regex_extract ", "extract(x, 'REGEX')"},
    {" url_decode unquote decodeURIComponent urldecode_plus ", "urldecode(x)"},
    {" tonumber to_number cast value ", "num(x)"},
    {" tostring ", "text(x)"},
    {" tolower ascii_downcase ", "lower(x)"},
    {" toupper ascii_upcase ", "upper(x)"},
    {" ifnull nvl iferror ", "coalesce(x, 0)"},
    {" int rounddown trunc ", "floor(x)"},
    {" roundup ceiling ", "ceil(x)"},
    {" mod ", "x % y"},
    {" power ", "pow(x, y)"},
    {" now today yesterday relative_time ", "now, today or yesterday, without parentheses"},
    {" substring mid left right ", "substr(x, 1, 3)"},
    {" gsub sub substitute regexp_replace ", "replace(x, 'REGEX', 'with')"},
    {" concatenate sprintf printf ", "concat(x, y)"},
    {" datediff datedif ", "difference(later, earlier), or later - earlier"},
    {" exact ", "x == y"},
    {" filename input_filename ", "file()"},
    {" md5 sha1 sha2 sha256sum ", "sha256(x), or xxh64(x)"},
    {" ipv4_is_private is_private isprivate ", "private(x)"},
    {" iff case nullif ", "if(CONDITION, VALUE, OTHERWISE)"},
    {" and or not ", "a word: a and not b, a or b"},
    {" in any ", "x in (1, 2)"},
    {" select filter where ", "the condition alone"},
    {" row_number rownum nr nl ", "row()"},
    {" shift shift_lag prev previous lagged ", "lag(x)"},
    {" shift_lead next ", "lead(x), with --order FIELD"},
    {" total fsum sum_over ", "sum(x, all)"},
    {" proportion percent_of_total ", "x / sum(x, all)"},
    {" rolling_min movmin ", "lowest(x, 7) or lowest(x, 5m)"},
    {" rolling_max movmax ", "highest(x, 7) or highest(x, 5m)"},
    {" ngroup group_number ", "group()"},
    {" diff difference_from_previous ", "delta(x)"},
    {" ffill fill_down fill locf ", "filldown(x)"},
    {" rsum cum_sum running_sum running_total runningaccumulate ", "cumsum(x)"},
    {" moving_average movavg rolling rolling_mean sma ", "mean(x, 7) or mean(x, 5m)"},
};
constexpr Foreign kValues[] = {
    {" null NULL None nil nan NaN ", "whether x is missing or empty is not has(x)"},
    {" TRUE True FALSE False NOW TODAY CURRENT_DATE CURRENT_TIMESTAMP current_date "
     "current_timestamp ",
     "the words are true, false, now, today and yesterday"},
};

// Names of awk and SQL.
constexpr Foreign kFields[] = {
    {" NR ROWNUM ", "the number of a record is row()"},
    {" FNR ", "the number of a record in its input is record()"},
    {" NF ", "a record has no number of fields; the last word of a line is split($0, ' ', -1)"},
    {" FILENAME ", "the name of the input is file()"},
};

std::string_view find(std::span<const Foreign> table, std::string_view word) {
  const auto found = std::ranges::find_if(table, [sought = fmt::format(" {} ", word)](auto &row) {
    return row.words.find(sought) != row.words.npos;
  });
  return found == table.end() ? std::string_view() : found->ours;
}

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (char &c : small) c = is_letter(c) ? static_cast<char>(c | 0x20) : c;
  return small;
}

bool is_of_foreign_word(char c) { return is_letter(c) || is_digit(c); }

// True if the star at this place may be of a pattern.
bool is_wildcard(std::string_view text, size_t at) {
  const char before = at == 0 ? '/' : text[at - 1];
  const char after = at + 1 == text.size() ? '/' : text[at + 1];
  const auto is_apart = [](char c) { return is_space(c) || c == '*'; };
  return (before == '/' || after == '/') && !is_apart(before) && !is_apart(after);
}

}  // namespace

std::string foreign_sign(std::string_view word) {
  const std::string small = in_small_letters(word);
  const std::string_view ours = find(kSigns, small);
  if (!ours.empty() && ours != word) return fmt::format("write {} for {}", ours, word);
  return std::string(find(kForms, small));
}
std::string foreign_function(std::string_view name) {
  return std::string(find(kForeignFunctions, in_small_letters(name)));
}
std::string foreign_value(std::string_view word) {
  constexpr std::string_view kRound[] = {"\u201C", "\u201D", "\u201E", "\u2018", "\u2019"};
  const bool is_quoted = std::ranges::any_of(
      kRound, [word](std::string_view quote) { return word.starts_with(quote); });
  return is_quoted ? "the quotes of text are straight: 'text'" : std::string(find(kValues, word));
}

Status check_foreign(const FieldName &name, const Clock &clock) {
  const std::string_view text = name.text;
  if (name.number >= 0 || name.whole || clock.kinds == nullptr || clock.kinds->has(name)) {
    return Status::ok();
  }
  if (text == ".") return make_error("{}: the whole record is $0", text);
  if (text.starts_with('.')) {
    return make_error("{}: a field is written without the dot in front of it: {}", text,
                      text.substr(1));
  }
  const std::string_view ours = find(kFields, text);
  if (ours.empty() || !clock.kinds->lacks(name)) return Status::ok();
  return make_error("no field \"{}\"; {}", text, ours);
}

std::string foreign_pattern(std::string_view text, std::string_view value) {
  constexpr i64 kFewest = 2;  // letters or digits; "5*" is a grade
  if (std::ranges::count_if(text, is_of_foreign_word) < kFewest) return "";
  i64 within = 0;
  for (size_t at = text.find('*'); at != text.npos; at = text.find('*', at + 1)) {
    if (!is_wildcard(text, at)) return "";
    within += at > 0 && at + 1 < text.size();
  }
  const bool begins = text.starts_with('*'), ends = text.ends_with('*');
  if (within > 0) return fmt::format("{} =~ 'REGEX', in which it is .*", value);
  if (!begins && !ends) return "";
  text.remove_prefix(begins);
  text.remove_suffix(ends);
  return fmt::format("{}({}, '{}')",
                     begins && ends ? "contains"
                     : begins       ? "endswith"
                                    : "startswith",
                     value, text);
}

}  // namespace mrc
