// Native code distills with typed options.
#include "distill/distillation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/expect_format.h"
#include "infer/encoder/synthetic_bert.h"
#include "model/static_encoder/static_config.h"
#include "text/make_tokenizer.h"

namespace ambry::distill {
namespace {

model::TokenizerData words() {
  model::TokenizerData data;
  data.kind = model::TokenizerKind::WordPiece;
  for (const char* token :
       {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "sun", "moon", "star", "sky", "[unused1]", "s"}) {
    data.vocabulary.push_back(token);
  }
  data.pad_id = 0;
  data.unk_id = 1;
  data.cls_id = 2;
  data.sep_id = 3;
  return data;
}

std::vector<std::string> tokens_of(const model::Model& model) {
  std::vector<std::string> tokens;
  const model::Vocabulary& vocabulary = model.tokenizer->vocabulary;
  for (uint32_t id = 0; id < vocabulary.size(); ++id) tokens.emplace_back(vocabulary[id]);
  return tokens;
}

Teacher teacher() {
  model::EncoderConfig config;
  config.vocab_size = 10;
  config.hidden_size = 8;
  config.num_layers = 1;
  config.num_heads = 2;
  config.intermediate_size = 16;
  config.max_positions = 4;
  auto encoder = SyntheticBert(config).build();
  EXPECT_TRUE(encoder) << describe(encoder.error());
  auto tokenizer = text::make_tokenizer(words());
  EXPECT_TRUE(tokenizer) << describe(tokenizer.error());
  return {.vocabulary = words(),
          .tokenizer = std::shared_ptr<const text::Tokenizer>(std::move(tokenizer).value()),
          .encoder = std::make_shared<const infer::Encoder>(std::move(encoder).value())};
}

Result<std::vector<uint8_t>> distilled(DistillOptions options,
                                       const std::vector<std::string>& texts = {}) {
  AMBRY_TRY(Distillation job, Distillation::begin(teacher(), std::move(options)));
  for (const std::string& text : texts) job.count(text);
  AMBRY_RETURN_IF_ERROR(job.start());
  uint32_t progress = 0;
  for (bool done = false; !done;) {
    AMBRY_TRY(done, job.step());
    EXPECT_GE(job.progress(), progress);
    progress = job.progress();
  }
  EXPECT_EQ(progress, 1000U);
  return std::vector<uint8_t>(job.file().begin(), job.file().end());
}

TEST(TypedDistillation, MakesAStaticEncoder) {
  DistillOptions options;
  options.dim = 4;
  options.dtype = tensor::DType::F32;
  options.model_name = "small";
  const auto file = distilled(options);
  ASSERT_TRUE(file) << describe(file.error());
  const auto model = formats::testing::sound_model(*file, "embd");
  ASSERT_TRUE(model);
  const auto config = model::static_config(*model);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->embedding_dim, 4U);
  EXPECT_EQ(model->metadata.find("model_name")->string(), "small");
  EXPECT_EQ(tokens_of(*model),
            (std::vector<std::string>{"[UNK]", "sun", "moon", "star", "sky", "s"}));
}

TEST(TypedDistillation, KeepsTheTokensThatTextsHave) {
  DistillOptions options;
  options.vocab_size = 4;
  const auto file = distilled(options, {"moon sky", "sky"});
  ASSERT_TRUE(file) << describe(file.error());
  const auto model = formats::testing::sound_model(*file, "embd");
  ASSERT_TRUE(model);
  EXPECT_EQ(tokens_of(*model), (std::vector<std::string>{"[UNK]", "moon", "sky", "s"}));
}

TEST(TypedDistillation, RefusesOptionsOutOfRange) {
  const auto refuse = [](std::string_view path, const auto& change) {
    DistillOptions bad;
    change(bad);
    const auto refused = distilled(bad);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().path, path);
  };
  refuse("options.dim", [](DistillOptions& bad) { bad.dim = 0; });
  refuse("options.sif", [](DistillOptions& bad) { bad.sif = 1; });
  refuse("options.vocabSize", [](DistillOptions& bad) { bad.vocab_size = 1; });
}

}  // namespace
}  // namespace ambry::distill
