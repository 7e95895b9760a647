// mrc report: a page about a log, with panels that one scan computes.
#include "cmd/report/choose_panels.h"

#include <fmt/format.h>

namespace mrc {
namespace {

const Option kOptions[] = {
    {"--to", "FORMAT", "html: a page; json: its numbers", "html|json",
     [](Ask *ask, const std::string &value) {
       ask->report.is_page = value == "html";
       return Status::ok();
     },
     Effect::answer},
    {"--panels", "NAMES", "only these panels, in this order", nullptr,
     set_text<"needs names of panels", &Ask::report, &AskedReport::panels>, Effect::state, false,
     true},
    {.names = "--panel",
     .value = "TITLE: stats ...",
     .help = "add a panel of a command, such as 'By shop: stats -k shop -a sum:qty'",
     .choices = nullptr,
     .set = add_text<&Ask::report, &AskedReport::own>,
     .repeatable = true},
    {"--anonymize", nullptr, "show networks (/24, /64) in place of addresses", nullptr,
     set_flag<&Ask::report, &AskedReport::anonymizes>},
    kLookupOption,
};

const Absent kAbsent[] = {
    {"-k, --key", "panels have keys of their own: --panels; for one table use mrc stats -k KEY"},
    {"--header-out, --raw, --human, --color", "a page is for people; --to json has its numbers"},
    {"--by, --asc, --desc", "rows of a panel are in the order of its first number"},
};

Status compile_report(const Ask &ask, Compiled *compiled) {
  if (ask.report.anonymizes && !ask.report.own.empty()) {
    return Status::error(
        "--anonymize, --panel: whether a panel of your own shows addresses is not known; leave out "
        "--anonymize, and group by ip:/24");
  }
  if (Status status = compile_fields(ask, "", compiled); !status.is_ok()) return status;
  const std::vector<std::string> &inputs = compiled->program.inputs;
  const std::string first = inputs[0] == "-" ? "standard input" : inputs[0];
  return make_panels(
      ask,
      {.title =
           inputs.size() == 1 ? first : fmt::format("{} and {} more", first, inputs.size() - 1),
       .zone = ask.zone.empty() ? "UTC" : ask.zone,
       .inputs = inputs,
       .made = newest_change(*compiled),
       .is_page = ask.report.is_page},
      compiled);
}

}  // namespace

extern const Verb verb_report;
const Verb verb_report = {
    .name = "report",
    .arguments = "[FILE...]",
    .summary = "make a page about a log",
    .description =
        "Writes one HTML file about a log: what happened when, which pages were asked for, which\n"
        "are missing, who came from where, which messages there are. Which panels there are\n"
        "depends on the fields of the records. All figures are exact, and come from one scan of\n"
        "the input. The page needs no network and no other file.",
    .examples =
        "  mrc report access.log* -o report.html\n"
        "  mrc report --since yesterday --until today access.log -o yesterday.html\n"
        "  mrc report --panels messages,levels app.log -o app.html\n"
        "  mrc report --panel 'Slow: stats -k path -a p95:ms --by p95:ms' app.log -o app.html\n"
        "  mrc report --state ~/.report access.log* -o report.html\n"
        "  mrc report --to json access.log\n",
    .options = kOptions,
    .absent = kAbsent,
    .compile = compile_report,
    .reads_fields = true,
    .no_stage = "a report is a page, and no rows",
};

}  // namespace mrc
