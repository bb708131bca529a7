// Weights in the forms of quantizers, beside numpy's values and onnxruntime's results.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "convert/onnx/quantized_case.h"
#include "convert/onnx/weights/weight_tensors.h"
#include "io/crc32.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert::onnx {
namespace {

using testing::floats_of;
using testing::Opened;
using testing::quantized_file;
using testing::quantized_json;
using testing::read_matrix;

std::vector<float> as_floats(const std::vector<uint8_t>& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

// The matrix as f32.
std::vector<uint8_t> decoded(const PackedMatrix& from, Bytes file) {
  PackedMatrix matrix = from;
  EXPECT_TRUE(choose_type(false, matrix));
  return read_matrix(matrix, file);
}

// What the layer makes of the input.
std::vector<float> layer(const std::vector<float>& weight, const tensor::Shape& shape,
                         const std::vector<float>& bias, const std::vector<float>& input) {
  std::vector<float> out;
  for (size_t token = 0; token < input.size() / shape[1]; ++token) {
    for (size_t i = 0; i < shape[0]; ++i) {
      double sum = bias.empty() ? 0 : bias[i];
      for (size_t k = 0; k < shape[1]; ++k) {
        sum += static_cast<double>(input[token * shape[1] + k]) * weight[i * shape[1] + k];
      }
      out.push_back(static_cast<float>(sum));
    }
  }
  return out;
}

std::vector<float> rows_of(const std::vector<float>& table, const tensor::Shape& shape,
                           const std::vector<float>& ids) {
  std::vector<float> out;
  for (const float id : ids) {
    const auto from = table.begin() + static_cast<std::ptrdiff_t>(id) * static_cast<int>(shape[1]);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(shape[1]));
  }
  return out;
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    ab += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

auto find_layer(const Opened& opened, bool embedding) {
  return embedding ? find_embedding(opened.file(), opened.output())
                   : find_linear(opened.file(), opened.output());
}

std::vector<float> bias_of(const OnnxWeight& weight, Bytes file) {
  if (!weight.given.empty()) return weight.given;
  const auto bytes = file.subspan(weight.input.tensor.offset, weight.input.tensor.bytes);
  return as_floats({bytes.begin(), bytes.end()});
}

TEST(OnnxQuantizedWeights, AreThoseOfNumpyAndGiveWhatOnnxruntimeGives) {
  const io::Json json = quantized_json();
  const auto inputs = floats_of(*json.find("inputs")->find("x"));
  const auto ids = floats_of(*json.find("inputs")->find("ids"));
  for (const io::Json& stated : json.find("cases")->items()) {
    const std::string name = stated.find("name")->string();
    SCOPED_TRACE(name);
    const bool embedding = stated.find("embedding") != nullptr;
    const Opened opened(quantized_file(name));
    auto match = find_layer(opened, embedding);
    ASSERT_TRUE(match) << match.error().message;
    ASSERT_TRUE(match->has_value());
    EXPECT_EQ(opened.file().model().names[(*match)->input], "x");
    const OnnxWeight& weight = (*match)->weight;
    ASSERT_NE(weight.packed, nullptr);
    const auto& extents = stated.find("shape")->items();
    ASSERT_EQ(weight.shape(), (tensor::Shape{extents[0].uint(), extents[1].uint()}));
    EXPECT_EQ(weight.packed->shape, weight.shape());
    const auto bytes = decoded(*weight.packed, opened.bytes());
    EXPECT_EQ(io::crc32(bytes), stated.find("crc32")->uint());
    const auto values = as_floats(bytes);
    const bool biased = stated.find("bias") != nullptr && stated.find("bias")->boolean();
    ASSERT_EQ((*match)->bias.has_value(), biased);
    const auto bias = biased ? bias_of(*(*match)->bias, opened.bytes()) : std::vector<float>();
    const auto made = embedding ? rows_of(values, weight.shape(), ids)
                                : layer(values, weight.shape(), bias, inputs);
    const auto expected = floats_of(*stated.find("output"));
    ASSERT_EQ(made.size(), expected.size());
    // onnxruntime quantizes the input of many of these.
    EXPECT_GT(cosine(made, expected), 0.9995);
    if (!embedding) continue;
    for (size_t i = 0; i < made.size(); ++i) EXPECT_NEAR(made[i], expected[i], 1e-5) << i;
  }
}

// (q - zero point) * scale of what EMBD stores.
std::vector<float> of_int8_rows(const std::vector<uint8_t>& codes, const std::vector<float>& scales,
                                const std::vector<float>& zeros, uint64_t cols) {
  std::vector<float> values;
  for (size_t i = 0; i < codes.size(); ++i) {
    const size_t row = i / cols;
    const float zero = zeros.empty() ? 0 : zeros[zeros.size() == 1 ? 0 : row];
    values.push_back((static_cast<float>(static_cast<int8_t>(codes[i])) - zero) *
                     scales[scales.size() == 1 ? 0 : row]);
  }
  return values;
}

TEST(OnnxQuantizedWeights, OfEightBitsStayCodesInEmbd) {
  const io::Json json = quantized_json();
  size_t kept = 0;
  for (const io::Json& stated : json.find("cases")->items()) {
    const std::string name = stated.find("name")->string();
    SCOPED_TRACE(name);
    const Opened opened(quantized_file(name));
    auto match = find_layer(opened, stated.find("embedding") != nullptr);
    ASSERT_TRUE(match && match->has_value());
    const OnnxWeight weight = (*match)->weight;
    const auto exact = as_floats(decoded(*weight.packed, opened.bytes()));
    WeightTensors tensors(opened.sources(), KeptCodes::Embd);
    ASSERT_TRUE(tensors.add("layer.weight", weight));
    const SourceModel source = tensors.finish();
    ASSERT_FALSE(source.model.tensors.empty());
    if (source.model.tensors[0].dtype != tensor::DType::I8) {
      EXPECT_EQ(source.model.tensors.size(), 1U);
      ASSERT_EQ(source.warnings.size(), 1U);
      continue;
    }
    ++kept;
    EXPECT_TRUE(source.warnings.empty());
    const auto part = [&](size_t i) {
      EXPECT_EQ(source.files[i], 1U);
      return read_matrix(source.decoded->at(source.model.tensors[i].offset), opened.bytes());
    };
    EXPECT_EQ(source.model.tensors[1].name, "layer.weight.scale");
    std::vector<float> zeros;
    if (source.model.tensors.size() == 3) {
      EXPECT_EQ(source.model.tensors[2].name, "layer.weight.zero_point");
      zeros = as_floats(part(2));
    }
    EXPECT_EQ(of_int8_rows(part(0), as_floats(part(1)), zeros, weight.shape()[1]), exact);
  }
  EXPECT_EQ(kept, 12U);
}

// The types of AMB that have the same codes, in the order of the cases; all others are f32.
const std::map<std::string, tensor::DType, std::less<>> kAmbTypes = {
    {"dynamic_int8_channel", tensor::DType::Int8},
    {"joined_int8", tensor::DType::Int8},
    {"qdq_int8_turned", tensor::DType::Int8},
    {"qdq_int4_blocks", tensor::DType::Int4Block},
    {"qdq_uint4_blocks", tensor::DType::Int5Block},
    {"nbits4", tensor::DType::Int4Block},
    {"nbits4_zeros", tensor::DType::Int5Block},
    {"nbits4_bias", tensor::DType::Int4Block},
    {"nbits8", tensor::DType::Int8},
    {"gather_blocks4", tensor::DType::Int5Block},
    {"gather_blocks4_tied", tensor::DType::Int4Block},
    {"gather_blocks4_symmetric", tensor::DType::Int4Block},
    {"gather_blocks8_symmetric", tensor::DType::Int8},
};

std::vector<float> amb_values(const model::TensorEntry& tensor, const std::vector<uint8_t>& from) {
  auto decoder =
      tensor::StreamDecoder::create(tensor.dtype, tensor.shape, tensor.quantization, tensor.bytes);
  EXPECT_TRUE(decoder);
  std::vector<float> values(static_cast<size_t>(*tensor.shape.count()));
  Bytes bytes = from;
  size_t n = 0;
  while (n < values.size()) {
    const auto more = decoder->decode(bytes, std::span(values).subspan(n));
    if (!more || *more == 0) break;
    n += *more;
  }
  EXPECT_EQ(n, values.size());
  return values;
}

TEST(OnnxQuantizedWeights, StayCodesInAmbWhereATypeHasThem) {
  const io::Json json = quantized_json();
  for (const io::Json& stated : json.find("cases")->items()) {
    const std::string name = stated.find("name")->string();
    SCOPED_TRACE(name);
    const Opened opened(quantized_file(name));
    auto match = find_layer(opened, stated.find("embedding") != nullptr);
    ASSERT_TRUE(match && match->has_value());
    const OnnxWeight weight = (*match)->weight;
    const auto exact = as_floats(decoded(*weight.packed, opened.bytes()));
    WeightTensors tensors(opened.sources(), KeptCodes::Amb);
    ASSERT_TRUE(tensors.add("layer.weight", weight));
    const SourceModel source = tensors.finish();
    ASSERT_EQ(source.model.tensors.size(), 1U);
    const model::TensorEntry& tensor = source.model.tensors[0];
    const auto kept = kAmbTypes.find(name);
    EXPECT_EQ(dtype_name(tensor.dtype),
              dtype_name(kept == kAmbTypes.end() ? tensor::DType::F32 : kept->second));
    EXPECT_EQ(source.warnings.empty(), kept != kAmbTypes.end());
    EXPECT_EQ(amb_values(tensor, read_matrix(source.decoded->matrices[0], opened.bytes())), exact);
  }
}

}  // namespace
}  // namespace ambry::convert::onnx
