#include "convert/stream_conversion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "convert/encoder/tiny_encoder.h"
#include "convert/run_conversion.h"
#include "formats/embd/make_embd.h"
#include "formats/expect_format.h"
#include "model/encoder/encoder_config.h"
#include "tensor/dtype/convert.h"

namespace ambry::convert {
namespace {

namespace embd = formats::embd::testing;
using tensor::DType;
using testing::File;
using testing::tiny_directory;
using testing::tiny_safetensors;

struct Written {
  File file;
  model::Model model;
};

Written convert(const File& main, const SideFiles& files, const Options& options) {
  auto target = testing::run(main, files, options);
  if (!target) {
    ADD_FAILURE() << describe(target.error());
    return {};
  }
  auto model = testing::sound_model(*target, "embd");
  if (!model) return {};
  return {std::move(*target), std::move(*model)};
}

std::vector<float> floats_of(const Written& written, std::string_view name) {
  const model::TensorEntry* tensor = written.model.find(name);
  EXPECT_NE(tensor, nullptr) << name;
  if (tensor == nullptr) return {};
  std::vector<float> values(tensor->bytes / tensor::dtype_size(tensor->dtype));
  EXPECT_TRUE(tensor::to_f32(tensor->dtype,
                             Bytes(written.file).subspan(tensor->offset, tensor->bytes), values));
  return values;
}

std::vector<float> original(const embd::Tensor& tensor) {
  const std::string data = embd::data_of(tensor);
  std::vector<float> values(tensor.count());
  EXPECT_TRUE(tensor::to_f32(DType::F32, as_bytes(data), values));
  return values;
}

void expect_same_weights(const Written& written) {
  for (const embd::Tensor& tensor : embd::tiny_tensors()) {
    EXPECT_EQ(floats_of(written, tensor.name), original(tensor)) << tensor.name;
  }
}

Options with(DType dtype) {
  Options options;
  options.dtype = dtype;
  return options;
}

TEST(Conversion, WritesADirectoryThatReadsBackEqual) {
  for (const char* prefix : {"", "bert.", "0.auto_model.", "model.bert."}) {
    const Written written = convert(tiny_safetensors(prefix), tiny_directory(), {});
    expect_same_weights(written);
    EXPECT_EQ(written.model.metadata.find("model_name")->string(), "tiny");
    EXPECT_EQ(written.model.tokenizer->vocabulary[7], "\xC3\xA9");
    EXPECT_EQ(written.model.tokenizer->cls_id, 2U);
    EXPECT_EQ(written.model.tensors[0].name, "embeddings.word_embeddings.weight");
    const auto config = model::encoder_config(written.model);
    ASSERT_TRUE(config);
    EXPECT_EQ(config->num_heads, 2U);
    EXPECT_EQ(config->max_seq_length, 6U);
    EXPECT_TRUE(config->normalize);
  }
}

TEST(Conversion, IsDeterministic) {
  const auto first = testing::run(tiny_safetensors(), tiny_directory(), {});
  const auto second = testing::run(tiny_safetensors(), tiny_directory(), {});
  EXPECT_EQ(*first, *second);
}

TEST(Conversion, ConvertsEmbdToItselfByteForByte) {
  const Written once = convert(tiny_safetensors(), tiny_directory(), {});
  const auto twice = testing::run(once.file, {}, {});
  ASSERT_TRUE(twice);
  EXPECT_EQ(*twice, once.file);
}

TEST(Conversion, KeepsUnknownMetadataOfEmbd) {
  embd::F0Maker maker;
  maker.metadata.emplace_back("my_key", "my value");
  const Written written = convert(maker.make(), {}, {});
  EXPECT_EQ(written.model.metadata.find("my_key")->string(), "my value");
  EXPECT_EQ(written.model.metadata.find("created_at")->string(), "2026-01-01T00:00:00Z");
  expect_same_weights(written);
}

TEST(Conversion, TransposesF1InBothOrientations) {
  // The weights of the fixture that is not transposed, stored as [in, out].
  auto transposed = embd::tiny_tensors(true);
  const auto straight = embd::tiny_tensors(false);
  for (size_t i = 0; i < transposed.size(); ++i) {
    const bool linear =
        transposed[i].shape.size() == 2 && transposed[i].name.starts_with("encoder");
    if (!linear) continue;
    const std::vector<float> values = original(straight[i]);
    const size_t n_out = straight[i].shape[0];
    const size_t n_in = straight[i].shape[1];
    embd::File bytes;
    for (size_t in = 0; in < n_in; ++in) {
      for (size_t out = 0; out < n_out; ++out) embd::put(bytes, values[out * n_in + in]);
    }
    transposed[i].data.assign(bytes.begin(), bytes.end());
  }
  Options options;
  options.metadata = {{"num_attention_heads", "2"}};
  const Written from_usual = convert(embd::make_f1(transposed), {}, options);
  expect_same_weights(from_usual);
  const Written from_first = convert(embd::make_f1(straight), {}, options);
  expect_same_weights(from_first);
  EXPECT_EQ(from_usual.file, from_first.file);
}

TEST(Conversion, PrefersTheCallersOrientation) {
  Options options;
  options.metadata = {{"num_attention_heads", "2"}};
  options.linear_layout = model::LinearLayout::OutIn;
  const Written written = convert(embd::make_f1(embd::tiny_tensors(true, 4)), {}, options);
  const auto query = embd::tiny_tensors()[5];
  EXPECT_EQ(floats_of(written, query.name), original(query));
}

TEST(Conversion, ConvertsToF16) {
  for (const DType dtype : {DType::F16, DType::BF16}) {
    const Written written = convert(tiny_safetensors(), tiny_directory(), with(dtype));
    for (const auto& tensor : written.model.tensors) EXPECT_EQ(tensor.dtype, dtype);
    expect_same_weights(written);  // the fixture's sixteenths are exact in both types
    // Convert back.
    const Written wide = convert(written.file, {}, with(DType::F32));
    EXPECT_EQ(wide.model.tensors[0].dtype, DType::F32);
    expect_same_weights(wide);
  }
}

TEST(Conversion, QuantizesMatricesAndWritesTheirScales) {
  const Written written = convert(tiny_safetensors(), tiny_directory(), with(DType::Int8));
  for (const embd::Tensor& tensor : embd::tiny_tensors()) {
    const model::TensorEntry* entry = written.model.find(tensor.name);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->dtype, tensor.shape.size() == 2 ? DType::I8 : DType::F32);
    if (tensor.shape.size() != 2) continue;
    const auto scales = floats_of(written, tensor.name + ".scale");
    ASSERT_EQ(scales.size(), tensor.shape[0]);
    const auto codes = floats_of(written, tensor.name);
    const auto values = original(tensor);
    for (size_t i = 0; i < values.size(); ++i) {
      const float scale = scales[i / tensor.shape[1]];
      EXPECT_NEAR(codes[i] * scale, values[i], scale / 2 + 1e-6F);
    }
  }
  // int8 again keeps the codes. A wider type dequantizes them and drops the companions.
  const auto again = testing::run(written.file, {}, with(DType::Int8));
  EXPECT_EQ(*again, written.file);
  EXPECT_EQ(*testing::run(written.file, {}, {}), written.file);
  const Written wide = convert(written.file, {}, with(DType::F32));
  EXPECT_EQ(wide.model.tensors.size(), 21U);
  const auto words = original(embd::tiny_tensors()[0]);
  const auto read = floats_of(wide, "embeddings.word_embeddings.weight");
  for (size_t i = 0; i < words.size(); ++i) EXPECT_NEAR(read[i], words[i], 0.01F);
}

TEST(Conversion, DequantizesWithZeroPoints) {
  embd::F0Maker maker;
  maker.tensors[0].dtype = 8;
  maker.tensors[0].data = std::string(32, '\x0A');
  embd::File scale;
  embd::put(scale, 0.5F);
  maker.tensors.push_back({maker.tensors[0].name + ".scale", {1}, 0, {scale.begin(), scale.end()}});
  maker.tensors.push_back({maker.tensors[0].name + ".zero_point", {1}, 8, "\x04"});
  const Written written = convert(maker.make(), {}, with(DType::F32));
  EXPECT_EQ(floats_of(written, "embeddings.word_embeddings.weight"), std::vector<float>(32, 3.0F));
}

File with_bad_value(float bad) {
  auto tensors = embd::tiny_tensors();
  std::string data = embd::data_of(tensors[1]);
  std::memcpy(data.data() + 4 * 9, &bad, sizeof bad);
  tensors[1].data = data;
  return tiny_safetensors("", tensors);
}

TEST(Conversion, RejectsNaNWhenQuantizing) {
  const File file = with_bad_value(std::nanf(""));
  const auto result = testing::run(file, tiny_directory(), with(DType::Int8));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BadValue);
  EXPECT_EQ(result.error().path, "embeddings.position_embeddings.weight, row 2");
  EXPECT_LT(result.error().byte_offset, file.size());
}

TEST(Conversion, RejectsValuesThatOverflowF16) {
  const auto result = testing::run(with_bad_value(1e6F), tiny_directory(), with(DType::F16));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Overflow);
  EXPECT_EQ(result.error().path, "embeddings.position_embeddings.weight, row 2");
  EXPECT_TRUE(testing::run(with_bad_value(1e6F), tiny_directory(), with(DType::BF16)));
}

TEST(Conversion, LeavesOutUnneededTensorsWithAWarning) {
  auto tensors = embd::tiny_tensors();
  tensors.push_back({"embeddings.position_ids", {1, 6}});
  tensors.push_back({"cls.predictions.bias", {8}});
  tensors.push_back({"pooler.dense.weight", {4, 4}});
  tensors.push_back({"pooler.dense.bias", {4}});
  std::vector<Error> warnings;
  ASSERT_TRUE(testing::run(tiny_safetensors("", tensors), tiny_directory(), {}, &warnings));
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_EQ(warnings[0].path, "vocab.txt");
  EXPECT_EQ(warnings[1].path, "modules.json");
  EXPECT_EQ(warnings[2].path, "cls.predictions.bias");
  const Written written = convert(tiny_safetensors("", tensors), tiny_directory(), {});
  EXPECT_NE(written.model.find("pooler.dense.weight"), nullptr);
  EXPECT_EQ(written.model.find("embeddings.position_ids"), nullptr);
}

TEST(Conversion, TakesWhatAVocabularyDoesNotSay) {
  Options options = testing::to("embd");
  options.lowercase = false;
  const Written written = convert(tiny_safetensors(), tiny_directory(), options);
  EXPECT_EQ(written.model.metadata.find("do_lower_case")->string(), "false");
  const auto elsewhere = testing::run(written.file, {}, options);
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(elsewhere.error().path, "options.lowercase");
  options.quantize.emplace().type = "int8";
  EXPECT_EQ(testing::run(written.file, {}, options).error().path, "options.lowercase");
}

TEST(Conversion, RejectsUnknownTensors) {
  auto tensors = embd::tiny_tensors();
  tensors.push_back({"classifier.weight", {2, 4}});
  const auto unknown = testing::run(tiny_safetensors("", tensors), tiny_directory(), {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().path, "classifier.weight");
  tensors = embd::tiny_tensors();
  tensors.pop_back();
  const auto missing = testing::run(tiny_safetensors("", tensors), tiny_directory(), {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  tensors = embd::tiny_tensors(true);
  EXPECT_EQ(testing::run(tiny_safetensors("", tensors), tiny_directory(), {}).error().code,
            ErrorCode::Mismatch);
}

TEST(Conversion, ReportsAMissingFile) {
  const auto result = testing::run(tiny_safetensors(), {}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::NotFound);
  EXPECT_EQ(result.error().path, "config.json");
}

TEST(Conversion, RejectsADamagedSource) {
  File file = embd::make_f0();
  file[formats::embd::kHeaderChecksumAt] ^= 1;
  EXPECT_EQ(testing::run(file, {}, {}).error().path, "header.header_checksum");
}

TEST(Conversion, AsksForTheHeaderOfAPartialSource) {
  const File file = tiny_safetensors();
  io::PartialSource source(file.size());
  for (int round = 0; round < 20; ++round) {
    const SideFiles files = tiny_directory();
    const auto begun = Conversion::begin(SourceFiles(source, files), {});
    if (begun) return;
    ASSERT_EQ(begun.error().code, ErrorCode::NeedBytes);
    ASSERT_TRUE(
        source.insert(begun.error().byte_offset,
                      Bytes(file).subspan(begun.error().byte_offset, begun.error().need_size)));
  }
  FAIL() << "never begins";
}

}  // namespace
}  // namespace ambry::convert
