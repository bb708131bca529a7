#include "formats/onnx/onnx_check.h"

#include <gtest/gtest.h>

#include "formats/onnx/external_data.h"
#include "formats/onnx/make_onnx.h"
#include "formats/onnx/onnx_parse.h"
#include "formats/read_format.h"
#include "io/source.h"

namespace ambry::formats::onnx {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

io::Diagnostics check_file(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  const auto model = read_model(source);
  EXPECT_TRUE(model) << describe(model.error());
  if (model) check_model(*model, found);
  return found;
}

// The file has an error at this path whose message has these words.
void expect_error(const File& file, std::string_view path, std::string_view words) {
  const io::Diagnostics found = check_file(file);
  std::string all;
  bool is_there = false;
  for (const Error& error : found.errors) {
    all += describe(error) + "\n";
    is_there |= error.path.find(path) != std::string::npos &&
                error.message.find(words) != std::string::npos && error.byte_offset <= file.size();
  }
  EXPECT_TRUE(is_there) << path << ": " << words << "\n" << all;
}

ModelMaker one_node(const std::string& message) {
  ModelMaker model;
  model.graph.inputs = {value("x")};
  model.graph.nodes = {message};
  model.graph.outputs = {value("y")};
  return model;
}

File one_initializer(const std::string& tensor) {
  ModelMaker model = one_node(node("Relu", {"x"}, {"y"}));
  model.graph.initializers = {tensor};
  return model.make();
}

TEST(OnnxCheck, AcceptsASoundModel) {
  const io::Diagnostics found = check_file(make_onnx());
  EXPECT_TRUE(found.errors.empty() && found.warnings.empty());
}

TEST(OnnxCheck, NamesAreDefinedOnceAndBeforeUse) {
  expect_error(one_node(node("Relu", {"z"}, {"y"})).make(), "graph.node[0].input", "nothing makes");
  ModelMaker model = one_node(node("Relu", {"x"}, {"y"}));
  model.graph.nodes.push_back(node("Neg", {"x"}, {"y"}));
  expect_error(model.make(), "graph.node[1]", "defined twice");
  model.graph.nodes = {node("Relu", {"h"}, {"y"}), node("Neg", {"x"}, {"h"})};
  expect_error(model.make(), "graph.node[0].input", "before it is made");
  model.graph.nodes = {node("Relu", {"x"}, {"h"})};
  expect_error(model.make(), "graph.output", "nothing makes the output");
  model.graph.initializers = {raw_tensor("w", kFloatType, {1}, floats(1)),
                              raw_tensor("w", kFloatType, {1}, floats(1))};
  expect_error(model.make(), "graph.initializer[1]", "defined twice");
}

TEST(OnnxCheck, NamesACycle) {
  ModelMaker model = one_node(node("Add", {"x", "c"}, {"a"}));
  model.graph.nodes.push_back(node("Relu", {"a"}, {"b"}));
  model.graph.nodes.push_back(node("Neg", {"b"}, {"c"}));
  model.graph.nodes.push_back(node("Neg", {"c"}, {"y"}));
  expect_error(model.make(), "graph.node[0]", "cycle");
}

// What a graph in an attribute defines is not seen outside it.
TEST(OnnxCheck, GraphsInAttributesSeeTheNamesAroundThem) {
  ModelMaker model = small_model();
  model.graph.nodes.push_back(node("Neg", {"out"}, {"more"}));
  expect_error(model.make(), "graph.node[6].input", "nothing makes \"out\"");
  model = small_model();
  GraphMaker branch;
  branch.nodes = {node("Neg", {"h"}, {"m"})};
  branch.outputs = {value("m")};
  model.graph.nodes[5] = node("If", {"some"}, {"y"},
                              {graph_attribute("then_branch", branch.make()),
                               graph_attribute("else_branch", branch.make())});
  expect_error(model.make(), "graph.node[5].then_branch.node[0]", "hides");
}

TEST(OnnxCheck, OperatorsHaveTheirInputsAndAttributes) {
  expect_error(one_node(node("Rleu", {"x"}, {"y"})).make(), "graph.node[0].op_type", "no operator");
  expect_error(one_node(node("Add", {"x"}, {"y"})).make(), "graph.node[0].input", "expected 2");
  expect_error(one_node(node("Gelu", {"x"}, {"y"})).make(), "graph.node[0].op_type",
               "version 17 of \"\" has no operator Gelu");
  expect_error(one_node(node("Softmax", {"x"}, {"y"}, {float_attribute("axis", 1)})).make(),
               "graph.node[0].attribute", "another type");
  expect_error(one_node(node("Softmax", {"x"}, {"y"}, {int_attribute("axes", 1)})).make(),
               "graph.node[0].attribute", "has no attribute");
  expect_error(one_node(node("Cast", {"x"}, {"y"})).make(), "graph.node[0].attribute", "lacks");
  expect_error(one_node(node("Relu", {"x"}, {"y"}, {}, "com.microsoft")).make(),
               "graph.node[0].domain", "does not import");
  ModelMaker other = one_node(node("Thing", {"x"}, {"y"}, {}, "mine"));
  other.opsets.push_back(opset("mine", 1));
  const io::Diagnostics found = check_file(other.make());
  EXPECT_TRUE(found.errors.empty());
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].message.find("Thing"), std::string::npos);
}

TEST(OnnxCheck, TensorsHaveTheBytesOfTheirShape) {
  struct Case {
    uint32_t type;
    std::vector<int64_t> dims;
    size_t bytes;
  };
  const Case cases[] = {{1, {3, 2}, 24}, {10, {5}, 10},  {16, {5}, 10}, {22, {3}, 2},
                        {21, {4}, 2},    {17, {3}, 3},   {25, {5}, 2},  {15, {2}, 32},
                        {9, {}, 1},      {11, {0, 7}, 0}};
  for (const Case& each : cases) {
    const auto sound = check_file(
        one_initializer(raw_tensor("w", each.type, each.dims, std::string(each.bytes, '\1'))));
    EXPECT_TRUE(sound.errors.empty()) << each.type << describe(sound.errors[0]);
    expect_error(
        one_initializer(raw_tensor("w", each.type, each.dims, std::string(each.bytes + 1, '\1'))),
        "graph.initializer[0]", "expected");
  }
  expect_error(one_initializer(raw_tensor("w", 1, {-1}, "")), "initializer[0].dims", "negative");
  expect_error(one_initializer(raw_tensor("w", 1, {int64_t{1} << 40, int64_t{1} << 40}, "")),
               "initializer[0].dims", "64 bits");
  Writer wrong = tensor_head("w", kInt64Type, {1});
  wrong.put_bytes(4, floats(1));
  expect_error(one_initializer(wrong.take()), "initializer[0]", "expected 7");
  Writer few = tensor_head("w", kInt64Type, {3});
  few.put_varint(7, 1);
  few.put_varint(7, 2);
  expect_error(one_initializer(few.take()), "initializer[0]", "not as many");
}

TEST(OnnxCheck, SparseTensorsHaveIndices) {
  const auto file = [](size_t index_bytes) {
    Writer sparse;
    sparse.put_bytes(1, raw_tensor("s", kFloatType, {2}, floats(2)));
    sparse.put_bytes(2, raw_tensor("", kInt64Type, {2}, std::string(index_bytes, '\0')));
    sparse.put_varint(3, 9);
    Writer graph;
    graph.put_bytes(1, node("Relu", {"s"}, {"y"}));
    graph.put_bytes(15, sparse.take());
    graph.put_bytes(12, value("y"));
    return ModelMaker().make(graph.take());
  };
  EXPECT_TRUE(check_file(file(16)).errors.empty());
  expect_error(file(15), "sparse_initializer.indices", "expected 16");
}

TEST(OnnxCheck, ExternalDataStaysInTheFolder) {
  for (const char* const path : {"../a", "/etc/a", "a/../../b", "C:\\a", "a\\b", "..", "./"}) {
    expect_error(one_initializer(external_tensor("w", kFloatType, {1}, {entry("location", path)})),
                 "initializer[0].external_data", "leads out");
  }
  EXPECT_TRUE(stays_inside("./data/model.onnx_data"));
  EXPECT_EQ(plain_path("./data//x"), "data/x");
}

TEST(OnnxCheck, ExternalDataIsInRangeOfItsFile) {
  const File file = one_initializer(external_tensor(
      "w", kFloatType, {4},
      {entry("location", "./d.bin"), entry("offset", "16"), entry("length", "16")}));
  const io::MemorySource source(file);
  const auto model = read_model(source);
  ASSERT_TRUE(model);
  const auto check = [&](const std::vector<FileBeside>& files) {
    io::Diagnostics found;
    check_external(*model, files, found);
    return found;
  };
  EXPECT_TRUE(check({{"d.bin", 32}}).errors.empty());
  ASSERT_EQ(check({{"d.bin", 31}}).errors.size(), 1U);
  EXPECT_EQ(check({{"d.bin", 31}}).errors[0].code, ErrorCode::Truncated);
  EXPECT_EQ(check({{"other", 99}}).errors.at(0).code, ErrorCode::NotFound);
}

TEST(OnnxCheck, AFileThatIsMissingIsOneProblem) {
  ModelMaker maker = one_node(node("Relu", {"x"}, {"y"}));
  for (const char* const name : {"a", "b", "c"}) {
    maker.graph.initializers.push_back(
        external_tensor(name, kFloatType, {4}, {entry("location", "d.bin")}));
  }
  const File file = maker.make();
  const io::MemorySource source(file);
  const auto model = read_model(source);
  ASSERT_TRUE(model);
  io::Diagnostics found;
  check_external(*model, {}, found);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].path, "graph.initializer[0].external_data");
  EXPECT_EQ(found.errors[0].message,
            "the values of \"a\" and 2 more are in \"d.bin\", which was not given with the model");
}

std::string function(std::string_view name, const Texts& nodes) {
  Writer message;
  message.put_bytes(1, name);
  message.put_bytes(4, "x");
  message.put_bytes(5, "y");
  for (const auto& each : nodes) message.put_bytes(7, each);
  message.put_bytes(9, opset("", 17));
  message.put_bytes(9, opset("mine", 1));
  message.put_bytes(10, "mine");
  return message.take();
}

TEST(OnnxCheck, FunctionsAreDefinedOnceAndDoNotRecurse) {
  ModelMaker model = one_node(node("F", {"x"}, {"y"}, {}, "mine"));
  model.opsets.push_back(opset("mine", 1));
  model.functions = {function("F", {node("Relu", {"x"}, {"y"})})};
  EXPECT_TRUE(check_file(model.make()).errors.empty());
  model.functions = {function("F", {node("G", {"x"}, {"y"}, {}, "mine")}),
                     function("G", {node("F", {"x"}, {"y"}, {}, "mine")})};
  expect_error(model.make(), "functions[0]", "calls itself");
  model.functions = {function("F", {node("Relu", {"x"}, {"y"})}),
                     function("F", {node("Neg", {"x"}, {"y"})})};
  expect_error(model.make(), "functions[1]", "defined twice");
  model.functions = {function("F", {node("Relu", {"q"}, {"y"})})};
  expect_error(model.make(), "functions[0].node[0].input", "nothing makes \"q\"");
  model = one_node(node("F", {"x", "x"}, {"y"}, {}, "mine"));
  model.opsets.push_back(opset("mine", 1));
  model.functions = {function("F", {node("Relu", {"x"}, {"y"})})};
  expect_error(model.make(), "graph.node[0].input", "expected 0 to 1");
}

TEST(OnnxCheck, AnnotationsReferToTensors) {
  ModelMaker model = one_node(node("Relu", {"x"}, {"y"}));
  Writer annotation;
  annotation.put_bytes(1, "x");
  annotation.put_bytes(2, entry("SCALE_TENSOR", "x_scale"));
  model.graph.annotations = {annotation.take()};
  expect_error(model.make(), "graph.quantization_annotation", "no tensor \"x_scale\"");
  model.graph.initializers = {raw_tensor("x_scale", kFloatType, {}, floats(1))};
  EXPECT_TRUE(check_file(model.make()).errors.empty());
}

TEST(OnnxCheck, ReportsNoMoreProblemsThanAnybodyReads) {
  ModelMaker model = one_node(node("Relu", {"x"}, {"y"}));
  for (int i = 0; i < 1000; ++i) model.graph.nodes.push_back(node("Relu", {"no"}, {""}));
  EXPECT_LE(check_file(model.make()).errors.size(), 64U);
}

}  // namespace
}  // namespace ambry::formats::onnx
