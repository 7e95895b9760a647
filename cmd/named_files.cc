#include "cmd/named_files.h"

#include "base/typed_text.h"
#include "expr/expression.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace mrc {
namespace {

// A name as it is typed: texts, and between them what is in braces.
struct NamePattern {
  std::vector<std::string> texts = {""};
  std::vector<std::string> items;
};

Result<NamePattern> parse_pattern(std::string_view typed) {
  NamePattern pattern;
  for (size_t at = 0; at < typed.size();) {
    const std::string_view left = typed.substr(at);
    if (left.starts_with("{{") || left.starts_with("}}")) {
      pattern.texts.back().push_back(left[0]);
      at += 2;
    } else if (left[0] == '}') {
      return Status::error("a brace closes that is not open; write }} for a brace in the name");
    } else if (left[0] == '{') {
      const size_t end = find_unquoted(left, '}');
      if (end == left.npos) {
        return Status::error("a brace is not closed; write {FIELD}, or {{ for a brace in the name");
      }
      pattern.items.emplace_back(left.substr(1, end - 1));
      pattern.texts.emplace_back();
      at += end + 1;
    } else {
      pattern.texts.back().push_back(left[0]);
      ++at;
    }
  }
  return pattern;
}

// Returns an error if a name in the path could be empty, "." or "..". The text of a value never is.
// `texts`: those below the directory.
Status check_names(const std::vector<std::string> &texts) {
  constexpr char kValue = '?';
  std::string path = texts[0];
  for (size_t i = 1; i < texts.size(); ++i) path.append(1, kValue).append(texts[i]);
  if (path.ends_with('/')) return Status::error("it names a directory, and no file");
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (name.empty() || name == "." || name == "..") {
      return Status::error(
          fmt::format("\"{}\" after the directory is no name of a file or folder", name));
    }
    begin = end + 1;
  }
  return Status::ok();
}

Result<FieldExpr> parse_item(const std::string &item, const Ask &ask, Compiled *compiled) {
  Result<std::vector<FieldExpr>> keys =
      parse_keys(keys_of(ask.input, item), compiled->clock, &compiled->defined);
  if (!keys.is_ok()) return keys.status();
  if (keys->size() == 1) return std::move((*keys)[0]);
  return Status::error(fmt::format("{{{}}}: a pair of braces has one field or expression", item));
}

Status refuse_without_files(const AskedSelect &ask) {
  const Refusal refused[] = {
      {ask.most_open.has_value(), "--files: there is no {FIELD} in --output, which is one file"},
      {ask.replaces, "--force: there is no {FIELD} in --output; FILE itself is replaced anyway"},
  };
  return refuse(refused);
}

Status refuse_with_files(const Ask &ask) {
  const OutputFormat *format = ask.display.format;
  const Refusal refused[] = {
      {format != nullptr && format->for_people,
       "--to: columns are as wide as the rows of all files need; use csv, tsv or json"},
      {ask.select.transposes, "--transpose makes one table; leave out {FIELD} in --output"},
  };
  return refuse(refused);
}

Result<std::shared_ptr<const FileNames>> compile_pattern(NamePattern pattern, const Ask &ask,
                                                         Compiled *compiled) {
  std::vector<std::string> *texts = &pattern.texts;
  const size_t directory = (*texts)[0].rfind('/') + 1;  // its size; 0: there is none
  NamedFilesSpec files{.prefix = (*texts)[0].substr(0, directory),
                       .pattern = ask.run.output,
                       .most_open = ask.select.most_open.value_or(NamedFilesSpec().most_open),
                       .replaces = ask.select.replaces};
  (*texts)[0].erase(0, directory);
  if (Status status = check_names(*texts); !status.is_ok()) return status;
  if (std::string why = FileNames::why_ambiguous(*texts); !why.empty()) return Status::error(why);
  std::vector<FieldExpr> fields;
  for (const std::string &item : pattern.items) {
    Result<FieldExpr> field = parse_item(item, ask, compiled);
    if (!field.is_ok()) return field.status();
    fields.push_back(*field);
    compiled->program.map.fields.others.push_back(std::move(*field));
  }
  take_running(compiled);
  compiled->program.files = std::move(files);
  compiled->program.output = "/dev/null";  // takes nothing
  return std::make_shared<const FileNames>(*texts, std::move(fields),
                                           compiled->program.map.fields.wanted());
}

}  // namespace

Result<std::shared_ptr<const FileNames>> compile_named_files(const Ask &ask, Compiled *compiled) {
  const std::string &output = ask.run.output;
  std::shared_ptr<const FileNames> none;
  if (output.find_first_of("{}") == std::string::npos) {
    if (Status status = refuse_without_files(ask.select); !status.is_ok()) return status;
    return none;
  }
  Result<NamePattern> pattern = parse_pattern(output);
  if (!pattern.is_ok()) return pattern.status().within("--output");
  if (pattern->items.empty()) {
    if (Status status = refuse_without_files(ask.select); !status.is_ok()) return status;
    compiled->program.output = pattern->texts[0];
    return none;
  }
  if (Status status = refuse_with_files(ask); !status.is_ok()) return status;
  if (is_zstd_name(output)) {
    return Status::error(
        "--output: files for values of {FIELD} are not compressed; leave out .zst");
  }
  Result<std::shared_ptr<const FileNames>> names =
      compile_pattern(std::move(*pattern), ask, compiled);
  return names.is_ok() ? names : names.status().within("--output");
}

}  // namespace mrc
