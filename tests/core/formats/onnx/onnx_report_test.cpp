#include "formats/onnx/onnx_report.h"

#include <gtest/gtest.h>

#include "formats/expect_format.h"
#include "formats/onnx/graph_document.h"
#include "formats/onnx/make_onnx.h"
#include "formats/onnx/onnx_parse.h"

namespace ambry::formats::onnx {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): our own folder's

TEST(OnnxReport, ListsTensorsOperatorsAndValues) {
  const auto report = formats::testing::sound_model(make_onnx(), "onnx");
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->version, "IR 8, opset 17");
  ASSERT_EQ(report->tensors.size(), 2U);
  EXPECT_EQ(report->tensors[0].name, "w");
  EXPECT_EQ(report->tensors[0].dtype, tensor::DType::F32);
  EXPECT_EQ(report->tensors[0].bytes, 4800U);
  EXPECT_EQ(report->metadata.dump(), R"({"author":"somebody"})");
  EXPECT_EQ(report->config.find("inputs")->dump(),
            R"([{"name":"x","dtype":"float","shape":["n",40]}])");
  EXPECT_EQ(report->config.find("nodes")->uint(), 6U);
  EXPECT_EQ(report->config.find("operators")->items().size(), 8U);
  EXPECT_EQ(report->config.find("elsewhere")->dump(), "[]");
}

// The regions and the tensors cover the file.
TEST(OnnxReport, MapsTheWholeFile) {
  const File file = make_onnx();
  const auto report = formats::testing::sound_model(file, "onnx");
  ASSERT_TRUE(report);
  uint64_t covered = 0;
  for (const auto& region : report->regions) covered += region.bytes;
  for (const auto& tensor : report->tensors) covered += tensor.bytes;
  EXPECT_EQ(covered, file.size());
}

TEST(OnnxReport, NamesWhatIsInOtherFiles) {
  ModelMaker model = small_model();
  model.graph.initializers[1] =
      external_tensor("b", kFloatType, {30},
                      {entry("location", "w.bin"), entry("offset", "8"), entry("length", "120")});
  model.graph.initializers.push_back(raw_tensor("codes", 21, {3}, "ab"));
  const auto report = formats::testing::sound_model(model.make(), "onnx");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->config.find("external")->dump(),
            R"([{"file":"w.bin","tensors":1,"begin":8,"end":128}])");
  const auto& elsewhere = report->config.find("elsewhere")->items();
  ASSERT_EQ(elsewhere.size(), 2U);
  EXPECT_EQ(elsewhere[0].dump(),
            R"({"name":"b","dtype":"float","shape":[30],"file":"w.bin","offset":8,"bytes":120})");
  EXPECT_EQ(elsewhere[1].find("dtype")->string(), "uint4");
}

TEST(OnnxReport, StatesTheTypesOfValues) {
  ModelMaker maker = small_model();
  maker.graph.values = {value("h", kFloatType, {-1, 30})};
  const File file = maker.make();
  const io::MemorySource source(file);
  const auto model = read_model(source);
  ASSERT_TRUE(model);
  EXPECT_EQ(graph_document(*model).find("values")->dump(),
            R"([{"name":"h","dtype":"float","shape":["n",30]}])");
}

TEST(OnnxReport, DescribesNodes) {
  const File file = make_onnx();
  const io::MemorySource source(file);
  const auto model = read_model(source);
  ASSERT_TRUE(model);
  const io::Json document = graph_document(*model);
  EXPECT_EQ(document.find("nodeCount")->uint(), 6U);
  const auto& nodes = document.find("nodes")->items();
  ASSERT_EQ(nodes.size(), 6U);
  EXPECT_EQ(nodes[0].find("name")->string(), "/layer/MatMul");
  EXPECT_EQ(nodes[2].find("attributes")->dump(), R"({"axes":[-1,0],"keepdims":0})");
  EXPECT_EQ(nodes[3].find("attributes")->dump(), R"({"value":"float[]"})");
  EXPECT_EQ(nodes[5].find("attributes")->find("then_branch")->string(), "graph of 1 node");
}

}  // namespace
}  // namespace ambry::formats::onnx
