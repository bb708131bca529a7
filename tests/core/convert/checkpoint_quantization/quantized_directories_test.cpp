// Converts directories whose weights a library has quantized. The Python decoders of
// tests/reference/quantized_checkpoints.py say what they stand for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "convert/checkpoint_quantization/quantized_fixture.h"
#include "convert/plan/source_model.h"
#include "io/crc32.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert {
namespace {

using testing::directory_of;
using testing::from_base64;
using testing::quantized_cases;
using testing::QuantizedCase;
using testing::read_strictly;
using testing::ReadBack;
using testing::to;

struct Outcome {
  ReadBack target;
  std::vector<Error> warnings;
  Report report;
};

// As run() in run_conversion.h, with the report.
Outcome converted(const testing::DecoderDirectory& directory, const Options& options) {
  const testing::File file = directory.weights();
  const io::MemorySource source(file);
  const SourceFiles sources(source, directory.files);
  Outcome outcome;
  const auto target = testing::run(sources, {file}, options, &outcome.warnings);
  outcome.target = read_strictly(target, options.to);
  auto conversion = Conversion::begin(sources, options);
  if (conversion && conversion->report() != nullptr) outcome.report = *conversion->report();
  return outcome;
}

std::vector<float> values_of(const ReadBack& target, const model::TensorEntry& tensor) {
  auto decoder =
      tensor::StreamDecoder::create(tensor.dtype, tensor.shape, tensor.quantization, tensor.bytes);
  EXPECT_TRUE(decoder) << describe(decoder.error());
  std::vector<float> values(static_cast<size_t>(*tensor.shape.count()));
  Bytes bytes = Bytes(target.file)
                    .subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes));
  for (size_t n = 0; n < values.size();) {
    const auto more = decoder->decode(bytes, std::span(values).subspan(n));
    if (!more || *more == 0) {
      ADD_FAILURE() << tensor.name;
      return {};
    }
    n += *more;
  }
  return values;
}

// The numbers are the reference's, bit for bit.
void expect_values(const std::vector<float>& values, const io::Json& stated) {
  const std::string first = from_base64(*stated.find("first"));
  std::vector<float> row(first.size() / sizeof(float));
  std::memcpy(row.data(), first.data(), first.size());
  ASSERT_GE(values.size(), row.size());
  for (size_t i = 0; i < row.size(); ++i) ASSERT_EQ(values[i], row[i]) << "column " << i;
  EXPECT_EQ(io::crc32(bytes_of(std::span<const float>(values))), stated.find("crc32")->uint());
}

class QuantizedDirectories : public ::testing::TestWithParam<QuantizedCase> {};

TEST_P(QuantizedDirectories, KeepTheirCodesOrTheirValues) {
  const Outcome made = converted(directory_of(GetParam()), to("amb"));
  for (const auto& [name, stated] : GetParam().matrices.members()) {
    SCOPED_TRACE(name);
    const model::TensorEntry* tensor = find_tensor(made.target.model, name);
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(dtype_name(tensor->dtype), stated.find("kept")->string());
    expect_values(values_of(made.target, *tensor), stated);
  }
  const bool decoded = std::ranges::any_of(
      made.warnings, [](const Error& warning) { return warning.path.starts_with("config.json."); });
  const bool any_f32 = std::ranges::any_of(GetParam().matrices.members(), [](const auto& matrix) {
    return matrix.second.find("kept")->string() == "f32";
  });
  EXPECT_EQ(decoded, any_f32);
}

TEST_P(QuantizedDirectories, BecomeFloatsOnRequest) {
  const Outcome made = converted(directory_of(GetParam()), to("amb", tensor::DType::F32));
  for (const auto& [name, stated] : GetParam().matrices.members()) {
    SCOPED_TRACE(name);
    expect_values(made.target.floats(name), stated);
  }
}

TEST_P(QuantizedDirectories, ReportWhatBecameOfTheCodes) {
  const Outcome made = converted(directory_of(GetParam()), to("amb"));
  uint64_t stored = 0;
  for (const auto& tensor : GetParam().tensors) stored += tensor.data.size();
  uint64_t before = 0;
  size_t n = 0;
  for (const TensorReport& tensor : made.report.tensors) {
    const io::Json* stated = GetParam().matrices.find(tensor.name);
    EXPECT_EQ(tensor.stored_as.empty(), stated == nullptr) << tensor.name;
    if (stated == nullptr) continue;
    ++n;
    before += tensor.bytes_before;
    const bool kept = stated->find("kept")->string() != "f32";
    EXPECT_EQ(tensor.note == "the same codes and scales", kept) << tensor.note;
    EXPECT_NE(tensor.stored_as.find("-bit"), std::string::npos);
  }
  EXPECT_EQ(n, GetParam().matrices.members().size());
  EXPECT_LE(before, stored);
  EXPECT_GT(before, stored / 2);
}

INSTANTIATE_TEST_SUITE_P(Forms, QuantizedDirectories, ::testing::ValuesIn(quantized_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(QuantizedDirectory, IsQuantizedAnew) {
  const QuantizedCase from = testing::quantized_case("fp8_blocks");
  const auto& [name, stated] = from.matrices.members().front();
  Options options = to("amb");
  options.quantize.emplace();
  options.quantize->type = "int8";
  options.quantize->block_size = 32;
  const Outcome made = converted(directory_of(from), options);
  const model::TensorEntry* tensor = find_tensor(made.target.model, name);
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(tensor->dtype, tensor::DType::Int8);
  const std::vector<float> values = values_of(made.target, *tensor);
  const Outcome whole = converted(directory_of(from), to("amb"));
  const std::vector<float> exact = whole.target.floats(name);
  ASSERT_EQ(values.size(), exact.size());
  ErrorSums errors;
  errors.add(exact, values);
  EXPECT_GT(errors.relative_error(), 0);
  EXPECT_LT(errors.relative_error(), 0.02);
}

}  // namespace
}  // namespace ambry::convert
