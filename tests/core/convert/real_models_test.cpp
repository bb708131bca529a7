// Tests with real trained encoders, if the data folder is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "convert/run_conversion.h"
#include "data_files.h"
#include "formats/embd/embd_parse.h"
#include "formats/expect_format.h"
#include "formats/safetensors/safetensors_parse.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

namespace fs = std::filesystem;
using testing::File;

class RealModels : public ::testing::Test {
 protected:
  void SetUp() override {
    AMBRY_NEEDS_DATA("encoders/tinybert-4l-312-no-word-embeddings", "encoders/english-192x2");
    folder_ = ambry::testing::data_folder() / "encoders";
  }
  fs::path folder_;
};

TEST_F(RealModels, ReadsTheHeadersOfTinyBert) {
  const fs::path folder = folder_ / "tinybert-4l-312-no-word-embeddings";
  for (const char* name : {"tinybert_vespa_f16.safetensors", "io_dev.safetensors"}) {
    const File file = *ambry::testing::read_file(folder / name);
    const io::MemorySource source(file);
    io::Diagnostics found;
    const auto model = formats::safetensors::parse(source, found);
    ASSERT_TRUE(model) << describe(model.error());
    EXPECT_TRUE(found.errors.empty());
    EXPECT_GT(model->tensors.size(), 9U);
  }
}

TEST_F(RealModels, ConvertsTheEnglishEncoder) {
  const fs::path folder = folder_ / "english-192x2";
  formats::huggingface::SideFiles files;
  for (const char* name : {"config.json", "vocab.txt"})
    files.add(name, *ambry::testing::read_text(folder / name));
  const File main = *ambry::testing::read_file(folder / "model.safetensors");

  const std::pair<tensor::DType, std::pair<size_t, size_t>> kSizes[] = {
      {tensor::DType::F16, {8'250'000, 8'350'000}},
      {tensor::DType::F32, {16'400'000, 16'600'000}},
      {tensor::DType::Int8, {4'200'000, 4'400'000}}};
  for (const auto& [dtype, range] : kSizes) {
    Options options;
    options.dtype = dtype;
    const auto target = testing::run(main, files, options);
    ASSERT_TRUE(target) << describe(target.error());
    EXPECT_GT(target->size(), range.first);
    EXPECT_LT(target->size(), range.second);
    const auto model = formats::testing::sound_model(*target, "embd");
    ASSERT_TRUE(model);
    EXPECT_EQ(model->tokenizer->vocabulary.size(), 16384U);
    EXPECT_EQ(model->tokenizer->mask_id, 4U);
    const auto config = model::encoder_config(*model);
    ASSERT_TRUE(config);
    EXPECT_EQ(config->num_heads, 6U);
    EXPECT_EQ(config->max_seq_length, 256U);
    RecordProperty("bytes", static_cast<int>(target->size()));
  }
}

// The encoder's tensors, tokens and facts come back from GGUF unchanged.
TEST_F(RealModels, RoundTripsTheEnglishEncoderThroughGguf) {
  const fs::path folder = folder_ / "english-192x2";
  formats::huggingface::SideFiles files;
  for (const char* name : {"config.json", "vocab.txt"})
    files.add(name, *ambry::testing::read_text(folder / name));
  const auto embd =
      testing::run(*ambry::testing::read_file(folder / "model.safetensors"), files, {});
  ASSERT_TRUE(embd) << describe(embd.error());
  Options options;
  options.to = "gguf";
  const auto gguf = testing::run(*embd, {}, options);
  ASSERT_TRUE(gguf) << describe(gguf.error());
  options.to = "embd";
  const auto again = testing::run(*gguf, {}, options);
  ASSERT_TRUE(again) << describe(again.error());

  io::Diagnostics found;
  const auto before = formats::embd::parse(io::MemorySource(*embd), found);
  const auto after = formats::embd::parse(io::MemorySource(*again), found);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->tokenizer->vocabulary, before->tokenizer->vocabulary);
  EXPECT_EQ(after->tokenizer->sep_id, before->tokenizer->sep_id);
  ASSERT_EQ(after->tensors.size(), before->tensors.size());
  for (const model::TensorEntry& tensor : before->tensors) {
    const model::TensorEntry* now = after->find(tensor.name);
    ASSERT_NE(now, nullptr) << tensor.name;
    EXPECT_EQ(now->shape, tensor.shape);
    // GGUF stores norms, biases and positions as f32, so f16 ones come back wider.
    if (now->dtype != tensor.dtype) continue;
    EXPECT_TRUE(std::ranges::equal(
        Bytes(*embd).subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes)),
        Bytes(*again).subspan(static_cast<size_t>(now->offset), static_cast<size_t>(now->bytes))))
        << tensor.name;
  }
}

}  // namespace
}  // namespace ambry::convert
