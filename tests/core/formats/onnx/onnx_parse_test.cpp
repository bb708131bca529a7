#include "formats/onnx/onnx_parse.h"

#include <gtest/gtest.h>

#include "formats/allocation_meter.h"
#include "formats/onnx/make_onnx.h"
#include "formats/onnx/onnx_check.h"
#include "formats/onnx/onnx_layout.h"
#include "io/source.h"

namespace ambry::formats::onnx {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's
using Place = Tensor::Place;

Result<OnnxModel> read_file(const File& file) {
  const io::MemorySource source(file);
  return read_model(source);
}

void expect_failure(const File& file, ErrorCode code, std::string_view path) {
  const auto model = read_file(file);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, code) << describe(model.error());
  EXPECT_NE(model.error().path.find(path), std::string::npos) << describe(model.error());
  EXPECT_LE(model.error().byte_offset, file.size());
}

File with_initializer(const std::string& tensor) {
  ModelMaker model;
  model.graph.initializers = {tensor};
  return model.make();
}

TEST(OnnxParse, ReadsNodesTensorsAndGraphs) {
  const File file = make_onnx();
  const auto model = read_file(file);
  ASSERT_TRUE(model) << describe(model.error());
  const Graph& graph = model->graph;
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->opset(), 17);
  EXPECT_EQ(model->names[model->producer], "maker");
  ASSERT_EQ(graph.nodes.size(), 6U);
  EXPECT_TRUE(model->is(graph.nodes[0], "MatMul"));
  EXPECT_EQ(model->names[graph.nodes[0].name], "/layer/MatMul");
  EXPECT_EQ(model->names[graph.inputs_of(graph.nodes[0])[1]], "w");
  EXPECT_EQ(graph.outputs_of(graph.nodes[0])[0], graph.inputs_of(graph.nodes[1])[0]);
  const Attribute* const axes = model->find(graph, graph.nodes[2], "axes");
  ASSERT_NE(axes, nullptr);
  EXPECT_EQ(model->ints(*axes), (std::vector<int64_t>{-1, 0}));
  const Attribute* const branch = model->find(graph, graph.nodes[5], "else_branch");
  ASSERT_NE(branch, nullptr);
  EXPECT_TRUE(model->is(model->graph_of(*branch)->nodes[0], "Neg"));
  ASSERT_EQ(graph.initializers.size(), 2U);
  EXPECT_EQ(graph.initializers[0].place, Place::File);
  EXPECT_EQ(graph.initializers[0].data_bytes, 4800U);
  EXPECT_EQ(file[graph.initializers[0].data_offset + 3], 0x3F);
  EXPECT_EQ(model->dims(graph.initializers[0]), (std::vector<int64_t>{40, 30}));
  const auto dims = graph.dims_of(graph.inputs[0]);
  EXPECT_EQ(model->names[dims[0].name()], "n");
  EXPECT_EQ(dims[1].number(), 40U);
}

// The values are passed over, however long they are.
TEST(OnnxParse, LoadsNoValues) {
  ModelMaker maker;
  maker.graph.initializers = {raw_tensor("w", kFloatType, {1 << 20}, floats(1 << 20))};
  const File file = maker.make();
  io::PartialSource source(file.size());
  for (int round = 0; round < 100; ++round) {
    const auto model = read_model(source);
    if (model) break;
    ASSERT_EQ(model.error().code, ErrorCode::NeedBytes) << describe(model.error());
    ASSERT_TRUE(
        source.insert(model.error().byte_offset,
                      Bytes(file).subspan(model.error().byte_offset, model.error().need_size)));
  }
  EXPECT_TRUE(read_model(source));
  EXPECT_LT(source.loaded_bytes(), 20'000U);
}

TEST(OnnxParse, TakesPackedAndSingleNumbers) {
  std::string packed;
  for (const char c : {'\x02', '\x05'}) packed += c;
  Writer tensor;
  tensor.put_bytes(1, packed);
  tensor.put_varint(1, 1);
  tensor.put_varint(2, kInt64Type);
  tensor.put_bytes(7, packed);
  tensor.put_varint(7, 300);
  const auto model = read_file(with_initializer(tensor.take()));
  ASSERT_TRUE(model) << describe(model.error());
  const Tensor& read = model->graph.initializers[0];
  EXPECT_EQ(model->dims(read), (std::vector<int64_t>{2, 5, 1}));
  EXPECT_EQ(read.place, Place::Memory);
  EXPECT_EQ(model->values.substr(read.data_offset, read.data_bytes), "\x02\x05\xAC\x02");
}

TEST(OnnxParse, LeavesOnePackedFieldInTheFile) {
  Writer tensor = tensor_head("f", kFloatType, {3});
  tensor.put_bytes(4, floats(3));
  const auto model = read_file(with_initializer(tensor.take()));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->graph.initializers[0].place, Place::File);
  EXPECT_EQ(model->graph.initializers[0].field, 4);
  EXPECT_EQ(model->graph.initializers[0].data_bytes, 12U);
}

TEST(OnnxParse, MergesRepeatedMessages) {
  ModelMaker maker;
  GraphMaker first;
  first.nodes = {node("Relu", {"x"}, {"y"})};
  const std::string second = [] {
    GraphMaker graph;
    graph.nodes = {node("Neg", {"y"}, {"z"})};
    return graph.make();
  }();
  File file = maker.make(first.make());
  Writer more;
  more.put_bytes(7, second);
  const std::string tail = more.take();
  file.insert(file.end(), tail.begin(), tail.end());
  const auto model = read_file(file);
  ASSERT_TRUE(model) << describe(model.error());
  ASSERT_EQ(model->graph.nodes.size(), 2U);
  EXPECT_TRUE(model->is(model->graph.nodes[1], "Neg"));
}

TEST(OnnxParse, PlacesExternalData) {
  const auto model = read_file(with_initializer(
      external_tensor("w", kFloatType, {2},
                      {entry("location", "a.bin"), entry("offset", "64"), entry("length", "8")})));
  ASSERT_TRUE(model) << describe(model.error());
  const Tensor& tensor = model->graph.initializers[0];
  EXPECT_EQ(tensor.place, Place::External);
  EXPECT_EQ(model->names[tensor.location], "a.bin");
  EXPECT_EQ(tensor.data_offset, 64U);
  EXPECT_EQ(tensor.data_bytes, 8U);
}

TEST(OnnxParse, RefusesWhatItCannotRead) {
  expect_failure(File{'\x08', 8, '\x3B', 0}, ErrorCode::BadValue, "model");  // a group
  expect_failure(File{'\x08', 8}, ErrorCode::Truncated, "graph");
  Writer twice = tensor_head("w", kFloatType, {1});
  twice.put_bytes(9, floats(1));
  twice.put_bytes(4, floats(1));
  expect_failure(with_initializer(twice.take()), ErrorCode::BadValue, "initializer[0]");
  expect_failure(with_initializer(raw_tensor("w", 99, {}, "")), ErrorCode::Unsupported,
                 "initializer[0].data_type");
  expect_failure(with_initializer(external_tensor("w", kFloatType, {}, {})), ErrorCode::BadValue,
                 "external_data");
  expect_failure(with_initializer(external_tensor("w", kFloatType, {},
                                                  {entry("location", "a"), entry("offset", "-1")})),
                 ErrorCode::BadValue, "external_data");
  ModelMaker maker;
  maker.graph.nodes = {node("", {"x"}, {"y"})};
  expect_failure(maker.make(), ErrorCode::BadValue, "graph.node[0].op_type");
  maker.graph.nodes = {node("Relu", {"\xFF"}, {"y"})};
  expect_failure(maker.make(), ErrorCode::BadValue, "graph.node[0].input");
}

TEST(OnnxParse, LimitsNestedGraphsAndTypes) {
  ModelMaker maker;
  std::string graph = GraphMaker().make();
  for (uint32_t i = 0; i < kMaxGraphDepth; ++i) {
    GraphMaker outer;
    outer.nodes = {node("If", {"c"}, {"y"}, {graph_attribute("then_branch", graph)})};
    graph = outer.make();
  }
  expect_failure(maker.make(graph), ErrorCode::LimitExceeded, "node[0].attribute");
  std::string type;
  for (uint32_t i = 0; i <= kMaxTypeDepth; ++i) {
    Writer sequence;
    sequence.put_bytes(1, type);
    Writer outer;
    outer.put_bytes(4, sequence.take());
    type = outer.take();
  }
  Writer info;
  info.put_bytes(1, "x");
  info.put_bytes(2, type);
  maker.graph.inputs = {info.take()};
  expect_failure(maker.make(), ErrorCode::LimitExceeded, "graph.input[0]");
}

// A million nodes take less than three times the bytes of their file.
TEST(OnnxParse, AMillionNodesTakeLittleMemory) {
  constexpr int kNodes = 1'000'000;
  std::string graph;
  {
    Writer message;
    for (int i = 0; i < kNodes; ++i) {
      message.put_bytes(
          1, node("Relu", {"layer." + std::to_string(i)}, {"layer." + std::to_string(i + 1)}));
    }
    graph = message.take();
  }
  const File file = ModelMaker().make(graph);
  graph = std::string();
  const io::MemorySource source(file);
  const ambry::testing::AllocationMeter meter;
  const auto model = read_model(source);
  ASSERT_TRUE(model) << describe(model.error());
  EXPECT_EQ(model->graph.nodes.size(), size_t{kNodes});
  io::Diagnostics found;
  check_model(*model, found);
  EXPECT_EQ(found.errors.size(), 1U);  // nothing makes the first input
  EXPECT_LE(meter.peak(), 3 * file.size());
}

}  // namespace
}  // namespace ambry::formats::onnx
