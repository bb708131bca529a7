// Graphs that take no picture: which error they give.
#include <gtest/gtest.h>

#include <string>

#include "convert/onnx/cnn/onnx_networks.h"
#include "formats/onnx/make_onnx.h"

namespace ambry::convert {
namespace {

namespace onnx = formats::onnx::testing;

std::string refused(const std::string& input, const onnx::Texts& nodes) {
  onnx::ModelMaker model;
  model.graph.inputs = {input};
  model.graph.nodes = nodes;
  model.graph.outputs = {onnx::value("y", onnx::kFloatType, {1})};
  const auto plan = testing::plan_of(model.make());
  return plan ? "planned" : describe(plan.error());
}

TEST(CnnFromOnnxOtherInputs, NameTheFirstOperatorThatNoNetworkForPicturesHas) {
  const std::string sound = onnx::value("sound", onnx::kFloatType, {1, 512});
  const std::string error = refused(sound, {onnx::node("Relu", {"sound"}, {"a"}, {}, "", "first"),
                                            onnx::node("LSTM", {"a"}, {"y"}, {}, "", "second")});
  EXPECT_NE(error.find("Unsupported at byte "), std::string::npos) << error;
  EXPECT_NE(error.find("second: LSTM: the graph takes neither tokens nor a picture"),
            std::string::npos)
      << error;
}

TEST(CnnFromOnnxOtherInputs, NameTheFirstNodeWhereAllOperatorsAreKnown) {
  const std::string rows = onnx::value("rows", onnx::kFloatType, {1, 4});
  const std::string error = refused(rows, {onnx::node("Relu", {"rows"}, {"y"}, {}, "", "first")});
  EXPECT_NE(error.find("first: Relu: the graph takes neither"), std::string::npos) << error;
}

TEST(CnnFromOnnxOtherInputs, NameTheInputOfAGraphWithoutNodes) {
  const std::string error = refused(onnx::value("x", onnx::kFloatType, {1, 4}), {});
  EXPECT_NE(error.find("graph.input: the graph takes neither"), std::string::npos) << error;
}

TEST(CnnFromOnnxOtherInputs, AskForTheDirectoryOfAGraphThatTakesTokens) {
  const std::string ids = onnx::value("input_ids", onnx::kInt64Type, {0, 0});
  const std::string error = refused(ids, {onnx::node("Cast", {"input_ids"}, {"y"})});
  EXPECT_NE(error.find("NotFound, config.json: config.json is missing, and the graph alone"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace ambry::convert
