// Which conversion a source needs before it runs.
#include "opening/conversion_to_run.h"

#include <gtest/gtest.h>

#include <string>

#include "base/concat.h"
#include "convert/encoder/tiny_encoder.h"
#include "convert/onnx/cnn/onnx_networks.h"
#include "convert/onnx/onnx_encoder_case.h"
#include "formats/conformance.h"
#include "formats/embd/make_embd.h"
#include "formats/gguf/make_gguf.h"
#include "formats/huggingface/config/decoder_config_json.h"
#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/onnx/make_onnx.h"

namespace ambry::opening {
namespace {

namespace gg = formats::gguf::testing;
using convert::SideFiles;
using convert::SourceFiles;
using convert::testing::File;

// `kind to`, or `code path`.
std::string conversion(const File& main, const SideFiles& side = {}, Runs wanted = Runs::Nothing) {
  const io::MemorySource source(main);
  const auto found = conversion_to_run(SourceFiles(source, side), wanted);
  if (found) return concat({kind_name(found->runs), " ", found->to});
  return concat({error_code_name(found.error().code), " ", found.error().path});
}

SideFiles directory(std::string_view model_type) {
  SideFiles files;
  files.add("config.json", concat({R"({"model_type":")", model_type, "\"}"}));
  return files;
}

File bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(ConversionToRun, OfADirectoryFollowsItsConfig) {
  const File weights = convert::testing::tiny_safetensors();
  for (const std::string_view type : formats::huggingface::encoder_type_names()) {
    EXPECT_EQ(conversion(weights, directory(type)), "encoder embd") << type;
  }
  for (const std::string_view type : formats::huggingface::decoder_type_names()) {
    EXPECT_EQ(conversion(weights, directory(type)), "generator amb") << type;
  }
  // The conversion to embd says which types there are.
  EXPECT_EQ(conversion(weights, directory("xlnet")), "encoder embd");
  SideFiles unstated;
  unstated.add("config.json", "{}");
  EXPECT_EQ(conversion(weights, unstated), "encoder embd");
}

TEST(ConversionToRun, OfAnEncoderThatIsALanguageModelNeedsItsModules) {
  const File weights = convert::testing::tiny_safetensors();
  SideFiles files = directory("qwen3");
  EXPECT_EQ(conversion(weights, files, Runs::Encoder), "encoder embd");
  files.add("modules.json", "[]");
  EXPECT_EQ(conversion(weights, files, Runs::Encoder), "generator amb");
}

TEST(ConversionToRun, OfALanguageModelThatRanksFollowsItsName) {
  const File weights = convert::testing::tiny_safetensors();
  SideFiles files = directory("qwen3");
  files.add("README.md", "# Qwen3-4B\n");
  EXPECT_EQ(conversion(weights, files, Runs::Encoder), "encoder embd");
  files.add("README.md", "---\nlicense: mit\n---\n# Qwen3-Reranker-0.6B\n");
  EXPECT_EQ(conversion(weights, files, Runs::Encoder), "generator amb");
}

TEST(ConversionToRun, OfWeightsAloneAsksForTheirDirectory) {
  const File weights = convert::testing::tiny_safetensors();
  EXPECT_EQ(conversion(weights), "NotFound config.json");
  SideFiles files;
  files.add("vocab.txt", "[PAD]\n");
  EXPECT_EQ(conversion(weights, files), "encoder embd");
}

// The hub has networks for pictures with a config.json of their own.
TEST(ConversionToRun, OfAGraphInADirectoryFollowsItsInputs) {
  const File network = convert::testing::network_file("digits-folded.onnx");
  EXPECT_EQ(conversion(network), "imageClassifier tinyruntime");
  EXPECT_EQ(conversion(network, directory("resnet")), "imageClassifier tinyruntime");
  const File encoder = convert::testing::OnnxEncoderCase::read("bert_opset11").graph;
  EXPECT_EQ(conversion(encoder), "NotFound config.json");
  EXPECT_EQ(conversion(encoder, directory("bert")), "encoder embd");
  EXPECT_EQ(conversion(encoder, directory("xlnet")), "encoder embd");
  EXPECT_EQ(conversion(encoder, directory("llama")), "generator amb");
  formats::onnx::testing::ModelMaker sound;
  sound.graph.inputs = {formats::onnx::testing::value("sound", 1, {1, 512})};
  sound.graph.nodes = {formats::onnx::testing::node("LSTM", {"sound"}, {"y"}, {}, "", "lstm")};
  EXPECT_EQ(conversion(sound.make()), "Unsupported lstm");
  EXPECT_EQ(conversion(sound.make(), directory("wav2vec2")), "Unsupported lstm");
}

TEST(ConversionToRun, OfOneFileFollowsItsFormat) {
  EXPECT_EQ(conversion(gg::make_gguf()), "generator amb");
  gg::GgufMaker encoder;
  encoder.metadata[0] = gg::text("general.architecture", "jina-bert-v3");
  EXPECT_EQ(conversion(encoder.make()), "encoder embd");
  EXPECT_EQ(conversion(formats::embd::testing::make_f0()), "encoder embd");
  EXPECT_EQ(conversion(bytes_of("2 2\neast 1 0\nnorth 0 1\n")), "words finalfusion");
  for (const auto& fixture : formats::testing::fixtures()) {
    if (fixture.id == "tinyruntime")
      EXPECT_EQ(conversion(fixture.file), "imageClassifier tinyruntime");
    if (fixture.id == "fasttext") EXPECT_EQ(conversion(fixture.file), "words finalfusion");
  }
}

TEST(ConversionToRun, IsToTheKindThatIsAskedFor) {
  EXPECT_EQ(conversion(gg::make_gguf(), {}, Runs::Words), "words finalfusion");
  EXPECT_EQ(conversion(gg::make_gguf(), {}, Runs::TextClassifier), "encoder embd");
  EXPECT_EQ(conversion(bytes_of("<!doctype html>")), "BadMagic file");
}

}  // namespace
}  // namespace ambry::opening
