// Where the options of a chain may stand, and which stages they apply to. An option without a row
// applies to the stage in which it stands.
#include "cmd/chain.h"
#include "cmd/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace mrc {
namespace {

enum class For {
  input,  // the first stage, in which they must stand
  first,  // the first stage
  last,   // the last stage
  all,    // each stage that has them
  none,   // not allowed in chains
};

struct Row {
  const char *names;
  For whom;
  const char *reason = "";
};

constexpr Row kRows[] = {
    {"--from, --regex, --record-start, --delimiter, --header-in, -H, --columns, --record, "
     "--input-cmd",
     For::input},
    {"--state, --state-wait, --state-gone, --state-tiles, --state-last-line, --isolate, "
     "--unit-timeout",
     For::first},
    {"--to, --header-out, --raw, --human, --round, --color, --output", For::last},
    {"--zero-terminated, --tz, --dates, --threads, --memory, --tmpdir, --stats, --progress, "
     "--quiet, --io, --split, --tile, --container, --engine, --pin, --numa",
     For::all},
    {"--follow, --live, --live-to", For::none, "the rows of a stage are known when it has ended"},
    {"--checkpoint, --checkpoint-every, --resume", For::none,
     "it saves one stage; use --state, which keeps what the first one has read"},
};

const Row *row_of(const std::string &option) {
  for (const Row &row : kRows) {
    const std::vector<std::string> names = names_in(row.names);
    if (std::ranges::find(names, option) != names.end()) return &row;
  }
  return nullptr;
}

Status misplaced(const Job &stage, const std::string &what) {
  return Status::error(stage.verb + ": " + what);
}

// Distributes the choices of stages to the stages that they apply to.
class Dealer {
 public:
  explicit Dealer(std::vector<Job> typed) : typed_(std::move(typed)), dealt_(typed_) {
    for (Job &job : dealt_) job.choices.clear();
  }

  Result<std::vector<Job>> deal() {
    for (size_t stage = 0; stage < typed_.size(); ++stage) {
      for (const Job::Choice &choice : typed_[stage].choices) {
        if (Status status = deal(stage, choice); !status.is_ok()) return status;
      }
    }
    return std::move(dealt_);
  }

 private:
  Status deal(size_t stage, const Job::Choice &choice) {
    const Option *option = option_of(stage, choice);
    const Row *row = row_of(choice.option);
    const bool is_input = row != nullptr && row->whom == For::input;
    if (row == nullptr || (!is_input && is_own(stage, option))) {
      dealt_[stage].choices.push_back(choice);
      return Status::ok();
    }
    if (row->whom == For::none) {
      return Status::error(
          fmt::format("{}: not together with then: {}", choice.option, row->reason));
    }
    if (is_input) return deal_input(stage, choice);
    const auto [first, is_new] = first_.emplace(option, stage);
    if (!is_new && first->second != stage) {
      return misplaced(
          typed_[stage],
          choice.option + ": it is for the chain as a whole, and an earlier stage has it");
    }
    if (row->whom == For::all) {
      for (size_t of = 0; of < dealt_.size(); ++of) give(of, option, choice);
      return Status::ok();
    }
    const size_t of = row->whom == For::first ? 0 : dealt_.size() - 1;
    if (give(of, option, choice)) return Status::ok();
    return misplaced(typed_[stage],
                     fmt::format("{}: it is for the {} stage, and mrc {} does not "
                                 "have it",
                                 choice.option, of == 0 ? "first" : "last", dealt_[of].verb));
  }

  Status deal_input(size_t stage, const Job::Choice &choice) {
    if (stage > 0 && reads_input(typed_[stage], choice)) {
      dealt_[stage].choices.push_back(choice);
      return Status::ok();
    }
    if (stage > 0) {
      return misplaced(typed_[stage], choice.option +
                                          ": it says how the input is read, which the first stage "
                                          "does; this one reads rows of the stage before");
    }
    dealt_[0].choices.push_back(choice);
    const Option *header = find_option(*find_verb(dealt_.back().verb), "--header-out");
    if (choice.option == "-H" && header != nullptr) {
      dealt_.back().choices.push_back({"--header-out", "yes"});
    }
    return Status::ok();
  }

  // A join has an input of its own in any stage. All of these options but --input-cmd are about its
  // LEFT.
  static bool reads_input(const Job &job, const Job::Choice &choice) {
    const bool is_left = !job.operands.empty() && job.operands[0] != "-";
    return find_verb(job.verb)->joins && (is_left || choice.option == "--input-cmd");
  }
  const Option *option_of(size_t stage, const Job::Choice &choice) const {
    return find_option(*find_verb(typed_[stage].verb), choice.option);
  }
  bool is_own(size_t stage, const Option *option) const {
    const std::span<const Option> own = find_verb(typed_[stage].verb)->options;
    return std::ranges::any_of(own, [&](const Option &one) { return &one == option; });
  }
  // Returns false if the stage does not have the option.
  bool give(size_t stage, const Option *option, const Job::Choice &choice) {
    const bool has = option_of(stage, choice) == option;
    if (has) dealt_[stage].choices.push_back(choice);
    return has;
  }

  const std::vector<Job> typed_;
  std::vector<Job> dealt_;
  std::map<const Option *, size_t> first_;  // the stage in which an option was found first
};

}  // namespace

Result<Job> join_stages(std::vector<Job> stages) {
  Result<std::vector<Job>> dealt = Dealer(std::move(stages)).deal();
  if (!dealt.is_ok()) return dealt.status();
  Job chain = std::move(dealt->front());
  chain.then.assign(std::make_move_iterator(dealt->begin() + 1),
                    std::make_move_iterator(dealt->end()));
  return chain;
}

}  // namespace mrc
