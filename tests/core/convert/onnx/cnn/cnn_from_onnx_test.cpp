#include "convert/onnx/cnn/cnn_from_onnx.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "convert/onnx/cnn/onnx_networks.h"
#include "infer/cnn/range_observer.h"

namespace ambry::convert {
namespace {

using testing::difference;
using testing::File;
using testing::network_file;
using testing::RunnableNetwork;

// What float32 allows between two orders of sums.
constexpr double kTolerance = 1e-5;

const std::vector<std::string> kStateDicts = {"residual", "bottleneck", "fastai", "plain"};
// The strides and paddings of the plain network, which its state dict does not have.
const std::vector<std::pair<std::string, std::string>> kPlainFacts = {
    {"conv.0.stride", "1"}, {"conv.0.pad", "1"},    {"conv.1.stride", "1"},
    {"conv.1.pad", "1"},    {"conv.2.stride", "1"}, {"conv.2.pad", "1"}};

Result<File> converted(const std::string& name, std::optional<QuantizeOptions> quantize = {}) {
  Options options = testing::to_network();
  options.quantize = std::move(quantize);
  if (name.ends_with(".pt")) options.metadata = kPlainFacts;
  const SideFiles none;
  return testing::run(network_file(name), none, options);
}

// The numbers are onnxruntime's.
TEST(CnnFromOnnx, GivesTheOutputsOfOnnxruntime) {
  const io::Json expected = testing::network_json("expected.json");
  ASSERT_EQ(expected.members().size(), 13U);
  for (const auto& [name, values] : expected.members()) {
    const auto made = RunnableNetwork::make(network_file(name + ".onnx"));
    ASSERT_TRUE(made) << name << ": " << describe(made.error());
    const auto output = made->run();
    ASSERT_TRUE(output) << name << ": " << describe(output.error());
    EXPECT_LE(difference(*output, values), kTolerance) << name;
  }
}

TEST(CnnFromOnnx, GivesTheBytesThatTheStateDictGives) {
  for (const std::string& name : kStateDicts) {
    const auto graph = converted(name + "-kept.onnx");
    ASSERT_TRUE(graph) << name << ": " << describe(graph.error());
    const auto state = converted(name + ".pt");
    ASSERT_TRUE(state) << name << ": " << describe(state.error());
    EXPECT_TRUE(*graph == *state) << name;
  }
}

TEST(CnnFromOnnx, GivesTheBytesThatTheStateDictGivesAsDq8) {
  QuantizeOptions quantize;
  quantize.type = "dq8";
  quantize.group = 16;
  for (const std::string& name : kStateDicts) {
    const auto graph = converted(name + "-kept.onnx", quantize);
    ASSERT_TRUE(graph) << name << ": " << describe(graph.error());
    const auto state = converted(name + ".pt", quantize);
    ASSERT_TRUE(state) << name << ": " << describe(state.error());
    EXPECT_TRUE(*graph == *state) << name;
  }
}

TEST(CnnFromOnnx, GivesTheBytesThatTheStateDictGivesAsSq8) {
  for (const std::string& name : kStateDicts) {
    const auto made = RunnableNetwork::make(network_file(name + "-kept.onnx"));
    ASSERT_TRUE(made) << describe(made.error());
    const auto network = made->network();
    ASSERT_TRUE(network) << describe(network.error());
    infer::CnnRangeObserver observer(*network);
    ASSERT_TRUE(
        infer::testing::run_network(*network, testing::picture(made->plan.graph.input), &observer));
    QuantizeOptions quantize;
    quantize.type = "sq8";
    quantize.ranges = observer.ranges();
    const auto graph = converted(name + "-kept.onnx", quantize);
    ASSERT_TRUE(graph) << name << ": " << describe(graph.error());
    const auto state = converted(name + ".pt", quantize);
    ASSERT_TRUE(state) << name << ": " << describe(state.error());
    EXPECT_TRUE(*graph == *state) << name;
    // The plan counts the activations as the observer does.
    const auto weights = infer::testing::read_weights(*graph);
    EXPECT_TRUE(infer::CnnNetwork::create(weights, made->plan.graph)) << name;
  }
}

// The newer exporter's form has the same weights and operations.
TEST(CnnFromOnnx, GivesOneFileForBothExporters) {
  for (const std::string& name : {std::string("residual"), std::string("plain")}) {
    const auto older = converted(name + "-kept.onnx");
    const auto newer = converted(name + "-newer.onnx");
    ASSERT_TRUE(newer) << name << ": " << describe(newer.error());
    EXPECT_TRUE(*older == *newer) << name;
  }
}

// fastai's head is the one that tinyRuntime's own graphs have, so no plan is needed to run it.
TEST(CnnFromOnnx, GivesTheGraphThatTheTableSays) {
  const auto made = RunnableNetwork::make(network_file("fastai-kept.onnx"));
  ASSERT_TRUE(made) << describe(made.error());
  const auto derived = model::residual_graph(made->weights->table, made->plan.graph.input.height);
  ASSERT_TRUE(derived) << describe(derived.error());
  EXPECT_TRUE(*derived == made->plan.graph);
}

TEST(CnnFromOnnx, ReadsAFileInParts) {
  const File file = network_file("digits-kept.onnx");
  const auto whole = testing::plan_of(file);
  ASSERT_TRUE(whole) << describe(whole.error());
  io::PartialSource source(file.size());
  const SideFiles none;
  const SourceFiles sources(source, none);
  size_t n_parts = 0;
  for (;; ++n_parts) {
    const auto plan = plan_cnn_from_onnx(sources, testing::to_network());
    if (plan) {
      EXPECT_EQ(plan->network.dump(), whole->network.dump());
      break;
    }
    const Error& error = plan.error();
    ASSERT_EQ(error.code, ErrorCode::NeedBytes) << describe(error);
    const Bytes part = Bytes(file).subspan(static_cast<size_t>(error.byte_offset),
                                           static_cast<size_t>(error.need_size));
    ASSERT_TRUE(source.insert(error.byte_offset, part));
  }
  EXPECT_GE(n_parts, 2U);
}

}  // namespace
}  // namespace ambry::convert
