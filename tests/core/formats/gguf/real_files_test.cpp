// llama.cpp's own vocabularies, when the folder of real data is at hand.
#include <gtest/gtest.h>

#include "data_files.h"
#include "formats/gguf/read_gguf.h"

namespace ambry::formats::gguf {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the makers
using model::TokenizerKind;

struct Expected {
  const char* name;
  TokenizerKind kind;
  size_t n_tokens;
  size_t n_merges;
  size_t id;
  const char* token;
};

TEST(GgufRealFiles, ReadsLlamaCppsVocabularies) {
  AMBRY_NEEDS_DATA("tokenizers/llamacpp");
  const Expected kFiles[] = {{"bert-bge", TokenizerKind::WordPiece, 30522, 0, 29601, "##waite"},
                             {"gpt-2", TokenizerKind::Bpe, 50257, 50000, 220, "\xC4\xA0"},
                             {"llama-spm", TokenizerKind::SentencePieceBpe, 32000, 0, 3, "<0x00>"}};
  for (const Expected& expected : kFiles) {
    const auto path = std::string("tokenizers/llamacpp/ggml-vocab-") + expected.name + ".gguf";
    const File file = *ambry::testing::data_file(path);
    const Read result = read(file, io::Strictness::Strict);
    ASSERT_TRUE(result.clean()) << path << describe(*result.problem());
    const model::TokenizerData& tokenizer = *result.model->tokenizer;
    EXPECT_EQ(tokenizer.kind, expected.kind);
    ASSERT_EQ(tokenizer.vocabulary.size(), expected.n_tokens);
    EXPECT_EQ(tokenizer.n_tokens, expected.n_tokens);
    EXPECT_EQ(tokenizer.merges.size(), 2 * expected.n_merges);
    EXPECT_EQ(tokenizer.vocabulary[expected.id], expected.token);
    EXPECT_EQ(tokenizer.types.size(), expected.n_tokens);
    EXPECT_LT(result.model->metadata.dump().size(), 2000U);

    const io::MemorySource source(file);
    const Read without = read(source, {.vocabulary = false});
    EXPECT_EQ(without.model->tokenizer->n_tokens, expected.n_tokens);
    EXPECT_EQ(without.model->metadata.dump(), result.model->metadata.dump());
  }
}

}  // namespace
}  // namespace ambry::formats::gguf
