// Native code embeds texts with typed options.
#include "generate/embedding/text_embedding.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "generate/synthetic_generator.h"

namespace ambry::generate {
namespace {

using Rows = std::vector<float>;

Result<Rows> embedded(const testing::SyntheticGenerator& model,
                      const std::vector<std::string>& texts, infer::EmbedOptions options) {
  AMBRY_TRY(TextEmbedding embedding, TextEmbedding::begin(model.generator, std::move(options)));
  for (const std::string& text : texts) embedding.add(text);
  AMBRY_RETURN_IF_ERROR(embedding.start());
  for (;;) {
    AMBRY_TRY(const PassProgress progress, embedding.step());
    if (progress.done) break;
  }
  return Rows(embedding.result().begin(), embedding.result().end());
}

TEST(TypedTextEmbedding, GivesEachTextTheRowThatItHasAlone) {
  const testing::SyntheticGenerator model("llama");
  const auto defaults = embed_defaults(*model.generator);
  ASSERT_TRUE(defaults);
  const size_t dim = defaults->sentence_size;
  infer::EmbedOptions options;
  options.pooling = infer::Pooling::LastToken;
  options.dim = defaults->sentence_size;
  const auto both = embedded(model, {"abcd", "zz top"}, options);
  const auto alone = embedded(model, {"zz top"}, options);
  ASSERT_TRUE(both && alone);
  ASSERT_EQ(both->size(), 2 * dim);
  EXPECT_EQ(Rows(both->begin() + static_cast<std::ptrdiff_t>(dim), both->end()), *alone);
}

TEST(TypedTextEmbedding, CutsVectorsAndRefusesLongTexts) {
  const testing::SyntheticGenerator model("llama");
  infer::EmbedOptions options;
  options.dim = 3;
  options.refuse_long = true;
  const auto cut = embedded(model, {"abcd"}, options);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->size(), 3U);
  const auto refused = embedded(model, {"a", std::string(500, 'e')}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::LimitExceeded);
  EXPECT_EQ(refused.error().path, "texts[1]");
}

}  // namespace
}  // namespace ambry::generate
