// The job's knowledge of its fields before it reads the input.
#pragma once

#include "cmd/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// By the table of formats and the first bytes of the first input that has some; nothing is read
// before something is asked. From a pipe, these bytes are looked at and stay there. The
// kinds that are found become a choice of the job: all processes that run it know the same.
std::shared_ptr<FieldKinds> sampled_kinds(const Request &request);

// Takes the kinds on which the job depends that a directory of --state or --checkpoint belongs to.
// Takes nothing if there is no such directory.
void take_kinds_of(const std::string &directory, Request *request);

// Leaves the request with the kinds that its job has, and no others: its records were read
// elsewhere, so there is nothing to look at.
void take_kinds_of_job_alone(Request *request);

// By the columns that the stage before hands over; without any, nothing is known.
struct KnownColumn {
  std::string name;
  FieldKind kind;
};
std::shared_ptr<FieldKinds> kinds_of_columns(std::vector<KnownColumn> columns);
// Returns the columns that a request hands over: its keys, then its aggregates.
std::vector<KnownColumn> known_columns(const Request &request,
                                       const std::vector<std::string> &names);

}  // namespace mrc
