// sched: how much memory a job may take.
#pragma once

#include "base/int.h"

#include <string>

namespace mrc {

// Bytes that a job may take without pushing others out: 60 % of what the kernel calls
// available, but not more than 90 % of what the control groups of this process, and their
// parents, have left, less 64 MiB. INT64_MAX if neither is known. `root` stands for "/" in
// tests.
i64 available_memory(const std::string &root = "/");

}  // namespace mrc
