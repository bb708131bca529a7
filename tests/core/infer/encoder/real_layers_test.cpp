// Trained weights: compares TinyBERT's four layers with recorded layer outputs in float64. The
// files are not in the repository; AMBRY_DATA names the folder that holds `encoders/`.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "data_files.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "infer/encoder/head/pooling.h"
#include "io/json/json.h"
#include "model/file/model.h"
#include "simd/isa.h"

namespace ambry::infer {
namespace {

// A minimal safetensors reader.
struct TensorFile {
  std::vector<uint8_t> file;
  model::Model model;

  static std::optional<TensorFile> read(const std::string& path) {
    std::FILE* stream = std::fopen(path.c_str(), "rb");
    if (stream == nullptr) return std::nullopt;
    TensorFile result;
    uint8_t piece[65536];
    for (size_t n = 0; (n = std::fread(piece, 1, sizeof(piece), stream)) > 0;) {
      result.file.insert(result.file.end(), piece, piece + n);
    }
    std::fclose(stream);
    result.index();
    return result;
  }

  void index() {
    const auto header_size = load_le<uint64_t>(file.data());
    const std::string_view text = as_text(file).substr(8, static_cast<size_t>(header_size));
    const io::Json header = io::parse_json(text).value();
    for (const auto& [name, facts] : header.members()) {
      if (name == "__metadata__") continue;
      const std::string& type = facts.find("dtype")->string();
      model::TensorEntry entry;
      entry.name = name;
      entry.dtype = type == "F16"   ? tensor::DType::F16
                    : type == "I32" ? tensor::DType::I32
                                    : tensor::DType::F32;
      for (const io::Json& extent : facts.find("shape")->items()) {
        entry.shape.push_back(extent.uint());
      }
      const auto& range = facts.find("data_offsets")->items();
      entry.offset = 8 + header_size + range[0].uint();
      entry.bytes = range[1].uint() - range[0].uint();
      model.tensors.push_back(std::move(entry));
    }
  }

  [[nodiscard]] AlignedBuffer bytes(const model::TensorEntry& entry) const {
    AlignedBuffer buffer = AlignedBuffer::allocate(entry.bytes).value();
    std::memcpy(buffer.data(), file.data() + entry.offset, buffer.size());
    return buffer;
  }
};

class RealLayersTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kTexts = 3;
  static constexpr uint32_t kTokens = 24;
  static constexpr uint32_t kWidth = 312;

  void SetUp() override {
    const std::string name = "encoders/tinybert-4l-312-no-word-embeddings";
    AMBRY_NEEDS_DATA(name);
    const std::string folder = ambry::testing::data_folder() / name;
    weights_ = TensorFile::read(folder + "/tinybert_vespa_f16.safetensors");
    io_ = TensorFile::read(folder + "/io_dev.safetensors");
    ASSERT_TRUE(weights_ && io_);
    lay_out_sequences();
  }

  // The file has word vectors instead of words. They become the word embeddings, one word per
  // token.
  void lay_out_sequences() {
    const AlignedBuffer mask = io_->bytes(*io_->model.find("attention_mask"));
    const AlignedBuffer types = io_->bytes(*io_->model.find("token_type_ids"));
    ids_.resize(kTexts);
    types_.resize(kTexts);
    for (uint32_t i = 0; i < kTexts * kTokens; ++i) {
      if (mask.as<int32_t>()[i] == 0) continue;
      ids_[i / kTokens].push_back(i);
      types_[i / kTokens].push_back(static_cast<uint32_t>(types.as<int32_t>()[i]));
    }
  }

  // Hidden states of all real tokens after `n_layers`.
  std::vector<float> run(uint32_t n_layers, WeightStorage storage) {
    model::EncoderConfig config;
    config.vocab_size = kTexts * kTokens;
    config.hidden_size = kWidth;
    config.num_layers = n_layers;
    config.num_heads = 12;
    config.intermediate_size = 1200;
    config.max_positions = 128;
    model::Model model = weights_->model;
    const model::TensorEntry& words = *io_->model.find("word_vectors");
    model.tensors.push_back(words);
    model.tensors.back().name = "embeddings.word_embeddings.weight";
    model.tensors.back().shape = {config.vocab_size, kWidth};

    EncoderBuilder builder = EncoderBuilder::plan(model, config, storage).value();
    for (size_t i = 0; i < weights_->model.tensors.size(); ++i) {
      if (!builder.wants(i)) continue;
      EXPECT_TRUE(builder.accept(i, weights_->bytes(model.tensors[i])));
    }
    EXPECT_TRUE(builder.accept(weights_->model.tensors.size(), io_->bytes(words)));
    Encoder encoder = std::move(builder).finish().value();
    std::vector<Sequence> batch;
    size_t n_tokens = 0;
    for (uint32_t i = 0; i < kTexts; ++i) {
      batch.push_back({ids_[i], types_[i]});
      n_tokens += ids_[i].size();
    }
    std::vector<float> hidden(n_tokens * kWidth);
    EXPECT_TRUE(encoder.run(batch, hidden));
    return hidden;
  }

  // The largest difference from `hidden.<n_layers>` over real tokens, relative for values above 1
  // (they reach some tens).
  double worst_difference(const std::vector<float>& hidden, uint32_t n_layers) {
    const AlignedBuffer all = io_->bytes(*io_->model.find("hidden." + std::to_string(n_layers)));
    double worst = 0;
    size_t at = 0;
    for (const auto& ids : ids_) {
      for (const uint32_t id : ids) {
        for (uint32_t j = 0; j < kWidth; ++j, ++at) {
          const double expected = double{all.as<float>()[id * kWidth + j]};
          const double error = std::abs(double{hidden[at]} - expected);
          worst = std::max(worst, error / std::max(1.0, std::abs(expected)));
        }
      }
    }
    EXPECT_EQ(at, hidden.size());
    return worst;
  }

  // The largest difference from `mean_pooled`.
  double worst_pooled_difference(const std::vector<float>& hidden) {
    const AlignedBuffer expected = io_->bytes(*io_->model.find("mean_pooled"));
    double worst = 0;
    std::span<const float> rest = hidden;
    for (uint32_t i = 0; i < kTexts; ++i) {
      std::vector<float> pooled(kWidth);
      pool(Pooling::Mean, rest.first(ids_[i].size() * kWidth), 0, pooled);
      rest = rest.subspan(ids_[i].size() * kWidth);
      for (uint32_t j = 0; j < kWidth; ++j) {
        const double exact = double{expected.as<float>()[i * kWidth + j]};
        worst = std::max(worst, std::abs(double{pooled[j]} - exact));
      }
    }
    return worst;
  }

  // The least cosine between a text's pooled vector and `mean_pooled`.
  double least_pooled_cosine(std::span<const float> hidden) {
    const AlignedBuffer expected = io_->bytes(*io_->model.find("mean_pooled"));
    double least = 1;
    for (uint32_t i = 0; i < kTexts; ++i) {
      std::vector<float> pooled(kWidth);
      pool(Pooling::Mean, hidden.first(ids_[i].size() * kWidth), 0, pooled);
      hidden = hidden.subspan(ids_[i].size() * kWidth);
      double dot = 0;
      double size = 0;
      double expected_size = 0;
      for (uint32_t j = 0; j < kWidth; ++j) {
        const double exact = double{expected.as<float>()[i * kWidth + j]};
        dot += exact * double{pooled[j]};
        size += double{pooled[j]} * double{pooled[j]};
        expected_size += exact * exact;
      }
      least = std::min(least, dot / std::sqrt(size * expected_size));
    }
    return least;
  }

  std::optional<TensorFile> weights_;
  std::optional<TensorFile> io_;
  std::vector<std::vector<uint32_t>> ids_;
  std::vector<std::vector<uint32_t>> types_;
};

TEST_F(RealLayersTest, EveryLayerEqualsItsRecordedOutput) {
  for (uint32_t n = 0; n <= 4; ++n) {
    const double worst = worst_difference(run(n, WeightStorage::AsStored), n);
    // Rounding in binary32, which these layers amplify: PyTorch's own float32 is off by 6e-6.
    EXPECT_LE(worst, 2e-5) << "after " << n << " layers";
    RecordProperty("layers." + std::to_string(n), std::to_string(worst * 1e6) + "e-6");
  }
}

TEST_F(RealLayersTest, PoolsToTheRecordedMean) {
  EXPECT_LE(worst_pooled_difference(run(4, WeightStorage::AsStored)), 1e-5);
}

TEST_F(RealLayersTest, Int8StaysClose) {
  const std::vector<float> hidden = run(4, WeightStorage::Int8);
  const double worst = worst_difference(hidden, 4);
  const double least = least_pooled_cosine(hidden);
  EXPECT_LE(worst, 0.2);
  // Int8 weights alone cost 0.0024 of it.
  EXPECT_GE(least, 0.9965);
  RecordProperty("int8", std::to_string(worst));
  RecordProperty("int8.cosine", std::to_string(least));
}

}  // namespace
}  // namespace ambry::infer
