#include "engine/engine.h"
#include "output/encode.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <iterator>

namespace mrc {
namespace {

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double mebibytes(i64 bytes) { return static_cast<double>(bytes) / (1 << 20); }

// Describes the error of a prediction.
std::string missed(double predicted, double found) {
  return fmt::format("predicted {:.0f}, found {:.0f}: {:+.1f} %", predicted, found,
                     percent(predicted - found, found));
}

// Describes the errors of the forecast. Tables show the keys of a worker only if they have taken
// all of its records.
std::string describe_forecast(const Report &report) {
  if (report.forecast.keys == 0) return "";
  std::string text = "keys    " + missed(report.forecast.keys, static_cast<double>(report.keys));
  if (report.shared_records + report.staged_records + report.spilled_records == 0) {
    const double workers = static_cast<double>(report.workers);
    text += "; by worker " +
            missed(report.forecast.worker_keys, static_cast<double>(report.tables.keys) / workers);
  }
  return text + "\n";
}

// Describes the reduction of runs while others mapped.
std::string describe_eager(const EagerCounts &eager) {
  if (eager.launches + eager.refused == 0) return "";
  return fmt::format(
      "eager   {} launches, {} at once, {} refused; {} records of {} runs became {}; nice {}\n",
      eager.launches, eager.most_at_once, eager.refused, eager.records, eager.runs, eager.left,
      eager.nice);
}

// Describes the time of functions of plugins, and what is left of the CPU time of all threads.
std::string describe_plugin(const Report &report, double cpu) {
  const auto &times = report.plugin_times;
  double all = 0;
  for (const i64 time : times) all += static_cast<double>(time) / 1e9;
  if (all == 0) return "";
  const auto ms = [&](PluginWork work) {
    return static_cast<double>(times[static_cast<size_t>(work)]) / 1e6;
  };
  return fmt::format(
      "plugin  map {:.1f} ms, combine {:.1f} ms, reduce {:.1f} ms, other functions {:.1f} ms; mrc "
      "itself {:.1f} ms\n",
      ms(PluginWork::map), ms(PluginWork::combine), ms(PluginWork::reduce), ms(PluginWork::other),
      1e3 * std::max(0.0, cpu - all));
}

// Describes records that were not grouped at once, and data that did not fit in memory.
std::string describe_spills(const Report &report) {
  std::string text;
  if (report.shared_records > 0) {
    text += fmt::format("shared  {} records folded into partitions of all workers\n",
                        report.shared_records);
  }
  if (report.staged_records + report.spilled_records > 0) {
    text +=
        fmt::format("staged  {} records in memory, {} spilled: {:.1f} MiB\n", report.staged_records,
                    report.spilled_records, mebibytes(report.spilled_bytes));
  }
  text += describe_eager(report.eager);
  if (report.apart > 0) {
    text += fmt::format("apart   {} partitions reduced by groups of CPUs\n", report.apart);
  }
  if (const TileCounts &tiles = report.tiles; tiles.tiles > 0) {
    text += fmt::format(
        "tiles   {} complete, {} stolen; {} keys in {} tables, {} partitions reduced; {} waits\n",
        tiles.tiles, tiles.stolen, tiles.keys, tiles.tables, tiles.reduced, tiles.waits);
    if (tiles.runs > 0) {
      text += fmt::format("runs    {} of partitions, {} of them merged while input was mapped\n",
                          tiles.runs, tiles.merged);
    }
  }
  if (report.divisions > 0) {
    text += fmt::format("divided {} partitions and parts of them\n", report.divisions);
  }
  if (report.spilled_values > 0) {
    text += fmt::format("values  {} spilled in sorted runs: {:.1f} MiB\n", report.spilled_values,
                        mebibytes(report.spilled_value_bytes));
  }
  if (report.spilled_rows > 0) {
    text += fmt::format("rows    {} spilled in sorted runs: {:.1f} MiB\n", report.spilled_rows,
                        mebibytes(report.spilled_row_bytes));
  }
  return text;
}

}  // namespace

std::string explain(const Program &program, const Plan &plan) {
  std::string text;
  for (const Decision &decision : plan.decisions) {
    append_visible(fmt::format("{:<9}{} ({})", decision.name, decision.value, decision.reason),
                   &text);
    text.push_back('\n');
  }
  const std::string file = program.files
                               ? program.files->pattern + ", each file whole or not at all"
                               : program.output + ", whole or not at all";
  append_visible(fmt::format("{:<9}{}", "output",
                             program.hands_over      ? "the records of the next stage"
                             : program.output == "-" ? "standard output"
                                                     : file),
                 &text);
  return text + "\n";
}

std::string describe(const Report &report) {
  std::string text;
  auto out = std::back_inserter(text);
  const double cpus = static_cast<double>(report.cpus);
  fmt::format_to(out, "{:<8}{:>10}{:>10}{:>10}{:>8}{:>8}\n", "phase", "wall ms", "user ms",
                 "sys ms", "idle", "tail");
  Phase all{"all"};
  auto line = [&](const Phase &phase) {
    double used = phase.user + phase.system;
    double idle = std::max(0.0, percent(phase.wall * cpus - used, phase.wall * cpus));
    fmt::format_to(out, "{:<8}{:>10.1f}{:>10.1f}{:>10.1f}{:>7.0f}%{:>7.0f}%\n", phase.name,
                   1e3 * phase.wall, 1e3 * phase.user, 1e3 * phase.system, idle,
                   percent(phase.tail, phase.wall));
  };
  for (const Phase &phase : report.phases) {
    line(phase);
    all.wall += phase.wall;
    all.user += phase.user;
    all.system += phase.system;
    all.tail += phase.tail;
  }
  line(all);
  text += describe_plugin(report, all.user + all.system);
  const double mib = mebibytes(report.bytes);
  fmt::format_to(out, "input   {} bytes, {} records, {} splits, {:.0f} MiB/s\n", report.bytes,
                 report.records, report.splits, all.wall > 0 ? mib / all.wall : 0);
  if (report.combiner_lines_in > 0) {
    fmt::format_to(out, "combine {} lines became {}: {:.1f} MiB became {:.1f} MiB\n",
                   report.combiner_lines_in, report.combiner_lines_out,
                   mebibytes(report.combiner_bytes_in), mebibytes(report.combiner_bytes_out));
  }
  if (report.left_files > 0) {
    fmt::format_to(out, "folders {} files were left out\n", report.left_files);
  }
  if (report.left_bytes > 0) {
    fmt::format_to(out, "index   {} bytes were not read: {:.1f} % of the input\n",
                   report.left_bytes,
                   percent(static_cast<double>(report.left_bytes),
                           static_cast<double>(report.left_bytes + report.bytes)));
  }
  if (report.known_bytes + report.sealed_tiles + report.checkpoints > 0) {
    fmt::format_to(out, "kept    {} bytes were read before", report.known_bytes);
    if (report.found_tiles > 0) fmt::format_to(out, ", {} tiles found again", report.found_tiles);
    if (report.sealed_tiles > 0) fmt::format_to(out, ", {} tiles sealed", report.sealed_tiles);
    if (report.checkpoints > 0) fmt::format_to(out, ", {} checkpoints", report.checkpoints);
    fmt::format_to(out, ": {:.1f} MiB\n", mebibytes(report.sealed_bytes));
  }
  if (report.merged_states > 0) {
    fmt::format_to(out, "merge   {} states of partials\n", report.merged_states);
  }
  if (report.sealed_parts > 0) {
    fmt::format_to(out,
                   "workers {} died; {} tables sealed: {:.1f} MiB; {} tasks again, {} to a "
                   "second worker, {} left out\n",
                   report.worker_deaths, report.sealed_parts, mebibytes(report.sealed_bytes),
                   report.repeated_tasks, report.backup_tasks, report.lost_tasks);
  }
  if (report.packed_bytes > 0) {
    fmt::format_to(out, "packed  {} bytes of it were read compressed\n", report.packed_bytes);
  }
  if (report.loaded_files > 0) {
    fmt::format_to(out, "load    {} records in {} new files, of {} partitions\n", report.rows,
                   report.loaded_files, report.loaded_partitions);
  }
  if (report.named_files > 0) {
    fmt::format_to(out, "files   {} records in {} files\n", report.records, report.named_files);
  }
  if (!report.join.empty()) fmt::format_to(out, "join    {}\n", report.join);
  if (report.transformed) {
    fmt::format_to(out, "memory  {:.1f} MiB at most\n", mebibytes(report.peak_bytes));
    return text;
  }
  fmt::format_to(out, "splits  {} local, {} stolen\n", report.splits - report.stolen,
                 report.stolen);
  if (report.placed_bytes > 0) {
    fmt::format_to(
        out, "near    {} of {} bytes were on the memory node of their reader: {:.1f} %\n",
        report.near_bytes, report.placed_bytes,
        percent(static_cast<double>(report.near_bytes), static_cast<double>(report.placed_bytes)));
  }
  fmt::format_to(
      out, "groups  {} keys in {} tables' {} slots: {:.0f} % full, {:.1f} MiB, {} growths\n",
      report.tables.keys, report.workers, report.tables.slots,
      percent(static_cast<double>(report.tables.keys), static_cast<double>(report.tables.slots)),
      mebibytes(report.tables.bytes), report.tables.growths);
  fmt::format_to(out, "{}", describe_spills(report));
  fmt::format_to(out, "result  {} keys from {} partitions, {} rows written\n", report.keys,
                 report.partitions, report.rows);
  if (report.early_bytes > 0) {
    fmt::format_to(out, "early   {} bytes written while other rows were sorted\n",
                   report.early_bytes);
  }
  fmt::format_to(out, "{}", describe_forecast(report));
  fmt::format_to(out, "memory  {:.1f} MiB at most\n", mebibytes(report.peak_bytes));
  return text;
}

}  // namespace mrc
