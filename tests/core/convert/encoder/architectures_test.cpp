// Directories of every encoder architecture become EMBD files that give the reference's states.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "convert/encoder/architecture_directory.h"
#include "convert/encoder/load_encoder.h"
#include "convert/run_conversion.h"
#include "infer/encoder/architecture_case.h"

namespace ambry::convert {
namespace {

using testing::File;
using testing::load_encoder;
using testing::safetensors_of;
using testing::side_files;

// How far the means of the texts' states are from the reference's.
double worst_of(const ArchitectureCase& of, const infer::Encoder& encoder) {
  double worst = 0;
  for (const ArchitectureText& text : of.texts) {
    if (!text.task.empty()) continue;  // of an adapter
    const size_t width = text.mean.size();
    std::vector<float> hidden(text.ids.size() * width);
    const infer::Sequence sequence = text.sequence();
    EXPECT_TRUE(encoder.run({&sequence, 1}, hidden));
    for (size_t j = 0; j < width; ++j) {
      double sum = 0;
      for (size_t at = j; at < hidden.size(); at += width) sum += double{hidden[at]};
      const double mean = sum / static_cast<double>(text.ids.size());
      worst = std::max(worst, std::abs(mean - text.mean[j]));
    }
  }
  return worst;
}

class EncoderDirectories : public ::testing::TestWithParam<std::string> {};

TEST_P(EncoderDirectories, BecomeFilesThatRun) {
  const ArchitectureCase of = ArchitectureCase::read(GetParam());
  const auto file = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_TRUE(file) << describe(file.error());
  const auto encoder = load_encoder(*file);
  ASSERT_TRUE(encoder) << describe(encoder.error());
  EXPECT_LE(worst_of(of, *encoder), 1e-5);
  const auto again = testing::run(*file, {}, testing::to("embd"));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, *file);
}

TEST_P(EncoderDirectories, BecomeInt8) {
  const ArchitectureCase of = ArchitectureCase::read(GetParam());
  const auto file =
      testing::run(safetensors_of(of), side_files(of), testing::to("embd", tensor::DType::Int8));
  ASSERT_TRUE(file) << describe(file.error());
  const auto encoder = load_encoder(*file);
  ASSERT_TRUE(encoder) << describe(encoder.error());
  EXPECT_GT(worst_of(of, *encoder), 0.0);
  EXPECT_LE(worst_of(of, *encoder), 0.2);
}

INSTANTIATE_TEST_SUITE_P(All, EncoderDirectories,
                         ::testing::Values("bert", "distilbert", "roberta", "xlm_roberta",
                                           "electra", "albert", "mpnet", "nomic_bert", "modernbert",
                                           "gte_ntk", "jina_v2", "jina_v2_code", "jina_v3",
                                           "deberta_v3", "deberta_v2_own_keys", "t5", "t5_gated",
                                           "eurobert", "eurobert_biased", "neobert", "roformer",
                                           "roformer_narrow", "nomic_moe", "nomic_moe_apart",
                                           "mobilebert"),
                         [](const auto& param) { return param.param; });

TEST(EncoderDirectory, LosesPrefixesAndHeadsForPreTraining) {
  ArchitectureCase of = ArchitectureCase::read("roberta");
  File file = safetensors_of(of, "roberta.");
  std::vector<Error> warnings;
  ASSERT_TRUE(testing::run(file, side_files(of), testing::to("embd"), &warnings));
  const size_t n_before = warnings.size();
  of.model.tensors.push_back({.name = "lm_head.bias",
                              .dtype = tensor::DType::F32,
                              .shape = {of.config.vocab_size},
                              .offset = 0,
                              .bytes = uint64_t{of.config.vocab_size} * 4});
  file = safetensors_of(of);
  ASSERT_TRUE(testing::run(file, side_files(of), testing::to("embd"), &warnings));
  ASSERT_EQ(warnings.size(), n_before + 1);
  EXPECT_EQ(warnings.back().path, "lm_head.bias");
}

TEST(EncoderDirectory, LosesThePrefixAndTheSinesOfRoFormer) {
  ArchitectureCase of = ArchitectureCase::read("roformer");
  const auto usual = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_TRUE(usual) << describe(usual.error());
  std::vector<Error> warnings;
  of.model.tensors.push_back({.name = "encoder.embed_positions.weight",
                              .dtype = tensor::DType::F32,
                              .shape = {48, 12},
                              .offset = 0,
                              .bytes = 48 * 12 * 4});
  const File named = safetensors_of(of, "roformer.");
  const auto made = testing::run(named, side_files(of), testing::to("embd"), &warnings);
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_EQ(*made, *usual);
  for (const Error& warning : warnings)
    EXPECT_EQ(warning.message.find("left out"), std::string::npos);
}

TEST(EncoderDirectory, MayNameTheEmbeddingsOfT5AsTheEncoderDoes) {
  ArchitectureCase of = ArchitectureCase::read("t5");
  const auto embeddings =
      std::ranges::find(of.model.tensors, "shared.weight", &model::TensorEntry::name);
  ASSERT_NE(embeddings, of.model.tensors.end());
  const auto usual = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_TRUE(usual) << describe(usual.error());
  // Both names have the values of the first.
  model::TensorEntry second = *embeddings;
  second.name = "encoder.embed_tokens.weight";
  of.model.tensors.push_back(second);
  const auto both = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_TRUE(both) << describe(both.error());
  EXPECT_EQ(*both, *usual);
  std::erase_if(of.model.tensors,
                [](const model::TensorEntry& tensor) { return tensor.name == "shared.weight"; });
  const auto renamed = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_TRUE(renamed) << describe(renamed.error());
  EXPECT_TRUE(load_encoder(*renamed));
}

TEST(EncoderDirectory, RefusesTensorsThatItWouldNotRun) {
  ArchitectureCase of = ArchitectureCase::read("distilbert");
  of.model.tensors.push_back({.name = "embeddings.token_type_embeddings.weight",
                              .dtype = tensor::DType::F32,
                              .shape = {2, 36},
                              .offset = 0,
                              .bytes = 288});
  const auto made = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(made.error().path, "embeddings.token_type_embeddings.weight");
}

TEST(EncoderDirectory, NamesWhatIsMissing) {
  ArchitectureCase of = ArchitectureCase::read("mpnet");
  std::erase_if(of.model.tensors, [](const model::TensorEntry& tensor) {
    return tensor.name == "encoder.relative_attention_bias.weight";
  });
  const auto made = testing::run(safetensors_of(of), side_files(of), testing::to("embd"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::NotFound);
  EXPECT_NE(made.error().message.find("encoder.relative_attention_bias.weight [32, 3]"),
            std::string::npos)
      << made.error().message;
}

}  // namespace
}  // namespace ambry::convert
