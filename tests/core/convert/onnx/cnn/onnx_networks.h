// The networks of tests/fixtures/onnx/cnn: converting and running them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "convert/onnx/cnn/cnn_from_onnx.h"
#include "convert/run_conversion.h"
#include "data_files.h"
#include "infer/cnn/read_network.h"
#include "io/json/json.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::convert::testing {

inline File network_file(const std::string& name) {
  auto content = ambry::testing::read_file(ambry::testing::fixtures_folder() / "onnx/cnn" / name);
  EXPECT_TRUE(content) << name;
  return content ? *std::move(content) : File();
}

inline io::Json network_json(const std::string& name) {
  const File content = network_file(name);
  auto json = io::parse_json(as_text(content));
  EXPECT_TRUE(json) << name;
  return json ? *std::move(json) : io::Json();
}

inline Options to_network() { return to("tinyruntime"); }

inline Result<Plan> plan_of(const File& file) {
  const io::MemorySource source(file);
  const SideFiles none;
  return plan_cnn_from_onnx(SourceFiles(source, none), to_network());
}

// The input of tests/reference/onnx/cnn_models.py.
inline std::vector<float> picture(const model::CnnShape& shape) {
  std::vector<float> values;
  for (uint64_t i = 0; i < shape.count(); ++i) {
    values.push_back(static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 64.0F);
  }
  return values;
}

// Converts the file, and runs what it becomes.
struct RunnableNetwork {
  File file;
  std::shared_ptr<const infer::CnnWeights> weights;
  model::CnnPlan plan;

  static Result<RunnableNetwork> make(const File& onnx) {
    RunnableNetwork made;
    AMBRY_TRY(const Plan plan, plan_of(onnx));
    AMBRY_TRY(made.plan, model::read_cnn_plan(plan.network.dump()));
    const SideFiles none;
    AMBRY_TRY(made.file, testing::run(onnx, none, to_network()));
    made.weights = infer::testing::read_weights(made.file);
    return made;
  }
  [[nodiscard]] Result<infer::CnnNetwork> network() const {
    return infer::CnnNetwork::create(weights, plan.graph);
  }
  [[nodiscard]] Result<std::vector<float>> run() const {
    AMBRY_TRY(const infer::CnnNetwork made, network());
    return infer::testing::run_network(made, picture(plan.graph.input));
  }
};

// The largest difference, as a share of the largest expected number.
inline double difference(const std::vector<float>& values, const io::Json& expected) {
  if (values.size() != expected.items().size()) return INFINITY;
  double largest = 0;
  double most = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double wanted = expected.items()[i].number();
    largest = std::max(largest, std::abs(wanted));
    most = std::max(most, std::abs(static_cast<double>(values[i]) - wanted));
  }
  return most / largest;
}

}  // namespace ambry::convert::testing
