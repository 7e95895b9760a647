// For runs of which no complaint is expected.
#pragma once

#include "engine/engine.h"

#include <gtest/gtest.h>

#include <string>

namespace mrc {

class SilentObserver : public Observer {
 public:
  void complain(const std::string &message) override { ADD_FAILURE() << message; }
  void progress(i64, i64) override {}
  void writing() override {}
};

}  // namespace mrc
