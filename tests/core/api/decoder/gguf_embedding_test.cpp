// What GGUF's keys say of embeddings.
#include <gtest/gtest.h>

#include "api/decoder/open_generator.h"
#include "convert/gguf/gguf_models.h"

namespace ambry::api {
namespace {

namespace gg = formats::gguf::testing;
namespace models = convert::testing;
using testing::File;
using testing::open_generator;

// A llama that takes ids only.
gg::GgufMaker llama_of_ids() {
  gg::GgufMaker maker = models::llama();
  std::erase_if(maker.metadata,
                [](const gg::Entry& entry) { return entry.key.starts_with("tokenizer."); });
  maker.metadata.push_back(gg::u32("llama.vocab_size", 8));
  return maker;
}

Result<GeneratorModel> opened_with_pooling(uint32_t type) {
  gg::GgufMaker maker = llama_of_ids();
  maker.metadata.push_back(gg::u32("llama.pooling_type", type));
  return open_generator(maker.make());
}

std::string pooling_in(const GeneratorModel& session) {
  const auto info = io::parse_json(session.info());
  const io::Json* pooling = info->find("config")->find("pooling");
  return pooling == nullptr ? "none" : std::string(pooling->string());
}

TEST(GgufEmbedding, ReadsTheTypeOfThePooling) {
  const char* kNames[] = {"none", "mean", "cls", "lasttoken"};
  for (uint32_t type = 0; type < std::size(kNames); ++type) {
    const auto session = opened_with_pooling(type);
    ASSERT_TRUE(session) << describe(session.error());
    EXPECT_EQ(pooling_in(*session), kNames[type]);
  }
}

TEST(GgufEmbedding, RefusesRerankersAndUnknownTypes) {
  for (const uint32_t type : {4U, 99U}) {
    const auto session = opened_with_pooling(type);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(session.error().path, "metadata.llama.pooling_type") << describe(session.error());
  }
}

TEST(GgufEmbedding, ReadsAttentionToBothSides) {
  gg::GgufMaker maker = llama_of_ids();
  maker.metadata.push_back(gg::u32("llama.pooling_type", 1));
  maker.metadata.push_back(
      gg::number("llama.attention.causal", formats::gguf::ValueType::Bool, uint8_t{0}));
  const auto session = open_generator(maker.make());
  ASSERT_TRUE(session) << describe(session.error());
  const auto job = GenerateJob::begin(session->generator(), "", R"({"ids": [1]})");
  ASSERT_FALSE(job);
  EXPECT_EQ(job.error().path, "model");
}

}  // namespace
}  // namespace ambry::api
