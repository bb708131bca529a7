// Converts the directory of jina-embeddings-v3 with the adapters of a task, and compares the states
// of the written model with PyTorch's (tests/reference/models/encoder_architectures.py).
#include "convert/encoder/adapters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "convert/run_conversion.h"
#include "formats/embd/embd_parse.h"
#include "formats/safetensors/make_safetensors.h"
#include "infer/encoder/architecture_case.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "model/encoder/encoder_config.h"

namespace ambry::convert {
namespace {

namespace st = formats::safetensors::testing;
using testing::File;

// A case as a directory: config.json, weights and a vocabulary.
class AdaptedDirectory {
 public:
  explicit AdaptedDirectory(const std::string& name) : of_(ArchitectureCase::read(name)) {
    for (size_t i = 0; i < of_.model.tensors.size(); ++i) {
      const model::TensorEntry& entry = of_.model.tensors[i];
      const AlignedBuffer bytes = of_.bytes(i);
      const auto text = reinterpret_cast<const char*>(bytes.bytes().data());
      tensors.push_back({entry.name, "F32", shape_of(entry), std::string(text, bytes.size())});
    }
  }

  [[nodiscard]] const ArchitectureCase& of() const { return of_; }

  [[nodiscard]] Result<File> convert(const std::string& task = "",
                                     std::vector<Error>* warnings = nullptr) const {
    SideFiles side;
    side.add("config.json", config.empty() ? of_.config_json.dump() : config);
    std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
    for (uint32_t i = 5; i < of_.config.vocab_size; ++i) vocabulary += concat({"w", i, "\n"});
    side.add("vocab.txt", vocabulary);
    Options options;
    options.task = task;
    return testing::run(st::from_tensors(tensors), side, options, warnings);
  }

  std::vector<st::Tensor> tensors;
  std::string config;  // empty: that of the case

 private:
  static std::vector<uint64_t> shape_of(const model::TensorEntry& entry) {
    std::vector<uint64_t> shape;
    for (size_t i = 0; i < entry.shape.rank(); ++i) shape.push_back(entry.shape[i]);
    return shape;
  }

  ArchitectureCase of_;
};

Result<infer::Encoder> open_embd(const File& file) {
  const io::MemorySource source(file);
  io::Diagnostics found;
  found.strictness = io::Strictness::Strict;
  AMBRY_TRY(const model::Model model, formats::embd::parse(source, found));
  formats::embd::check(model, found);
  if (!found.errors.empty()) return std::move(found.errors.front());
  AMBRY_TRY(const auto config, model::encoder_config(model));
  AMBRY_TRY(auto builder,
            infer::EncoderBuilder::plan(model, config, infer::WeightStorage::AsStored));
  for (size_t i = 0; i < model.tensors.size(); ++i) {
    const model::TensorEntry& tensor = model.tensors[i];
    if (!builder.wants(i)) continue;
    AMBRY_TRY(AlignedBuffer bytes, AlignedBuffer::allocate(tensor.bytes));
    std::ranges::copy(Bytes(file).subspan(tensor.offset, tensor.bytes), bytes.bytes().begin());
    AMBRY_RETURN_IF_ERROR(builder.accept(i, std::move(bytes)));
  }
  return std::move(builder).finish();
}

void expect_texts(const AdaptedDirectory& directory, const std::string& task) {
  const auto file = directory.convert(task);
  ASSERT_TRUE(file) << describe(file.error());
  const auto encoder = open_embd(*file);
  ASSERT_TRUE(encoder) << describe(encoder.error());
  for (const ArchitectureText& text : directory.of().texts) {
    if (text.task != task) continue;
    const infer::Sequence sequence = text.sequence();
    const size_t width = encoder->hidden_size();
    std::vector<float> hidden(text.ids.size() * width);
    ASSERT_TRUE(encoder->run({&sequence, 1}, hidden));
    for (size_t i = 0; i < text.rows.size(); ++i) {
      for (size_t j = 0; j < width; ++j) {
        ASSERT_NEAR(hidden[text.rows[i] * width + j], text.states[i][j], 1e-5)
            << text.ids.size() << " tokens, row " << text.rows[i];
      }
    }
  }
}

TEST(Adapters, OfATaskAreMergedIntoTheWeights) {
  expect_texts(AdaptedDirectory("jina_v3"), "text-matching");
}

TEST(Adapters, DoNotCountWithoutATask) { expect_texts(AdaptedDirectory("jina_v3"), ""); }

TEST(Adapters, AreLeftOutWithAWarningWithoutATask) {
  std::vector<Error> warnings;
  ASSERT_TRUE(AdaptedDirectory("jina_v3").convert("", &warnings));
  const auto of_adapters = [](const Error& warning) {
    return warning.path == "config.json.lora_adaptations" &&
           warning.message.find("retrieval.query, text-matching") != std::string::npos;
  };
  EXPECT_EQ(std::ranges::count_if(warnings, of_adapters), 1);
}

void expect_refusal(const AdaptedDirectory& directory, const std::string& task, ErrorCode code,
                    const std::string& path) {
  const auto file = directory.convert(task);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, code) << file.error().message;
  EXPECT_EQ(file.error().path, path);
}

TEST(Adapters, OfOtherTasksAreRefused) {
  expect_refusal(AdaptedDirectory("jina_v3"), "separation", ErrorCode::NotFound, "options.task");
  expect_refusal(AdaptedDirectory("roberta"), "text-matching", ErrorCode::NotFound, "options.task");
  AdaptedDirectory bare("jina_v3");
  std::erase_if(bare.tensors, [](const st::Tensor& tensor) { return tensor.shape.size() == 3; });
  EXPECT_TRUE(bare.convert());
  expect_refusal(bare, "text-matching", ErrorCode::NotFound,
                 "roberta.embeddings.word_embeddings.parametrizations.weight.0.lora_A");
}

TEST(Adapters, OfOtherSizesAreRefused) {
  AdaptedDirectory directory("jina_v3");
  const auto side = std::ranges::find_if(directory.tensors, [](const st::Tensor& tensor) {
    return tensor.name.ends_with("mixer.Wqkv.parametrizations.weight.0.lora_B");
  });
  ASSERT_NE(side, directory.tensors.end());
  std::swap(side->shape[1], side->shape[2]);
  expect_refusal(directory, "text-matching", ErrorCode::Mismatch, side->name);
}

TEST(Adapters, RefuseABadConfig) {
  for (const auto& [key, value] :
       {std::pair("lora_adaptations", "\"query\""), std::pair("lora_adaptations", "[1]"),
        std::pair("lora_rank", "0"), std::pair("lora_rank", "100000"),
        std::pair("lora_alpha", "\"much\"")}) {
    AdaptedDirectory directory("jina_v3");
    io::Json config = directory.of().config_json;
    config.set(key, io::parse_json(value).value());
    directory.config = config.dump();
    expect_refusal(directory, "", ErrorCode::BadValue, concat({"config.json.", key}));
  }
}

}  // namespace
}  // namespace ambry::convert
