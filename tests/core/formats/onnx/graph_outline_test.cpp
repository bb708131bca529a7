#include "formats/onnx/graph_outline.h"

#include <gtest/gtest.h>

#include <utility>

#include "formats/onnx/make_onnx.h"
#include "formats/onnx/onnx_parse.h"
#include "io/source.h"

namespace ambry::formats::onnx {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

constexpr int64_t kLong = 50'000;
constexpr int64_t kShort = 100;

// Matrices with short constants between them, and more nodes than one request holds.
File file_of_layers(int n_layers) {
  ModelMaker model;
  for (int i = 0; i < n_layers; ++i) {
    const std::string number = std::to_string(i);
    for (int j = 0; j < 20; ++j) {
      model.graph.nodes.push_back(node("Relu", {"x" + number}, {"y" + number}));
    }
    model.graph.initializers.push_back(raw_tensor("long" + number, kFloatType, {kLong},
                                                  std::string(static_cast<size_t>(kLong) * 4, 1)));
    model.graph.initializers.push_back(raw_tensor("short" + number, kFloatType, {kShort},
                                                  std::string(static_cast<size_t>(kShort) * 4, 2)));
  }
  return model.make();
}

// Inserts what the outline asks for. Returns how often it asked.
int load(const File& file, io::PartialSource& source) {
  for (int asked = 0;; ++asked) {
    const auto loaded = load_outline(source);
    if (loaded) return asked;
    EXPECT_EQ(loaded.error().code, ErrorCode::NeedBytes) << describe(loaded.error());
    if (loaded.error().code != ErrorCode::NeedBytes || asked == 1000) return -1;
    const uint64_t at = loaded.error().byte_offset;
    EXPECT_TRUE(
        source.insert(at, Bytes(file).subspan(static_cast<size_t>(at),
                                              static_cast<size_t>(loaded.error().need_size))));
  }
}

TEST(OnnxOutline, LoadsTheGraphAndShortTensors) {
  const File file = file_of_layers(10);
  io::PartialSource source(file.size());
  ASSERT_TRUE(source.insert(0, Bytes(file).first(64)));
  EXPECT_GT(load(file, source), 10);
  EXPECT_LT(source.loaded_bytes(), file.size() / 10);
  const auto model = read_model(source);
  ASSERT_TRUE(model) << describe(model.error());
  for (const Tensor& tensor : model->graph.initializers) {
    const bool is_short = tensor.data_bytes == static_cast<uint64_t>(kShort) * 4;
    EXPECT_EQ(is_short, bool{source.view(tensor.data_offset, tensor.data_bytes, "")});
  }
}

TEST(OnnxOutline, LeavesFaultsToTheParser) {
  File file = file_of_layers(1);
  file.resize(file.size() - 1);
  EXPECT_TRUE(load_outline(io::MemorySource(file)));
  EXPECT_FALSE(read_model(io::MemorySource(file)));
  const File other = {'G', 'G', 'U', 'F', 3, 0, 0, 0};
  EXPECT_TRUE(load_outline(io::MemorySource(other)));
}

}  // namespace
}  // namespace ambry::formats::onnx
