// Graphs that are given without config.json: which error says what to do, or why they are not read.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "convert/run_conversion.h"
#include "data_files.h"
#include "fixtures_folder.h"
#include "formats/allocation_meter.h"
#include "formats/onnx/make_onnx.h"

namespace ambry::convert {
namespace {

namespace onnx = formats::onnx::testing;
using testing::File;

constexpr const char* kMissing =
    "NotFound, config.json: config.json is missing, and the graph alone";

std::string error_of(const File& file, const char* target) {
  const auto converted = testing::run(file, SideFiles(), testing::to(target));
  return converted ? "converted" : describe(converted.error());
}

void expect_error(const File& file, const std::string& words) {
  for (const char* target : {"embd", "amb", "alt", "tinyruntime"}) {
    const std::string error = error_of(file, target);
    EXPECT_NE(error.find(words), std::string::npos) << target << ": " << error;
  }
}

std::string tokens(const std::string& name) { return onnx::value(name, onnx::kInt64Type, {0, 0}); }

File graph_of(const onnx::Texts& inputs, const onnx::Texts& nodes) {
  onnx::ModelMaker model;
  model.graph.inputs = inputs;
  model.graph.nodes = nodes;
  model.graph.outputs = {onnx::value("y", onnx::kFloatType, {1})};
  model.opsets.push_back(onnx::opset("com.microsoft", 1));
  return model.make();
}

// All that are read have only operators and inputs that the tables here know.
TEST(OnnxUndescribed, EveryGraphThatIsReadAsksForItsConfig) {
  size_t n_graphs = 0;
  for (const char* folder : {"encoders", "quantized_encoders", "decoders"}) {
    const auto files = std::filesystem::recursive_directory_iterator(
        ambry::testing::fixtures_folder() / "onnx" / folder);
    for (const auto& entry : files) {
      if (entry.path().extension() != ".onnx") continue;
      SCOPED_TRACE(entry.path().filename().string());
      expect_error(ambry::testing::read_file(entry.path()).value(), kMissing);
      ++n_graphs;
    }
  }
  EXPECT_GE(n_graphs, 40U);
}

TEST(OnnxUndescribed, NamesTheFirstNodeThatNoModelForTextsHas) {
  const File file = graph_of({tokens("input_ids")},
                             {onnx::node("Gather", {"w", "input_ids"}, {"a"}, {}, "", "table"),
                              onnx::node("LSTM", {"a"}, {"b"}, {}, "", "recurrent"),
                              onnx::node("Loop", {"b"}, {"y"}, {}, "", "later")});
  expect_error(file, "recurrent: LSTM: no encoder or language model that is read has this");
}

TEST(OnnxUndescribed, NamesTheNodeThatCallsAnotherDomain) {
  const File file =
      graph_of({tokens("input_ids")},
               {onnx::node("Add", {"input_ids", "input_ids"}, {"y"}, {}, "mine", "sum")});
  expect_error(file, "sum: Add: no encoder");
}

// Language models whose attention is made of small nodes have the operators of encoders.
TEST(OnnxUndescribed, NamesTheInputWhereAllNodesAreKnown) {
  const auto cache = onnx::value("past_key_values.0.key", onnx::kFloatType, {0, 2, 0, 4});
  const File decoder =
      graph_of({tokens("input_ids"), cache},
               {onnx::node("Concat", {"past_key_values.0.key", "input_ids"}, {"y"})});
  expect_error(decoder, "past_key_values.0.key: no encoder that is read takes this input");
  expect_error(decoder, "GroupQueryAttention");
  const auto states = onnx::value("encoder_hidden_states", onnx::kFloatType, {0, 0, 8});
  const auto attention =
      onnx::node("GroupQueryAttention", {"input_ids"}, {"y"}, {}, "com.microsoft");
  expect_error(graph_of({tokens("input_ids"), states}, {attention}),
               "encoder_hidden_states: no language model that is read takes this input");
}

TEST(OnnxUndescribed, NamesTheNodeOfAGraphThatTakesNoTokens) {
  const File file = graph_of({onnx::value("sound", onnx::kFloatType, {1, 512})},
                             {onnx::node("Relu", {"sound"}, {"a"}, {}, "", "first"),
                              onnx::node("LSTM", {"a"}, {"y"}, {}, "", "second")});
  expect_error(file, "second: LSTM: the graph takes neither tokens nor a picture");
}

TEST(OnnxUndescribed, SendsANetworkForPicturesToItsFormat) {
  const File file = graph_of({onnx::value("picture", onnx::kFloatType, {1, 3, 8, 8})},
                             {onnx::node("Relu", {"picture"}, {"y"})});
  for (const char* target : {"embd", "amb", "alt"}) {
    const std::string error = error_of(file, target);
    EXPECT_NE(error.find("picture: the graph takes a picture; networks for pictures convert"),
              std::string::npos)
        << error;
  }
}

TEST(OnnxUndescribed, LeavesDirectoriesWithAConfigToTheirReaders) {
  const File file = graph_of({tokens("input_ids")}, {onnx::node("LSTM", {"input_ids"}, {"y"})});
  SideFiles side;
  side.add("config.json", R"({"model_type":"xlnet"})");
  const auto converted = testing::run(file, side, testing::to("embd"));
  ASSERT_FALSE(converted);
  EXPECT_EQ(converted.error().path, "config.json.model_type");
  const auto network = testing::run(file, side, testing::to("tinyruntime"));
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().code, ErrorCode::Mismatch);
  EXPECT_NE(network.error().message.find("takes tokens"), std::string::npos);
}

TEST(OnnxUndescribed, RefusesAMillionNodesInLittleMemory) {
  constexpr int kNodes = 1'000'000;
  File file;
  {
    onnx::Writer graph;
    for (int i = 0; i < kNodes; ++i) {
      graph.put_bytes(1, onnx::node("Relu", {"layer." + std::to_string(i)},
                                    {"layer." + std::to_string(i + 1)}));
    }
    graph.put_bytes(1, onnx::node("LSTM", {"input_ids"}, {"y"}, {}, "", "last"));
    graph.put_bytes(11, tokens("input_ids"));
    file = onnx::ModelMaker().make(graph.take());
  }
  const ambry::testing::AllocationMeter meter;
  const std::string error = error_of(file, "embd");
  EXPECT_NE(error.find("last: LSTM: no encoder"), std::string::npos) << error;
  EXPECT_LE(meter.peak(), 3 * file.size());
}

}  // namespace
}  // namespace ambry::convert
