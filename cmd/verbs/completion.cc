// mrc completion: prints scripts for tab completion, made from the option tables.
#include "cmd/completion.h"

#include "cmd/values.h"

namespace mrc {
namespace {

Status completion(const Request &request, std::string *out) {
  const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  if (request.arguments.size() != 1) {
    return Status::error("completion: needs one of bash, zsh, fish");
  }
  const std::string &shell = request.arguments[0];
  if (shell == "bash") *out = bash_completion();
  if (shell == "zsh") *out = zsh_completion();
  if (shell == "fish") *out = fish_completion();
  if (out->empty()) {
    return Status::error("completion: no script for \"" + shell + "\"; there are bash, zsh, fish" +
                         did_you_mean(shell, shells));
  }
  return Status::ok();
}

}  // namespace

extern const Verb verb_completion;
const Verb verb_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print a script for tab completion",
    .description = "Prints a script that lets a shell complete verbs, options and their values.",
    .examples =
        "  source <(mrc completion bash)       in ~/.bashrc\n"
        "  source <(mrc completion zsh)        in ~/.zshrc, after compinit\n"
        "  mrc completion fish | source        in ~/.config/fish/config.fish\n",
    .options = {},
    .errand = completion,
};

}  // namespace mrc
