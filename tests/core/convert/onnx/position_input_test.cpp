// Encoders whose graphs take the positions of tokens as an input.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "convert/onnx/mutate_graph.h"
#include "convert/onnx/onnx_encoder_case.h"
#include "formats/onnx/make_onnx.h"

namespace ambry::convert {
namespace {

using testing::File;
using testing::Message;
using testing::OnnxEncoderCase;

std::set<std::string> texts(Message& message, uint32_t number) {
  std::set<std::string> found;
  for (const Message::Field* field : message.all(number)) found.insert(field->bytes);
  return found;
}

// Leaves out a node whose results nobody reads. False: there is none.
bool drop_unread(Message& graph, std::set<std::string> read) {
  auto& fields = graph.fields();
  for (auto& field : fields) {
    if (field.number != testing::kNodeField) continue;
    Message node(field.bytes);
    read.merge(texts(node, testing::kInputField));
  }
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    if (field->number != testing::kNodeField) continue;
    Message node(field->bytes);
    bool is_read = false;
    for (const auto& output : texts(node, testing::kOutputField)) is_read |= read.contains(output);
    if (is_read) continue;
    fields.erase(field);
    return true;
  }
  return false;
}

// The graph with the input `position_ids` in place of this value.
File with_positions(const OnnxEncoderCase& of, const std::string& value) {
  constexpr uint32_t kGraphInput = 11;
  constexpr uint32_t kGraphOutput = 12;
  Message model({reinterpret_cast<const char*>(of.graph.data()), of.graph.size()});
  std::string& bytes = model.all(testing::kGraphField).front()->bytes;
  Message graph(bytes);
  for (Message::Field* field : graph.all(testing::kNodeField)) {
    Message node(field->bytes);
    for (Message::Field* input : node.all(testing::kInputField)) {
      if (input->bytes == value) input->bytes = "position_ids";
    }
    field->bytes = node.write();
  }
  const std::string ids =
      formats::onnx::testing::value("position_ids", formats::onnx::testing::kInt64Type, {0, 0});
  graph.fields().push_back({kGraphInput, io::ProtobufField::Wire::Bytes, 0, ids});
  std::set<std::string> outputs;
  for (Message::Field* field : graph.all(kGraphOutput)) {
    outputs.insert(Message(field->bytes).text(1));
  }
  while (drop_unread(graph, outputs)) {
  }
  bytes = graph.write();
  const std::string made = model.write();
  return {made.begin(), made.end()};
}

TEST(OnnxPositionInput, GivesTheEncoderThatCountsByItself) {
  const std::pair<const char*, const char*> cases[] = {
      {"bert_opset17_sdpa", "v46"}, {"distilbert_opset13", "v45"}, {"modernbert_opset17", "v87"}};
  for (const auto& [name, positions] : cases) {
    SCOPED_TRACE(name);
    const OnnxEncoderCase of = OnnxEncoderCase::read(name);
    const File changed = with_positions(of, positions);
    ASSERT_LT(changed.size(), of.graph.size());
    const auto converted = of.convert(changed);
    ASSERT_TRUE(converted) << describe(converted.error());
    EXPECT_EQ(*converted, *of.convert());
  }
}

// RoBERTa counts from the id of padding on, and leaves out padding.
TEST(OnnxPositionInput, IsRefusedWhereTheArchitectureCountsOtherwise) {
  const OnnxEncoderCase of = OnnxEncoderCase::read("roberta_opset14");
  const auto converted = of.convert(with_positions(of, "v47"));
  ASSERT_FALSE(converted);
  EXPECT_NE(converted.error().message.find("positions must count from"), std::string::npos)
      << describe(converted.error());
}

}  // namespace
}  // namespace ambry::convert
