// A small llama (make_amb.h) that tests open and run.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "api/decoder/open_generator.h"
#include "formats/amb/make_amb.h"

namespace ambry::api::testing {

using formats::amb::testing::AmbMaker;
using formats::amb::testing::tiny_config;

inline File small_file(std::string_view more = "") {
  AmbMaker maker;
  maker.config = tiny_config(more);
  return maker.make();
}

inline GeneratorModel opened(const File& file, std::string_view settings = "{}") {
  auto session = open_generator(file, settings);
  EXPECT_TRUE(session) << describe(session.error());
  return std::move(session).value();
}

}  // namespace ambry::api::testing
