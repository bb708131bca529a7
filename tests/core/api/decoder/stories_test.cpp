// Compares the trained model stories260K, converted here, with the texts and logits of its
// reference program (stories260k in the data folder).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "convert/decoder/decoder_directory.h"
#include "convert/decoder/llama2c.h"
#include "data_files.h"
#include "infer/decoder/run_decoder.h"

namespace ambry {
namespace {

using convert::testing::ReadBack;
using infer::Decoder;
using infer::testing::DecoderRun;

class Stories : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("stories260k");
    const auto folder = testing::data_folder() / "stories260k";
    checkpoint_ = *testing::read_file(folder / "stories260K.bin");
    const auto tokens = *testing::read_file(folder / "tok512.bin");
    files_.add(std::string(convert::kLlama2cTokenizer), {tokens.begin(), tokens.end()});
    auto answers = io::parse_json(*testing::read_text(folder / "known_answers.json"));
    ASSERT_TRUE(answers) << describe(answers.error());
    answers_ = *std::move(answers);
  }

  ReadBack convert(const char* format, std::optional<tensor::DType> dtype = std::nullopt) const {
    return convert::testing::read_strictly(
        convert::testing::run(checkpoint_, files_, convert::testing::to(format, dtype)), format);
  }

  std::vector<uint8_t> checkpoint_;
  convert::SideFiles files_;
  io::Json answers_;
};

std::vector<uint32_t> ids_of(const io::Json& list) {
  std::vector<uint32_t> ids;
  for (const io::Json& id : list.items()) ids.push_back(static_cast<uint32_t>(id.uint()));
  return ids;
}

infer::testing::TensorBytes bytes_of_tensors(const ReadBack& read) {
  return [&read](size_t i) {
    const model::TensorEntry& tensor = read.model.tensors[i];
    return infer::testing::copy_of(Bytes(read.file).subspan(static_cast<size_t>(tensor.offset),
                                                            static_cast<size_t>(tensor.bytes)));
  };
}

model::DecoderConfig config_of(const ReadBack& read) {
  io::Diagnostics diagnostics;
  auto config = model::decoder_config(read.model, diagnostics);
  EXPECT_TRUE(config) << describe(config.error());
  return *std::move(config);
}

Decoder decoder_of(const ReadBack& read, const infer::DecoderOptions& options = {}) {
  auto decoder =
      infer::testing::build(read.model, config_of(read), bytes_of_tensors(read), options);
  EXPECT_TRUE(decoder) << describe(decoder.error());
  return *std::move(decoder);
}

TEST_F(Stories, ContinueLikeTheReference) {
  for (const char* format : {"alt", "amb"}) {
    const ReadBack read = convert(format);
    Decoder decoder = decoder_of(read);
    for (const io::Json& answer : answers_.find("answers")->items()) {
      SCOPED_TRACE(std::string(format) + ": " + std::string(answer.find("prompt")->string()));
      const auto expected = ids_of(*answer.find("generated_tokens"));
      DecoderRun run(decoder);
      const auto ids = run.greedy(ids_of(*answer.find("prompt_tokens")), expected.size());
      ASSERT_TRUE(ids) << describe(ids.error());
      EXPECT_EQ(*ids, expected);
    }
  }
}

TEST_F(Stories, MatchTheReferencesLogits) {
  const ReadBack read = convert("alt");
  Decoder decoder = decoder_of(read);
  DecoderRun run(decoder);
  const auto ids = ids_of(*answers_.find("logits_tokens"));
  ASSERT_TRUE(run.feed(ids, infer::Logits::Each));
  const auto expected = answers_.find("logits")->items();
  ASSERT_EQ(expected.size(), ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const auto row = expected[i].items();
    ASSERT_EQ(run.logits(i).size(), row.size());
    for (size_t id = 0; id < row.size(); ++id) {
      ASSERT_NEAR(run.logits(i)[id], row[id].number(), 2e-4) << "position " << i << ", id " << id;
    }
  }
}

// 172 tokens through a ring buffer of 32 + 63 rows.
TEST_F(Stories, UseASlidingWindow) {
  const ReadBack read = convert("alt");
  const io::Json& answer = *answers_.find("sliding_window_answer");
  auto config = config_of(read);
  config.sliding_window = static_cast<uint32_t>(answer.find("sliding_window")->uint());
  auto expected = ids_of(*answer.find("generated_tokens"));
  expected.push_back(1);  // the reference stops here
  Decoder decoder = *infer::testing::build(read.model, config, bytes_of_tensors(read));
  DecoderRun run(decoder);
  EXPECT_EQ(*run.greedy(ids_of(*answer.find("prompt_tokens")), expected.size()), expected);
  EXPECT_EQ(run.state().bytes_of(100'000), sizeof(float) * 5 * 2 * 128 * 32);
}

// Rounded matrices give other stories, so these have their own answers
// (tests/reference/models/stories_reference.py).
TEST_F(Stories, ContinueWithF16Weights) {
  const auto golden =
      io::parse_json(*testing::read_text(testing::fixtures_folder() / "decoder/stories_f16.json"));
  ASSERT_TRUE(golden);
  for (const char* format : {"alt", "amb"}) {
    const ReadBack read = convert(format, tensor::DType::F16);
    Decoder decoder = decoder_of(read);
    EXPECT_LT(decoder.weight_bytes(), 530'000U);
    for (const io::Json& answer : golden->items()) {
      const auto expected = ids_of(*answer.find("generated_tokens"));
      DecoderRun run(decoder);
      EXPECT_EQ(*run.greedy(ids_of(*answer.find("prompt_tokens")), expected.size()), expected);
    }
  }
}

// A third of the model is in memory: the tokens are equal, and the limit is kept.
TEST_F(Stories, ContinueWhenReadPartByPart) {
  const ReadBack read = convert("amb");
  constexpr uint64_t kResident = 300'000;
  Decoder decoder = decoder_of(read, {infer::KvType::F32, 0, kResident});
  const io::Json& answer = answers_.find("answers")->items()[1];
  const auto expected = ids_of(*answer.find("generated_tokens"));
  DecoderRun run(decoder, bytes_of_tensors(read));
  EXPECT_EQ(*run.greedy(ids_of(*answer.find("prompt_tokens")), expected.size()), expected);
  EXPECT_LE(run.most_bytes(), kResident);
  const double passes = static_cast<double>(expected.size());
  const double estimate = static_cast<double>(decoder.streamed_bytes());
  EXPECT_NEAR(static_cast<double>(run.read_bytes()) / passes / estimate, 1, 0.1);
}

}  // namespace
}  // namespace ambry
