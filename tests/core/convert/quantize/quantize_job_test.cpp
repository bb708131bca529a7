// Quantization of AMB files, from the options to the file.
#include "convert/quantize/quantize_job.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "convert/run_conversion.h"
#include "formats/amb/amb_parse.h"
#include "formats/amb/make_amb.h"
#include "model/decoder/decoder_config.h"
#include "tensor/codec/encode.h"
#include "tensor/codec/stream_decoder.h"

namespace ambry::convert {
namespace {

namespace amb = formats::amb::testing;
using tensor::DType;
using testing::File;

constexpr uint32_t kWidth = 64;

amb::Tensor floats(const std::string& name, const std::vector<uint32_t>& shape, float size = 1) {
  std::mt19937 random(static_cast<uint32_t>(name.size()));
  std::normal_distribution<float> normal(0, size);
  amb::Tensor tensor{name, shape, 0};
  for (size_t i = 0; i < amb::count_of(shape); ++i) amb::put(tensor.data, normal(random));
  return tensor;
}

// A llama with an output matrix of its own.
std::vector<amb::Tensor> llama() {
  std::vector<amb::Tensor> tensors = {floats("model.embed_tokens.weight", {8, kWidth})};
  const std::string layer = "model.layers.0.";
  tensors.push_back(floats(layer + "input_layernorm.weight", {kWidth}));
  for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
    tensors.push_back(floats(layer + "self_attn." + name + ".weight", {kWidth, kWidth}));
  }
  tensors.push_back(floats(layer + "post_attention_layernorm.weight", {kWidth}));
  for (const char* name : {"gate_proj", "up_proj"}) {
    tensors.push_back(floats(layer + "mlp." + name + ".weight", {2 * kWidth, kWidth}, 0.1F));
  }
  tensors.push_back(floats(layer + "mlp.down_proj.weight", {kWidth, 2 * kWidth}));
  tensors.push_back(floats("model.norm.weight", {kWidth}));
  tensors.push_back(floats("lm_head.weight", {8, kWidth}));
  return tensors;
}

File file_of(std::vector<amb::Tensor> tensors) {
  amb::AmbMaker maker;
  maker.config = R"({"architecture":"llama","n_vocab":8,"n_embd":64,"n_layers":1,"n_heads":2})";
  maker.tensors = std::move(tensors);
  maker.checksums = true;
  return maker.make();
}

struct Quantized {
  File file;
  model::Model model;
  Report report;
  uint64_t n_read = 0;
  std::vector<Error> warnings;
};

Result<Quantized> quantize(const File& file, QuantizeOptions how, const std::string& to = "") {
  Options options;
  options.to = to;
  options.quantize = std::move(how);
  const io::MemorySource source(file);
  const SideFiles none;
  AMBRY_TRY(Conversion conversion, Conversion::begin(SourceFiles(source, none), options));
  Quantized made;
  for (;;) {
    AMBRY_TRY(const Step step, conversion.next());
    if (step.kind == Step::Kind::Done) break;
    if (step.kind == Step::Kind::Read) {
      std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(step.offset), step.target.size(),
                  step.target.begin());
      made.n_read += made.file.empty() ? step.target.size() : 0;
      continue;
    }
    made.file.resize(std::max<size_t>(made.file.size(), step.offset + step.bytes.size()));
    std::copy(step.bytes.begin(), step.bytes.end(),
              made.file.begin() + static_cast<std::ptrdiff_t>(step.offset));
  }
  EXPECT_EQ(made.file.size(), conversion.total_bytes());
  EXPECT_EQ(made.n_read, conversion.bytes_to_measure());
  made.report = *conversion.report();
  made.warnings = conversion.warnings();
  const io::MemorySource target(made.file);
  io::Diagnostics diagnostics;
  AMBRY_TRY(made.model, formats::amb::parse(target, diagnostics, {}));
  formats::amb::check(made.model, diagnostics);
  EXPECT_TRUE(diagnostics.errors.empty()) << describe(diagnostics.errors.front());
  EXPECT_TRUE(testing::checksums_hold(made.model, made.file));
  return made;
}

Quantized quantized(const std::vector<amb::Tensor>& tensors, QuantizeOptions how) {
  auto made = quantize(file_of(tensors), std::move(how));
  EXPECT_TRUE(made) << describe(made.error());
  return made ? std::move(*made) : Quantized();
}

Error refused(const std::vector<amb::Tensor>& tensors, QuantizeOptions how,
              const std::string& to = "") {
  auto made = quantize(file_of(tensors), std::move(how), to);
  EXPECT_FALSE(made);
  return made ? Error() : made.error();
}

QuantizeOptions as(const char* type) {
  QuantizeOptions how;
  how.type = type;
  return how;
}

const model::TensorEntry& entry(const Quantized& made, std::string_view name) {
  const auto found = std::ranges::find(made.model.tensors, name, &model::TensorEntry::name);
  EXPECT_NE(found, made.model.tensors.end()) << name;
  return *found;
}

Bytes bytes_in(const Quantized& made, std::string_view name) {
  const model::TensorEntry& tensor = entry(made, name);
  return Bytes(made.file).subspan(static_cast<size_t>(tensor.offset),
                                  static_cast<size_t>(tensor.bytes));
}

constexpr const char* kQuery = "model.layers.0.self_attn.q_proj.weight";
constexpr const char* kUp = "model.layers.0.mlp.up_proj.weight";
constexpr const char* kEmbeddings = "model.embed_tokens.weight";

std::vector<float> numbers_in(const amb::Tensor& tensor) {
  std::vector<float> values(tensor.data.size() / sizeof(float));
  std::memcpy(values.data(), tensor.data.data(), tensor.data.size());
  return values;
}

TEST(QuantizeJob, StoresEveryMatrixAsTheCodecDoes) {
  const std::vector<amb::Tensor> tensors = llama();
  for (const char* type : {"int8", "int4", "int5", "int4_block", "int5_block"}) {
    for (const uint16_t block : std::initializer_list<uint16_t>{32, 64}) {
      QuantizeOptions how = as(type);
      how.block_size = 32;
      if (block == 64) how.scale_type = DType::F32;
      const Quantized made = quantized(tensors, how);
      for (const amb::Tensor& tensor : tensors) {
        const model::TensorEntry& stored = entry(made, tensor.name);
        if (tensor.shape.size() < 2) {
          EXPECT_EQ(stored.dtype, DType::F32);
          EXPECT_TRUE(std::ranges::equal(bytes_in(made, tensor.name), tensor.data));
          continue;
        }
        EXPECT_EQ(dtype_name(stored.dtype), type);
        const auto whole =
            tensor::encode(stored.dtype, stored.shape, numbers_in(tensor),
                           {.block_size = 32, .scale_type = stored.quantization->scale_type});
        EXPECT_TRUE(std::ranges::equal(bytes_in(made, tensor.name), whole->payload));
      }
    }
  }
}

TEST(QuantizeJob, StatesTheTypeInTheConfig) {
  const Quantized made = quantized(llama(), as("int4_block"));
  const io::Json* quant = made.model.config.find("quant");
  ASSERT_NE(quant, nullptr);
  EXPECT_EQ(quant->dump(), R"({"type":"int4_block","block_size":32,"scale_type":"fp16"})");
}

TEST(QuantizeJob, MeasuresOnlyTensorsWhoseScaleTypeIsOpen) {
  QuantizeOptions how = as("int4_block");
  EXPECT_GT(quantized(llama(), how).n_read, 0U);
  how.scale_type = DType::F16;
  EXPECT_EQ(quantized(llama(), how).n_read, 0U);
}

TEST(QuantizeJob, WidensTheScalesOfATensorThatNeedsIt) {
  std::vector<amb::Tensor> tensors = llama();
  for (amb::Tensor& tensor : tensors) {
    if (tensor.name == kQuery) amb::put_at(tensor.data, 40, 1e9F);
  }
  for (const char* type : {"int4_block", "int8", "adaptive"}) {
    const Quantized made = quantized(tensors, as(type));
    EXPECT_EQ(entry(made, kQuery).quantization->scale_type, DType::F32) << type;
    EXPECT_EQ(entry(made, kUp).quantization->scale_type, DType::F16) << type;
  }
  QuantizeOptions how = as("int4_block");
  how.scale_type = DType::F16;
  const Error error = refused(tensors, how);
  EXPECT_EQ(error.code, ErrorCode::Overflow);
  EXPECT_EQ(error.path, std::string(kQuery) + ", scale_type");
}

TEST(QuantizeJob, KeepsNamedTensors) {
  QuantizeOptions how = as("int4_block");
  how.keep = {kQuery};
  const Quantized made = quantized(llama(), how);
  EXPECT_EQ(entry(made, kQuery).dtype, DType::F32);
  EXPECT_EQ(entry(made, kUp).dtype, DType::Int4Block);
  how.keep = {"nothing"};
  EXPECT_EQ(refused(llama(), how).code, ErrorCode::NotFound);
}

TEST(QuantizeJob, KeepsEmbeddingsAndOutputOnRequest) {
  QuantizeOptions how = as("int4_block");
  EXPECT_EQ(entry(quantized(llama(), how), kEmbeddings).dtype, DType::Int4Block);
  how.keep_embeddings = true;
  Quantized made = quantized(llama(), how);
  EXPECT_EQ(entry(made, kEmbeddings).dtype, DType::F32);
  EXPECT_EQ(entry(made, "lm_head.weight").dtype, DType::Int4Block);
  how.keep_embeddings = false;
  how.keep_output = true;
  made = quantized(llama(), how);
  EXPECT_EQ(entry(made, kEmbeddings).dtype, DType::Int4Block);
  EXPECT_EQ(entry(made, "lm_head.weight").dtype, DType::F32);
}

TEST(QuantizeJob, UsesSmallerBlocksOrF16IfRowsAreNotWholeBlocks) {
  std::vector<amb::Tensor> tensors = llama();
  tensors.push_back(floats("extra.weight", {4, 33}));
  QuantizeOptions how = as("int4_block");
  how.block_size = 128;
  const Quantized made = quantized(tensors, how);
  EXPECT_EQ(entry(made, kUp).quantization->block_size, 32);  // rows of 64
  EXPECT_EQ(entry(made, "model.layers.0.mlp.down_proj.weight").quantization->block_size, 128);
  EXPECT_EQ(entry(made, "extra.weight").dtype, DType::F16);
  ASSERT_FALSE(made.warnings.empty());
  EXPECT_EQ(made.warnings.back().path, "extra.weight");
  how.block_size = 48;
  EXPECT_EQ(refused(tensors, how).path, "options.block");
}

TEST(QuantizeJob, CopiesTensorsOfTheSameTypeAndWarnsOfOtherQuantizedOnes) {
  const File once = quantized(llama(), as("int8")).file;
  const auto same = quantize(once, as("int8"));
  ASSERT_TRUE(same);
  EXPECT_EQ(same->file, once);
  const auto again = quantize(once, as("int4_block"));
  ASSERT_TRUE(again) << describe(again.error());
  EXPECT_EQ(entry(*again, kUp).dtype, DType::Int4Block);
  ASSERT_FALSE(again->warnings.empty());
  EXPECT_EQ(again->warnings.front().message,
            "was quantized before, as int8; what that lost is not in the report");
}

TEST(QuantizeJob, ReportsEveryTensor) {
  const std::vector<amb::Tensor> tensors = llama();
  const Quantized made = quantized(tensors, as("int4_block"));
  ASSERT_EQ(made.report.tensors.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorReport& tensor = made.report.tensors[i];
    EXPECT_EQ(tensor.name, tensors[i].name);
    EXPECT_EQ(tensor.bytes_before, tensors[i].data.size());
    EXPECT_EQ(tensor.bytes, entry(made, tensor.name).bytes);
    const bool matrix = tensors[i].shape.size() > 1;
    EXPECT_EQ(tensor.to, matrix ? DType::Int4Block : DType::F32);
    // Four bits for normal numbers: about a tenth of their length.
    EXPECT_NEAR(tensor.errors.relative_error(), matrix ? 0.09 : 0, 0.03);
    EXPECT_NEAR(tensor.errors.cosine(), 1, 0.01);
  }
}

// All adaptive tensors together keep the budget, and those with larger numbers get more of it.
TEST(QuantizeJob, SharesABudgetOfBits) {
  const std::vector<amb::Tensor> tensors = llama();
  const auto bits_of = [&](const Quantized& made, std::string_view name) {
    const model::TensorEntry& tensor = entry(made, name);
    return 8 * static_cast<double>(tensor.bytes) / static_cast<double>(*tensor.shape.count());
  };
  for (const double bits : {5.2, 6.5, 9.0}) {
    QuantizeOptions how = as("adaptive");
    how.bits_per_weight = bits;
    const Quantized made = quantized(tensors, how);
    double bytes = 0;
    double elements = 0;
    for (const model::TensorEntry& tensor : made.model.tensors) {
      if (tensor.dtype != DType::Adaptive) continue;
      bytes += static_cast<double>(tensor.bytes);
      elements += static_cast<double>(*tensor.shape.count());
    }
    EXPECT_LE(8 * bytes / elements, bits);
    EXPECT_GE(8 * bytes / elements, bits * 0.95);
    EXPECT_GT(bits_of(made, kQuery), bits_of(made, kUp));
  }
  QuantizeOptions how = as("adaptive");
  how.bits_per_weight = 4.5;
  EXPECT_EQ(refused(tensors, how).path, "options.bits");
}

TEST(QuantizeJob, LosesLessWithMoreBits) {
  double before = 1;
  for (const double bits : {5.0, 6.0, 8.0, 12.0}) {
    QuantizeOptions how = as("adaptive");
    how.bits_per_weight = bits;
    const Quantized made = quantized(llama(), how);
    double sum = 0;
    for (const TensorReport& tensor : made.report.tensors) sum += tensor.errors.relative_error();
    EXPECT_LT(sum, before);
    before = sum;
  }
}

// One number of each input that carries all of it: only blocks that meet one are worth more bits.
TEST(QuantizeJob, GivesMoreBitsToLargeActivations) {
  const auto one = [](size_t n) {
    std::vector<float> means(n);
    means[n - 1] = 1;
    return means;
  };
  model::DecoderActivations seen;
  seen.layers = {{one(kWidth), one(kWidth), one(kWidth), one(2 * kWidth)}};
  seen.output = one(kWidth);
  seen.tokens = one(8);
  QuantizeOptions how = as("adaptive");
  how.bits_per_weight = 5.5;
  how.activations = std::make_shared<const model::DecoderActivations>(std::move(seen));
  const Quantized made = quantized(llama(), how);
  const auto precisions = [&](std::string_view name) {
    const Bytes payload = bytes_in(made, name);
    const uint64_t n_blocks = *entry(made, name).shape.count() / 32;
    return payload.subspan(tensor::kQuantPrefixBytes, static_cast<size_t>(n_blocks));
  };
  constexpr uint8_t kInt4 = 4;
  size_t n_upgraded = 0;
  for (const char* name : {kQuery, kUp, "lm_head.weight"}) {
    const Bytes blocks = precisions(name);
    for (size_t i = 0; i < blocks.size(); i += 2) {
      EXPECT_EQ(blocks[i], kInt4);
      if (blocks[i + 1] != kInt4) ++n_upgraded;
    }
  }
  EXPECT_GT(n_upgraded, 64U);  // of 64 + 128 + 8
  // Of the embeddings the row of the token that was seen.
  const Bytes rows = precisions(kEmbeddings);
  for (size_t i = 0; i < 14; ++i) EXPECT_EQ(rows[i], kInt4);
  EXPECT_NE(rows[14], kInt4);
}

TEST(QuantizeJob, NamesTheTensorThatIsNotFinite) {
  std::vector<amb::Tensor> tensors = llama();
  for (amb::Tensor& tensor : tensors) {
    if (tensor.name == kQuery) amb::put_at(tensor.data, 3 * kWidth * 4, INFINITY);
  }
  for (const char* type : {"int4_block", "int8", "adaptive"}) {
    const Error error = refused(tensors, as(type));
    EXPECT_EQ(error.code, ErrorCode::BadValue);
    EXPECT_EQ(error.path, std::string(kQuery) + ", row 3");
  }
}

TEST(Quantizations, NameTheTypesThatAFormatHas) {
  const Error type = refused(llama(), as("pq"));
  EXPECT_EQ(type.code, ErrorCode::BadValue);
  EXPECT_EQ(type.path, "options.type");
  EXPECT_EQ(type.message,
            "amb cannot be stored as pq; it can as int8, int4, int5, int4_block, int5_block, "
            "adaptive");
  EXPECT_EQ(refused(llama(), as("int8"), "alt").path, "options.to");
}

}  // namespace
}  // namespace ambry::convert
