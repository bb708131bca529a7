// The trained model stories260K, converted here, against the continuations and logits that its
// reference program gives (shared/data/stories260k).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "convert/decoder_directory.h"
#include "convert/llama2c.h"
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
    const auto folder = testing::data_folder() / "stories260k";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no real model at " << folder;
    checkpoint_ = *testing::read_file(folder / "stories260K.bin");
    const auto tokens = *testing::read_file(folder / "tok512.bin");
    files_.add(std::string(convert::kLlama2cTokenizer), {tokens.begin(), tokens.end()});
    auto answers = io::parse_json(*testing::read_text(folder / "known_answers.json"));
    ASSERT_TRUE(answers) << describe(answers.error());
    answers_ = *std::move(answers);
  }

  ReadBack convert(const char* format,
                   convert::TargetDType dtype = convert::TargetDType::AsStored) const {
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

TEST_F(Stories, ContinueAsTheReferenceDoes) {
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

}  // namespace
}  // namespace ambry
