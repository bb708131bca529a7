#include "infer/decoder/weights/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "infer/decoder/synthetic_decoder.h"
#include "tensor/codec/encode.h"
#include "tensor/codec/repack.h"

namespace ambry::infer {
namespace {

using testing::DecoderRun;
using testing::SyntheticDecoder;

constexpr const char* kSmall = R"({"architecture": "llama", "n_vocab": 23, "n_embd": 12,
    "n_layers": 2, "n_heads": 3, "n_kv_heads": 1, "n_ff": 17, "max_seq_len": 8})";
constexpr const char* kDeep = R"({"architecture": "mistral", "n_vocab": 19, "n_embd": 24,
    "n_layers": 16, "n_heads": 4, "n_kv_heads": 2, "n_ff": 33, "max_seq_len": 300})";
constexpr const char* kQueries = "layers.1.self_attn.q_proj.weight";

std::vector<uint32_t> some_ids(size_t count, uint32_t n_vocab) {
  std::vector<uint32_t> ids(count);
  for (size_t i = 0; i < count; ++i) ids[i] = static_cast<uint32_t>(i * i + 3 * i + 1) % n_vocab;
  return ids;
}

Error error_of(const SyntheticDecoder& made, const DecoderOptions& options = {}) {
  const auto built = made.try_build(options);
  EXPECT_FALSE(built);
  return built ? Error() : built.error();
}

TEST(Decoder, NamesAMissingTensorAndItsShape) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  made.model.tensors[made.find(kQueries)].name = "layers.1.self_attn.other.weight";
  const Error error = error_of(made);
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.message, "the tensor layers.1.self_attn.q_proj.weight [12, 12] is missing");
}

TEST(Decoder, NamesTheShapeItExpected) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  made.model.tensors[made.find(kQueries)].shape = {12, 13};
  const Error error = error_of(made);
  EXPECT_EQ(error.code, ErrorCode::Mismatch);
  EXPECT_NE(error.message.find("is [12, 13], expected [12, 12]"), std::string::npos);
}

TEST(Decoder, RefusesUnsupportedTypes) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  made.model.tensors[made.find(kQueries)].dtype = tensor::DType::I32;
  const Error error = error_of(made);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.path, kQueries);
}

TEST(Decoder, RefusesBytesOfAnotherSize) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  made.bytes[made.find(kQueries)].pop_back();
  EXPECT_EQ(error_of(made).code, ErrorCode::Mismatch);
}

TEST(Decoder, NamesTheMissingTensor) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  auto builder = *DecoderBuilder::plan(made.model, made.config());
  const size_t left_out = made.find(kQueries);
  for (size_t i = 0; i < made.model.tensors.size(); ++i) {
    ASSERT_TRUE(builder.wants(i));
    if (i == left_out) continue;
    ASSERT_TRUE(builder.accept(i, made.tensor_bytes()(i)));
  }
  const auto finished = std::move(builder).finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().path, kQueries);
}

TEST(Decoder, RefusesScalesThatAreNotFinite) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall, "int8");
  auto& payload = made.bytes[made.find(kQueries)];
  payload[5] = 0x7C;  // the first scale, after the prefix of 4 bytes, infinite
  const Error error = error_of(made);
  EXPECT_EQ(error.code, ErrorCode::BadValue);
  EXPECT_EQ(error.path, std::string(kQueries) + ".scales[0]");
}

TEST(Decoder, RefusesAContextThatTheModelDoesNotHave) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  const Error error = error_of(made, {KvType::F32, 9, 0});
  EXPECT_EQ(error.code, ErrorCode::LimitExceeded);
  EXPECT_EQ(error.path, "options.context");
  EXPECT_EQ(made.build({KvType::F32, 5, 0}).context(), 5U);
  EXPECT_EQ(made.build().context(), 8U);
}

TEST(Decoder, AllowsALongerContextForRelativePositions) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  made.model.config.append_member("sliding_window", 3);
  Decoder decoder = made.build({KvType::F32, 100, 0});
  DecoderRun run(decoder);
  EXPECT_TRUE(run.feed(some_ids(100, 23)));
}

TEST(Decoder, CountsItsWeights) {
  const SyntheticDecoder made = SyntheticDecoder::make(kSmall, "int4_block");
  uint64_t stored = 0;
  for (const auto& bytes : made.bytes) stored += bytes.size();
  EXPECT_EQ(made.build().weight_bytes(), stored);
}

// Embeddings of 23 tokens of which the last 3 are padding.
TEST(Decoder, RecognizesPaddingRows) {
  SyntheticDecoder made = SyntheticDecoder::make(kSmall);
  made.model.tokenizer.emplace();
  for (int i = 0; i < 20; ++i) made.model.tokenizer->vocabulary.push_back(std::to_string(i));
  Decoder decoder = made.build();
  EXPECT_EQ(decoder.n_tokens(), 20U);
  EXPECT_EQ(decoder.n_vocab(), 23U);
  // As in ALT: the config states the vocabulary, and the embedding has more rows.
  made.model.config = io::parse_json(R"({"model_type": "llama", "vocab_size": 20, "n_embd": 12,
      "n_layers": 2, "n_heads": 3, "n_kv_heads": 1, "n_ff": 17, "max_seq_len": 8})")
                          .value();
  Decoder padded = made.build();
  EXPECT_EQ(padded.n_tokens(), 20U);
  DecoderRun run(decoder);
  DecoderRun cut(padded);
  const auto ids = some_ids(5, 20);
  ASSERT_TRUE(run.feed(ids, Logits::Each));
  ASSERT_TRUE(cut.feed(ids, Logits::Each));
  for (size_t i = 0; i < ids.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(cut.logits(i), run.logits(i).first(20)));
  }
  const uint32_t padding = 20;
  EXPECT_EQ(cut.feed({&padding, 1}).error().path, "ids[0]");
}

TEST(Decoder, RunsGgmlInt8LikeAmbInt8) {
  const char* config = R"({"architecture": "llama", "n_vocab": 9, "n_embd": 64, "n_layers": 1,
      "n_heads": 2, "n_ff": 32, "max_seq_len": 8})";
  const SyntheticDecoder plain = SyntheticDecoder::make(config);
  SyntheticDecoder payloads = plain;
  SyntheticDecoder blocks = plain;
  for (size_t i = 0; i < plain.model.tensors.size(); ++i) {
    const auto& entry = plain.model.tensors[i];
    if (entry.shape.rank() != 2) continue;
    std::vector<float> values(static_cast<size_t>(*entry.shape.count()));
    std::memcpy(values.data(), plain.bytes[i].data(), plain.bytes[i].size());
    auto encoded =
        *tensor::encode(tensor::DType::Int8, entry.shape, values, {32, tensor::DType::F16});
    const Bytes body = Bytes(encoded.payload).subspan(tensor::kQuantPrefixBytes);
    const size_t n_scales = values.size() / 32 * 2;
    blocks.bytes[i].resize(body.size());
    tensor::join_q8(body.first(n_scales), body.subspan(n_scales), blocks.bytes[i]);
    blocks.model.tensors[i].dtype = tensor::DType::Q8_0;
    blocks.model.tensors[i].bytes = body.size();
    payloads.model.tensors[i].dtype = tensor::DType::Int8;
    payloads.model.tensors[i].quantization = encoded.quantization;
    payloads.model.tensors[i].bytes = encoded.payload.size();
    payloads.bytes[i] = std::move(encoded.payload);
  }
  Decoder first = payloads.build();
  Decoder second = blocks.build();
  DecoderRun run(first);
  DecoderRun other(second);
  ASSERT_TRUE(run.feed(some_ids(6, 9)));
  ASSERT_TRUE(other.feed(some_ids(6, 9)));
  EXPECT_TRUE(std::ranges::equal(run.logits(), other.logits()));
}

uint64_t weight_bytes(const SyntheticDecoder& made) { return made.build().weight_bytes(); }

TEST(StreamedDecoder, AModelOfTenTimesTheBudgetGivesTheSameTokens) {
  const SyntheticDecoder made = SyntheticDecoder::make(kDeep);
  const uint64_t resident = weight_bytes(made) / 10;
  Decoder whole = made.build();
  Decoder streamed = made.build({KvType::F32, 0, resident});
  EXPECT_TRUE(streamed.is_streamed());
  EXPECT_LE(streamed.weight_bytes(), resident);
  DecoderRun expected(whole);
  DecoderRun run(streamed, made.tensor_bytes());
  const auto prompt = some_ids(90, 19);
  EXPECT_EQ(*run.greedy(prompt, 40), *expected.greedy(prompt, 40));
  EXPECT_LE(run.most_bytes(), resident);
  EXPECT_TRUE(std::ranges::equal(run.logits(), expected.logits()));
}

// A prompt of several blocks still goes through each part at once.
TEST(StreamedDecoder, ReadsOnceForAPromptOfAnyLength) {
  const SyntheticDecoder made = SyntheticDecoder::make(kDeep);
  const uint64_t total = weight_bytes(made);
  Decoder streamed = made.build({KvType::F32, 0, total / 4});
  EXPECT_FALSE(made.build({KvType::F32, 0, total}).is_streamed());
  DecoderRun run(streamed, made.tensor_bytes());
  ASSERT_TRUE(run.feed(some_ids(200, 19), Logits::Each));
  EXPECT_LE(run.read_bytes(), total);
  EXPECT_EQ(run.pass().n_steps(), streamed.n_parts());
}

TEST(StreamedDecoder, PredictsTheNextMissingPart) {
  const SyntheticDecoder made = SyntheticDecoder::make(kDeep);
  Decoder decoder = made.build({KvType::F32, 0, weight_bytes(made) / 3});
  DecoderState state(decoder);
  ForwardPass pass;
  const uint32_t id = 3;
  std::optional<size_t> predicted;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(pass.begin(decoder, state, {&id, 1}, Logits::Last));
    for (PassStep step; step.kind != PassStep::Kind::Done;) {
      step = *pass.step();
      if (step.kind != PassStep::Kind::NeedsPart) continue;
      EXPECT_EQ(step.part, predicted.value_or(step.part));
      decoder.make_room(step.part);
      for (const size_t tensor : decoder.missing_tensors(step.part)) {
        ASSERT_TRUE(decoder.put_tensor(tensor, made.tensor_bytes()(tensor)));
      }
      EXPECT_TRUE(decoder.is_ready(step.part));
      predicted = decoder.next_missing(step.part);
    }
  }
  EXPECT_TRUE(predicted);
}

TEST(StreamedDecoder, NamesTheSmallestBudgetThatWorks) {
  for (const char* dtype : {"f32", "f16", "int8", "int4_block", "int5", "adaptive"}) {
    SCOPED_TRACE(dtype);
    const SyntheticDecoder made = SyntheticDecoder::make(kDeep, dtype);
    const Error error = error_of(made, {KvType::F32, 0, 1});
    EXPECT_EQ(error.code, ErrorCode::LimitExceeded);
    EXPECT_EQ(error.path, "options.resident");
    const uint64_t least = std::stoull(error.message.substr(error.message.find("take ") + 5));
    EXPECT_FALSE(made.try_build({KvType::F32, 0, least - 1}));
    Decoder decoder = made.build({KvType::F32, 0, least});
    DecoderRun run(decoder, made.tensor_bytes());
    ASSERT_TRUE(run.greedy(some_ids(3, 19), 4));
    EXPECT_LE(run.most_bytes(), least);
  }
}

// The output matrix is the embedding.
TEST(StreamedDecoder, RunsWithATiedEmbedding) {
  const SyntheticDecoder made = SyntheticDecoder::read("gpt2");
  Decoder whole = made.build();
  DecoderRun expected(whole);
  Decoder decoder = made.build({KvType::F32, 0, whole.weight_bytes() / 3});
  DecoderRun run(decoder, made.tensor_bytes());
  const auto prompt = std::span(made.ids).first(5);
  EXPECT_EQ(*run.greedy(prompt, 6), *expected.greedy(prompt, 6));
  EXPECT_LE(run.most_bytes(), whole.weight_bytes() / 3);
}

TEST(StreamedDecoder, RefusesMoreThanMayBeInMemory) {
  const SyntheticDecoder made = SyntheticDecoder::make(kDeep);
  Decoder decoder = made.build({KvType::F32, 0, weight_bytes(made) / 3});
  const size_t part = *decoder.next_missing(0);
  const size_t tensor = decoder.missing_tensors(part).back();
  const auto put = decoder.put_tensor(tensor, made.tensor_bytes()(tensor));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, ErrorCode::LimitExceeded);
}

}  // namespace
}  // namespace ambry::infer
