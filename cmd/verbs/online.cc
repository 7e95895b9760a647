// mrc online: adds up how long users were logged in.
#include "cmd/compile.h"
#include "combine/sessions.h"

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--time", "FIELD", "the field that holds the time; default: time", nullptr,
     set_text<"needs the name or number of a field", &Ask::time_field>},
    {"--event", "FIELD", "the field that holds login or logout; default: event", nullptr,
     set_text<"needs the name or number of a field", &Ask::event_field>},
    kHavingOption,
};

Status compile_online(const Ask &ask, Compiled *compiled) {
  const std::string key = ask.key.empty() ? "user" : ask.key;
  if (Status status = compile_fields(ask, key, compiled); !status.is_ok()) return status;
  Result<FieldExpr> time = parse_field(ask.time_field, compiled->clock);
  if (!time.is_ok()) return time.status().within("--time");
  Result<FieldExpr> event = parse_field(ask.event_field, compiled->clock);
  if (!event.is_ok()) return event.status().within("--event");
  FieldsSpec *fields = &compiled->program.map.fields;
  compiled->program.aggregation =
      sessions_aggregation(*time, *event, compiled->clock, &fields->values);
  return compile_rows(ask, fields->key_shape(), compiled);
}

}  // namespace

extern const Verb verb_online;
const Verb verb_online = {
    .name = "online",
    .arguments = "[FILE...]",
    .summary = "add up the time between logins and logouts",
    .description =
        "Prints for each user the seconds between logins and their logouts, the number of "
        "sessions,\n"
        "of logins without a logout, of logouts without a login, and of times that could not be\n"
        "read. Records may come in any order. A logout ends the latest session that is open.",
    .examples =
        "  mrc online sessions.csv                        fields user, time and event\n"
        "  mrc online -k 2 --time 1 --event 3 logins.txt  fields by number\n"
        "  mrc online --regex '^(?P<time>.{15}).*session (?P<event>opened|closed) for user "
        "(?P<user>\\w+)' auth.log\n",
    .options = kOptions,
    .compile = compile_online,
    .reads_fields = true,
};

}  // namespace mrc
