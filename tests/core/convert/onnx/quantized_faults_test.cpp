// Changes the graphs of quantized layers in one place each. What then is no layer, or not one that
// is known, must not be read as one.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "convert/onnx/quantized_case.h"

namespace ambry::convert::onnx {
namespace {

using formats::onnx::Attribute;
using formats::onnx::AttributeType;
using formats::onnx::Node;
using formats::onnx::OnnxModel;
using testing::Change;
using testing::Opened;
using testing::quantized_file;

Node& node_of(OnnxModel& model, std::string_view op_type) {
  for (Node& node : model.graph.nodes) {
    if (model.op_type(node) == op_type) return node;
  }
  ADD_FAILURE() << op_type << " is missing";
  return model.graph.nodes.front();
}

// Sets a number that the node states.
Change with_int(const char* op, const char* attribute, int64_t value) {
  return [=](OnnxModel& model) {
    const Attribute* found = model.find(model.graph, node_of(model, op), attribute);
    ASSERT_NE(found, nullptr) << attribute;
    auto& changed =
        model.graph.attributes[static_cast<size_t>(found - model.graph.attributes.data())];
    ASSERT_EQ(changed.type, AttributeType::Int);
    changed.bits = static_cast<uint64_t>(value);
  };
}

// States a number that the node has left out.
Change with_new_int(const char* op, const char* name, int64_t value) {
  return [=](OnnxModel& model) {
    Attribute attribute;
    attribute.name = model.names.add(name);
    attribute.type = AttributeType::Int;
    attribute.bits = static_cast<uint64_t>(value);
    Node& node = node_of(model, op);
    ASSERT_EQ(node.n_attributes, 0U);
    node.attributes = static_cast<uint32_t>(model.graph.attributes.size());
    node.n_attributes = 1;
    model.graph.attributes.push_back(attribute);
  };
}

// Gives an input the value of another one.
Change with_input(const char* op, size_t input, const char* value) {
  return [=](OnnxModel& model) {
    const Node& node = node_of(model, op);
    ASSERT_LT(input, node.n_inputs);
    const NameId name = value[0] == 0 ? formats::onnx::kNoName : model.names.find(value);
    ASSERT_TRUE(value[0] == 0 || name != formats::onnx::kNoName) << value;
    model.graph.links[node.links + input] = name;
  };
}

Change with_op(const char* op, const char* other) {
  return [=](OnnxModel& model) {
    model.operators[node_of(model, op).op].op_type = model.names.add(other);
  };
}

struct Fault {
  const char* of;  // the case that is changed
  Change change;
  const char* said;  // in the error's message; empty: it is no layer
};

std::vector<Fault> faults() {
  return {
      {"dynamic_uint8", with_int("Cast", "to", 10), ""},
      {"dynamic_uint8", with_op("DynamicQuantizeLinear", "QuantizeLinear"), ""},
      {"dynamic_uint8", with_op("MatMulInteger", "MatMul"), ""},
      {"dynamic_uint8", with_op("Cast", "Neg"), ""},
      {"dynamic_uint8", with_input("MatMulInteger", 2, "onnx::MatMul_7_zero_point"), ""},
      {"dynamic_uint8", with_input("MatMulInteger", 2, ""), ""},
      {"dynamic_uint8", with_input("MatMulInteger", 3, "x_zero_point"), "no constant"},
      {"dynamic_uint8", with_input("MatMulInteger", 3, "onnx::MatMul_7_scale"), "another type"},
      {"dynamic_uint8", with_input("MatMulInteger", 1, "onnx::MatMul_7_zero_point"), "no matrix"},
      {"dynamic_uint8", with_input("Mul", 0, "onnx::MatMul_7_scale"), ""},
      {"dynamic_uint8", with_input("Mul", 1, "x_scale"), ""},
      {"dynamic_int8_channel", with_input("Mul", 1, "onnx::MatMul_7_zero_point"), "scales of type"},
      {"fused_uint8_bias", with_input("DynamicQuantizeMatMul", 4, "onnx::MatMul_7_quantized"),
       "its bias is no list"},
      {"fused_uint8_bias", with_input("DynamicQuantizeMatMul", 4, "x"), "its bias is no list"},
      {"joined_int8", with_input("MatMulIntegerToFloat", 2, "onnx::MatMul_7_scale"), ""},
      {"joined_int8", with_input("MatMulIntegerToFloat", 4, ""), ""},
      {"qdq_uint8_channel", with_int("DequantizeLinear", "axis", 0), "do not fit"},
      {"qdq_uint8_channel", with_int("DequantizeLinear", "axis", 2), "axis"},
      {"qdq_uint8_channel", with_int("DequantizeLinear", "axis", -3), "axis"},
      {"qdq_int8_columns", with_int("DequantizeLinear", "axis", 1), "do not fit"},
      {"qdq_int4_blocks", with_int("DequantizeLinear", "block_size", 8), "do not fit"},
      {"qdq_int4_blocks", with_int("DequantizeLinear", "block_size", 0), "do not fit"},
      {"qdq_int4_blocks", with_int("DequantizeLinear", "block_size", -1), "block size"},
      {"qdq_int4_blocks", with_int("DequantizeLinear", "axis", 1), "do not fit"},
      {"nbits4", with_int("MatMulNBits", "bits", 8), "expected"},
      {"nbits4", with_int("MatMulNBits", "bits", 3), "2, 4 and 8 bits"},
      {"nbits4", with_int("MatMulNBits", "K", 65), "expected"},
      {"nbits4", with_int("MatMulNBits", "K", 0), "K is not a number above 0"},
      {"nbits4", with_int("MatMulNBits", "K", int64_t{1} << 40), "K is not a number above 0"},
      {"nbits4", with_int("MatMulNBits", "N", 20), "expected"},
      {"nbits4", with_int("MatMulNBits", "block_size", 16), "expected"},
      {"nbits4", with_int("MatMulNBits", "block_size", 48), "no power of 2"},
      {"nbits4", with_input("MatMulNBits", 2, "onnx::MatMul_7_Q4"), "scales of type"},
      {"nbits4_zeros", with_input("MatMulNBits", 3, "onnx::MatMul_7_scales"), "no uint8"},
      {"nbits4_bias", with_input("MatMulNBits", 4, "onnx::MatMul_7_bias"), "g_idx"},
      {"nbits4_bias", with_input("MatMulNBits", 5, "onnx::MatMul_7_scales"), "its bias is no list"},
      {"bnb4_nf4", with_int("MatMulBnb4", "quant_type", 2), "FP4"},
      {"bnb4_nf4", with_int("MatMulBnb4", "block_size", 64), "expected"},
      {"bnb4_nf4", with_int("MatMulBnb4", "N", 22), "expected"},
      {"gather_uint8", with_new_int("Gather", "axis", 1), "rows"},
      {"gather_blocks4", with_int("GatherBlockQuantized", "gather_axis", 1), "gather_axis 0"},
      {"gather_blocks4", with_int("GatherBlockQuantized", "quantize_axis", 0), "quantize_axis 1"},
      {"gather_blocks4_tied", with_input("Reshape", 1, "word_embeddings.weight_scales"), "numbers"},
      {"gather_blocks4_tied", with_input("Reshape", 0, "word_embeddings.weight_scales"),
       "expected"},
      {"gather_blocks4", with_int("GatherBlockQuantized", "bits", 8), "expected"},
      {"gather_blocks4", with_int("GatherBlockQuantized", "block_size", 32), "expected"},
  };
}

TEST(OnnxQuantizedFaults, AreRefusedOrNoLayer) {
  for (const Fault& fault : faults()) {
    SCOPED_TRACE(std::string(fault.of) + ": " + fault.said);
    const Opened opened(quantized_file(fault.of), fault.change);
    const auto match = std::string_view(fault.of).starts_with("gather")
                           ? find_embedding(opened.file(), opened.output())
                           : find_linear(opened.file(), opened.output());
    if (*fault.said == 0) {
      ASSERT_TRUE(match) << match.error().message;
      EXPECT_FALSE(match->has_value());
      continue;
    }
    ASSERT_FALSE(match);
    EXPECT_EQ(match.error().code, ErrorCode::Unsupported);
    EXPECT_NE(match.error().message.find(fault.said), std::string::npos) << match.error().message;
    EXPECT_NE(match.error().byte_offset, kNoOffset);
  }
}

}  // namespace
}  // namespace ambry::convert::onnx
