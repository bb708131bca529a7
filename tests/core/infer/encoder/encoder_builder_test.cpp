#include "infer/encoder/encoder_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "infer/encoder/synthetic_bert.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

model::EncoderConfig small_config() {
  model::EncoderConfig config;
  config.vocab_size = 61;
  config.hidden_size = 20;
  config.num_layers = 2;
  config.num_heads = 4;
  config.intermediate_size = 33;
  config.max_positions = 24;
  return config;
}

std::vector<float> run(Encoder& encoder) {
  const std::vector<uint32_t> ids = {3, 60, 0, 17, 17, 42, 8};
  const Sequence sequence{ids, {}};
  std::vector<float> hidden(ids.size() * encoder.hidden_size());
  EXPECT_TRUE(encoder.run({&sequence, 1}, hidden));
  return hidden;
}

std::vector<float> run(Result<Encoder> encoder) {
  EXPECT_TRUE(encoder) << describe(encoder.error());
  return encoder ? run(*encoder) : std::vector<float>();
}

float worst_difference(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  float worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

size_t index_of(const model::Model& model, std::string_view name) {
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    if (model.tensors[i].name == name) return i;
  }
  ADD_FAILURE() << name;
  return 0;
}

Error plan_error(const SyntheticBert& bert, WeightStorage storage = WeightStorage::AsStored) {
  const auto builder = EncoderBuilder::plan(bert.model, bert.config, storage);
  EXPECT_FALSE(builder);
  return builder ? Error{} : builder.error();
}

TEST(EncoderBuilderTest, TakesTensorsInAnyOrder) {
  for (const SyntheticStorage storage : {SyntheticStorage::F32, SyntheticStorage::Int8}) {
    const SyntheticBert bert(small_config(), storage);
    EXPECT_EQ(run(bert.build()), run(bert.build(WeightStorage::AsStored, true)));
  }
}

TEST(EncoderBuilderTest, ReadsTransposedLinearLayers) {
  const SyntheticBert plain(small_config());
  const SyntheticBert transposed(small_config(), SyntheticStorage::F32, model::LinearLayout::InOut);
  for (const WeightStorage storage : {WeightStorage::AsStored, WeightStorage::Int8}) {
    EXPECT_EQ(run(plain.build(storage)), run(transposed.build(storage)));
  }
}

TEST(EncoderBuilderTest, AcceptsExportersPrefixesAndOldNormNames) {
  const SyntheticBert plain(small_config());
  SyntheticBert renamed(small_config());
  for (model::TensorEntry& entry : renamed.model.tensors) {
    entry.name = "bert." + entry.name;
    const size_t at = entry.name.find("LayerNorm.");
    if (at == std::string::npos) continue;
    entry.name.replace(at, std::string::npos,
                       entry.name.ends_with("weight") ? "LayerNorm.gamma" : "LayerNorm.beta");
  }
  auto builder = EncoderBuilder::plan(renamed.model, renamed.config, WeightStorage::AsStored);
  ASSERT_TRUE(builder) << describe(builder.error());
  for (size_t i = 0; i < plain.model.tensors.size(); ++i) {
    ASSERT_TRUE(builder->accept(i, plain.bytes(i)));
  }
  EXPECT_EQ(run(std::move(*builder).finish()), run(plain.build()));
}

TEST(EncoderBuilderTest, WidensHalfPrecision) {
  const SyntheticBert exact(small_config());
  const std::vector<float> expected = run(exact.build());
  for (const tensor::DType dtype : {tensor::DType::F16, tensor::DType::BF16}) {
    SyntheticBert half(small_config());
    for (model::TensorEntry& entry : half.model.tensors) {
      entry.dtype = dtype;
      entry.bytes = entry.bytes / 4 * tensor::dtype_size(dtype);
    }
    const float tolerance = dtype == tensor::DType::F16 ? 5e-3F : 5e-2F;
    EXPECT_LE(worst_difference(run(half.build()), expected), tolerance);
    EXPECT_GT(worst_difference(run(half.build()), expected), 0.0F);
  }
}

TEST(EncoderBuilderTest, Int8StaysInt8AndIsCloseToWidened) {
  const SyntheticBert bert(small_config(), SyntheticStorage::Int8);
  Encoder as_stored = bert.build().value();
  Encoder widened = bert.build(WeightStorage::F32).value();
  const float difference = worst_difference(run(as_stored), run(widened));
  EXPECT_LE(difference, 5e-2F);
  EXPECT_GT(difference, 0.0F);
  EXPECT_LT(as_stored.weight_bytes(), widened.weight_bytes());
  // Packing adds only padding to full panels and three values per output.
  EXPECT_LE(as_stored.weight_bytes(), bert.model.file_bytes * 15 / 10);
}

TEST(EncoderBuilderTest, QuantizesToInt8WhenAsked) {
  const SyntheticBert bert(small_config());
  Encoder exact = bert.build().value();
  Encoder quantized = bert.build(WeightStorage::Int8).value();
  EXPECT_LT(quantized.weight_bytes() * 2, exact.weight_bytes());
  const float difference = worst_difference(run(quantized), run(exact));
  EXPECT_GT(difference, 1e-5F);
  EXPECT_LE(difference, 0.2F);
}

TEST(EncoderBuilderTest, HoldsLittleMoreThanTheStoredWeights) {
  model::EncoderConfig config = small_config();
  config.hidden_size = 96;
  config.intermediate_size = 384;
  for (const SyntheticStorage storage : {SyntheticStorage::F32, SyntheticStorage::Int8}) {
    const SyntheticBert bert(config, storage);
    EXPECT_LE(bert.build().value().weight_bytes(), bert.model.file_bytes * 106 / 100);
  }
}

TEST(EncoderBuilderTest, IgnoresTensorsThatAreNotPartOfTheEncoder) {
  SyntheticBert bert(small_config());
  bert.model.tensors.push_back({.name = "pooler.dense.weight",
                                .dtype = tensor::DType::F32,
                                .shape = {20, 20},
                                .offset = 0,
                                .bytes = 1600});
  bert.model.tensors.push_back({.name = "embeddings.position_ids",
                                .dtype = tensor::DType::I64,
                                .shape = {1, 24},
                                .offset = 0,
                                .bytes = 192});
  const auto builder = EncoderBuilder::plan(bert.model, bert.config, WeightStorage::AsStored);
  ASSERT_TRUE(builder);
  const size_t n = bert.model.tensors.size();
  EXPECT_TRUE(builder->wants(0));
  EXPECT_FALSE(builder->wants(n - 2));
  EXPECT_FALSE(builder->wants(n - 1));
  EXPECT_FALSE(builder->wants(n));
}

TEST(EncoderBuilderTest, NamesEveryMissingTensor) {
  const SyntheticBert whole(small_config(), SyntheticStorage::Int8);
  for (size_t i = 0; i < whole.model.tensors.size(); ++i) {
    SyntheticBert bert = whole;
    const std::string name = bert.model.tensors[i].name;
    bert.model.tensors.erase(bert.model.tensors.begin() + static_cast<ptrdiff_t>(i));
    if (name.ends_with(".zero_point")) continue;  // may be absent
    const Error error = plan_error(bert);
    EXPECT_EQ(error.code, ErrorCode::NotFound);
    EXPECT_EQ(error.path, name);
  }
}

TEST(EncoderBuilderTest, NamesEveryWrongShape) {
  const SyntheticBert whole(small_config(), SyntheticStorage::Int8);
  for (size_t i = 0; i < whole.model.tensors.size(); ++i) {
    SyntheticBert bert = whole;
    model::TensorEntry& entry = bert.model.tensors[i];
    const std::string expected = to_string(entry.shape);
    entry.shape = entry.shape.rank() == 1 ? tensor::Shape{entry.shape[0] + 1}
                                          : tensor::Shape{entry.shape[0], entry.shape[1] + 1};
    const Error error = plan_error(bert);
    EXPECT_EQ(error.code, ErrorCode::Mismatch);
    EXPECT_EQ(error.path, entry.name);
    EXPECT_NE(error.message.find(expected), std::string::npos) << error.message;
    EXPECT_NE(error.message.find(to_string(entry.shape)), std::string::npos) << error.message;
  }
}

TEST(EncoderBuilderTest, AcceptsOneScaleForAWholeTensor) {
  SyntheticBert bert(small_config(), SyntheticStorage::Int8);
  const size_t at = index_of(bert.model, "encoder.layer.0.output.dense.weight.scale");
  bert.model.tensors[at].shape = {1};
  bert.model.tensors[at].bytes = 4;
  EXPECT_TRUE(bert.build());
}

TEST(EncoderBuilderTest, RefusesUnsupportedTypes) {
  const auto with_type = [](const char* name, tensor::DType dtype) {
    SyntheticBert bert(small_config(), SyntheticStorage::Int8);
    model::TensorEntry& entry = bert.model.tensors[index_of(bert.model, name)];
    entry.dtype = dtype;
    entry.bytes = *entry.shape.count() * tensor::dtype_size(dtype);
    return plan_error(bert);
  };
  for (const auto& [name, dtype] : std::vector<std::pair<const char*, tensor::DType>>{
           {"embeddings.word_embeddings.weight", tensor::DType::I64},
           {"encoder.layer.1.attention.self.key.weight", tensor::DType::Bool},
           {"encoder.layer.1.attention.self.key.bias", tensor::DType::I8},
           {"encoder.layer.1.attention.self.key.weight.scale", tensor::DType::I8}}) {
    const Error error = with_type(name, dtype);
    EXPECT_EQ(error.code, ErrorCode::Unsupported) << name;
    EXPECT_EQ(error.path, name);
  }
}

TEST(EncoderBuilderTest, RefusesInvalidConfigurations) {
  SyntheticBert bert(small_config());
  bert.config.num_heads = 3;
  EXPECT_EQ(plan_error(bert).path, "config.num_heads");
  bert.config.num_heads = 0;
  EXPECT_EQ(plan_error(bert).path, "config.num_heads");
  bert.config = small_config();
  bert.config.hidden_act = "swish";
  EXPECT_EQ(plan_error(bert).code, ErrorCode::Unsupported);
  bert.config = small_config();
  bert.config.num_layers = UINT32_MAX;  // must not allocate that many
  EXPECT_EQ(plan_error(bert).path, "encoder.layer.2.attention.self.query.weight");
}

TEST(EncoderBuilderTest, RefusesTooFewBytesAndNan) {
  const SyntheticBert bert(small_config());
  auto builder = EncoderBuilder::plan(bert.model, bert.config, WeightStorage::Int8);
  ASSERT_TRUE(builder);
  const auto shorter = builder->accept(0, AlignedBuffer::allocate(8).value());
  ASSERT_FALSE(shorter);
  EXPECT_EQ(shorter.error().code, ErrorCode::Mismatch);

  const size_t at = index_of(bert.model, "encoder.layer.0.output.dense.weight");
  AlignedBuffer bytes = bert.bytes(at);
  bytes.as<float>()[5] = std::numeric_limits<float>::quiet_NaN();
  const auto nan = builder->accept(at, std::move(bytes));
  ASSERT_FALSE(nan);
  EXPECT_EQ(nan.error().code, ErrorCode::BadValue);
  EXPECT_EQ(nan.error().path, "encoder.layer.0.output.dense.weight");
}

TEST(EncoderBuilderTest, FinishesOnlyWithAllTensors) {
  const SyntheticBert bert(small_config());
  auto builder = EncoderBuilder::plan(bert.model, bert.config, WeightStorage::AsStored);
  ASSERT_TRUE(builder);
  for (size_t i = 0; i + 1 < bert.model.tensors.size(); ++i) {
    ASSERT_TRUE(builder->accept(i, bert.bytes(i)));
  }
  const auto encoder = std::move(*builder).finish();
  ASSERT_FALSE(encoder);
  EXPECT_EQ(encoder.error().code, ErrorCode::NotFound);
  EXPECT_EQ(encoder.error().path, bert.model.tensors.back().name);
}

}  // namespace
}  // namespace ambry::infer
