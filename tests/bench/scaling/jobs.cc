#include "scaling/jobs.h"

#include "cmd/verb.h"
#include "combine/aggregates.h"
#include "plugin/plugin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>

namespace bench {
namespace {

// Aggregates are not here: they are taken from mrc. A new verb needs a line.
constexpr const char *kCommands[] = {
    R"(mrc count {draw} -d '\t' -k 1 {fields})",
    R"(mrc count {draw} --by count {fields})",
    R"(mrc wordcount {draw} {fields})",
    R"(mrc wordcount {draw} --tile 1M --words blank {fields})",
    R"(mrc distinct {draw} -d '\t' -k 1 {fields})",
    R"(mrc distinct {draw} --stable -d '\t' -k 1 {fields})",
    R"(mrc hist {draw} -d '\t' 3 {fields})",
    R"(mrc summary {draw} -d '\t' --columns a,b,c,d,e {fields})",
    R"(mrc report {draw} --to json -d '\t' --columns user,path,time,ms,level {fields})",
    R"(mrc sort {draw} {fields})",
    R"(mrc sort {draw} -d '\t' -k 1 {fields})",
    R"(mrc sort {draw} -d '\t' -k 4,3:num:desc --stable {fields})",
    R"(mrc grep {draw} 'log[a-z]+' {fields})",
    R"(mrc select {draw} -d '\t' -k 3,1 -w '$3 > 1700500000' {fields})",
    R"(mrc select {draw} -d '\t' -k 1 --tail 1 {fields})",
    R"(mrc select {draw} -d '\t' -k 'row(),lag($2),cumsum($4:num),mean($4:num,1000)' {fields})",
    R"(mrc select {draw} -d '\t' --within 1 --order 3 -k 'lead($2),lowest($3:num,1000),group()' )"
    R"({fields})",
    R"(mrc select {draw} -d '\t' -k 'record(),line()' {fields})",
    R"(mrc sort {draw} -R {fields})",
    R"(mrc diff {draw} -d '\t' -k 1 {keys} {keys})",
    R"(mrc fields -d '\t' {fields})",
    R"(mrc load {draw} -d '\t' --columns user,path,time,ms,what --partition-by time:day )"
    R"(--sort-by time --partitions 1000000 -o {dir}/l {fields})",
    R"(mrc map {piece} --map 'cut -f 1' {fields})",
    R"(mrc map {piece} --reduce 'cut -f 1' {fields})",
    R"(mrc map {piece} --map 'cut -f 1,3' --combine cat --reduce max:2 {fields})",
    R"(mrc index {piece} {fields})",
    R"(mrc index {piece} --positions line --words blank {fields})",
    R"(mrc online {piece} -d '\t' -k 1 --time 3 --event 5 {fields})",
    R"(mrc join {draw} -d '\t' --right-delimiter '\t' -k 1 --left-fields 3 --right-fields )"
    R"(2 {fields} {keys})",
    R"(mrc join {draw} -d '\t' --right-delimiter '\t' -k 1 --full --stable --left-fields 2 )"
    R"(--right-fields 3 {keys} {fields})",
    R"(mrc stats {draw} -d '\t' -k 1 -a count,sum:3 --total {fields})",
    R"(mrc stats {draw} -d '\t' -k 1 --head 2 {fields})",
    R"(mrc stats {draw} -d '\t' -k 3:1000000 --fill 0 {fields})",
    R"(mrc stats {draw} -d '\t' -k 1,4 -a count,distinct:2 --rollup {fields})",
    R"(mrc stats {draw} -d '\t' -k 1 --across 3:100000000 -a count {fields})",
    R"(mrc stats {draw} -d '\t' -k 1,2 -a count --having 'count > 1' {fields})",
    R"(mrc stats {draw} -d '\t' -k 1 -a count,max:3 {fields} then sort -k 2)",
    R"(mrc sort {draw} -d '\t' -k 1 {fields} then count)",
    R"(mrc count --to partial -o {dir}/a -d '\t' -k 1 {fields} && mrc count --to partial )"
    R"(-o {dir}/b -d '\t' -k 1 {keys} && mrc merge {draw} {dir}/a {dir}/b)",
    R"(mrc stats --to partial -o {dir}/a -d '\t' -k 4 -a unique:1 {fields} && mrc merge )"
    R"({piece} {dir}/a)",
    R"(mrc units --list --size 64K sort {fields})",
    R"(mrc count {draw} --state {dir}/s -d '\t' -k 1 {fields})",
    R"(mrc stats --state {dir}/s -d '\t' -k 1 -a count {fields} && mrc stats {draw} )"
    R"(--state {dir}/s -d '\t' -k 1 -a count {fields})",
    R"(mrc count --state {dir}/s -d '\t' -k 1 {fields} && mrc state show {dir}/s)",
    R"(mrc count {draw} --checkpoint {dir}/c --checkpoint-every 1M -d '\t' -k 1 {fields})",
    R"(mrc run {draw} word_count word_count_map {fields})",
    // Jobs of plugins.
    R"(mrc skeleton {draw} {fields})",
    R"(mrc word_count {draw} {fields})",
    R"(mrc string_match {draw} --set keys=login,logout {fields})",
    R"(mrc term_vector {piece} --set document=first --set top=9 {fields})",
    R"(mrc self_join {piece} --set pairs=next {pairs})",
    R"(mrc adjacency_list {piece} {pairs})",
    R"(mrc ranked_index {piece} {counts})",
    R"(mrc histogram_movies {draw} {ratings})",
    R"(mrc histogram_ratings {draw} {ratings})",
    R"(mrc kmeans_ratings -j2 --set rounds=2 {ratings})",
    R"(head -n 4 {ratings} >{dir}/c && mrc classification {piece} --set clusters={dir}/c )"
    R"({ratings})",
};

// Verbs that read no records, and jobs of plugins that read numbers or images.
constexpr std::string_view kOthers[] = {
    "completion",        "help",     "plugins", "serve", "kmeans", "pca", "matrix_multiply",
    "linear_regression", "histogram"};

// hist reads texts, as its bucket makes a number of each.
bool is_of_numbers(const std::string &form) { return form == "hist" || mrc::takes_numbers(form); }

// A form of the help as something to type: topN, argmax(X, Y), top(N, X, A).
std::string aggregate(std::string form, const std::string &value) {
  const bool call = form.find('(') != std::string::npos;
  const std::string field = !call && is_of_numbers(form) ? "3" : value;
  replace_all(&form, "N", "9");
  if (!call) return fmt::format("{}:{}", form, field);
  replace_all(&form, "X", form.starts_with("top") ? "$" + value : "$3");
  replace_all(&form, "Y", "$" + value);
  replace_all(&form, "A", "max:$3");
  replace_all(&form, "G", form.starts_with("entries") ? "60s" : "60");
  if (form.starts_with("entries")) replace_all(&form, "T", "fromepoch($3)");
  return form;
}

// Groups by keys of the shape, and values of the shape in three groups.
void add_stats(const std::vector<std::string> &forms, std::vector<std::string> *commands) {
  std::vector<std::string> of_records, of_keys;
  for (const std::string &form : forms) {
    of_records.push_back(aggregate(form, "2"));
    of_keys.push_back(aggregate(form, "1"));
  }
  const char *const line = R"(mrc stats {{draw}} -d '\t' -k {} -a '{}' {{fields}})";
  commands->push_back(fmt::format(fmt::runtime(line), 1, fmt::join(of_records, ",")));
  if (of_keys == of_records) return;  // they take numbers, and the shape is one of texts
  commands->push_back(fmt::format(fmt::runtime(line), 4, fmt::join(of_keys, ",")));
}

void add_aggregates(const Form &form, std::vector<std::string> *commands) {
  std::vector<std::string> numbers, texts;
  for (const mrc::AggregateHelp &help : mrc::aggregate_help()) {
    const std::string name = help.name;
    const bool number = name.find('(') == std::string::npos && is_of_numbers(name);
    if (form.each_aggregate) {
      add_stats({name}, commands);
    } else {
      (number ? numbers : texts).push_back(name);
    }
  }
  if (!numbers.empty()) add_stats(numbers, commands);
  if (!texts.empty()) add_stats(texts, commands);
}

bool is_known(std::string_view name, const std::vector<std::string> &commands) {
  if (std::ranges::find(kOthers, name) != std::end(kOthers)) return true;
  return std::ranges::any_of(commands, [&](const std::string &command) {
    return command.find(fmt::format("mrc {} ", name)) != std::string::npos ||
           command.find(fmt::format(" {} {{", name)) != std::string::npos;
  });
}

void add_plugins(const std::string &plugins, std::vector<std::string> *commands,
                 std::vector<std::string> *errors) {
  for (const mrc::PluginFile &file : mrc::list_plugins({{plugins}, {}})) {
    const auto plugin = mrc::load_plugin(file.path, true);
    if (!plugin.is_ok()) {
      errors->push_back(plugin.status().message());
      continue;
    }
    for (const mrc_job *job : (*plugin)->jobs()) {
      if (!is_known(job->name, *commands)) {
        errors->push_back(fmt::format("no command runs job {} of {}", job->name, file.path));
      }
    }
    for (const mrc_reducer *reducer : (*plugin)->reducers()) {
      commands->push_back(
          fmt::format(R"(mrc stats {{draw}} --plugin {} -d '\t' -k 1 -a {}:3 {{fields}})",
                      file.path, reducer->name));
    }
  }
}

// Threads and memory: the first six are all pairs of them.
std::vector<Draw> all_draws(const Form &form, std::mt19937_64 *random) {
  std::vector<Draw> draws;
  for (const int threads : {1, 2, 4}) {
    draws.push_back({threads, 0});
    draws.push_back({threads, form.memory_kib[(*random)() % 2]});
  }
  std::ranges::shuffle(draws, *random);
  return draws;
}

}  // namespace

std::vector<std::string> all_commands(const Form &form, const std::string &plugins,
                                      std::vector<std::string> *errors) {
  std::vector<std::string> commands(std::begin(kCommands), std::end(kCommands));
  for (const mrc::Verb *verb : mrc::all_verbs()) {
    if (!is_known(verb->name, commands)) {
      errors->push_back(fmt::format("no command runs verb {}", verb->name));
    }
  }
  add_plugins(plugins, &commands, errors);
  add_aggregates(form, &commands);
  return commands;
}

std::vector<Job> draw_jobs(const std::vector<std::string> &commands, const Form &form, u64 seed) {
  std::mt19937_64 random(seed);
  std::vector<Job> first, rest;
  for (const std::string &command : commands) {
    const std::vector<Draw> draws = all_draws(form, &random);
    const size_t chosen = random() % shapes().size();
    const bool is_bounded = command.find("{draw}") != std::string::npos;
    for (size_t i = 0; i < shapes().size(); ++i) {
      const i64 promised_kib = is_bounded ? draws[i].memory_kib : 0;
      (i == chosen ? first : rest).push_back({&shapes()[i], command, draws[i], promised_kib});
    }
  }
  std::ranges::shuffle(first, random);
  std::ranges::shuffle(rest, random);
  first.insert(first.end(), rest.begin(), rest.end());
  if (first.size() > form.most_jobs) first.resize(form.most_jobs);
  return first;
}

void put_options(const Draw &draw, const char *options, std::string *command) {
  std::string all = fmt::format("-j{}", draw.threads);
  if (draw.memory_kib > 0) all += fmt::format(" --memory {}K", draw.memory_kib);
  all += options;
  for (const char *const place : {"{draw}", "{piece}"}) replace_all(command, place, all);
}

void replace_all(std::string *text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text->find(what, at)) != std::string::npos; at += with.size()) {
    text->replace(at, what.size(), with);
  }
}

}  // namespace bench
