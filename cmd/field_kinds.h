// The kinds of a job's fields, before it reads the input.
#pragma once

#include "cmd/verb.h"

#include <memory>
#include <string>
#include <vector>

namespace mrc {

// Returns kinds from the table of formats and the first bytes of the first input that has any.
// Nothing is read before the first question. A pipe keeps the bytes that are examined. The kinds
// that are found become a choice of the job, so that all processes that run it use the same ones.
std::shared_ptr<FieldKinds> sampled_kinds(const Request &request);

// Takes the kinds on which the job of a --state or --checkpoint directory depends. Takes nothing if
// there is no such directory.
void take_kinds_of(const std::string &directory, Request *request);

// Limits the request to the kinds that its job has. Its records were read elsewhere, so there is no
// input to examine.
void take_kinds_of_job_alone(Request *request);

// Gives the inputs of a join the kinds of their fields. REQUIRES: the format of rows is set
void know_kinds_of_join(Request *request);

// Column of a row that the previous stage hands over. kinds_of_columns() knows the kinds of these
// only, and none if there are no columns.
struct KnownColumn {
  std::string name;
  FieldKind kind;
};
std::shared_ptr<FieldKinds> kinds_of_columns(std::vector<KnownColumn> columns);
// Returns the columns that a request hands over: its keys, then its aggregates.
std::vector<KnownColumn> known_columns(const Request &request,
                                       const std::vector<std::string> &names);

}  // namespace mrc
