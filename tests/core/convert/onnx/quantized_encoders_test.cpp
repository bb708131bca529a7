// Whole encoders in the forms of quantizers become EMBD files that give onnxruntime's states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "convert/encoder/load_encoder.h"
#include "convert/onnx/quantized_case.h"
#include "convert/run_conversion.h"

namespace ambry::convert {
namespace {

using onnx::testing::floats_of;
using testing::File;
using testing::load_encoder;

std::filesystem::path encoders_folder() {
  return ambry::testing::fixtures_folder() / "onnx" / "quantized_encoders";
}

const io::Json& encoders_json() {
  static const std::string text = *ambry::testing::read_text(encoders_folder() / "cases.json");
  static const io::Json json = *io::parse_json(text);
  return json;
}

SideFiles files_beside(const io::Json& config) {
  std::string vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (uint64_t i = 5; i < config.find("vocab_size")->uint(); ++i) {
    vocabulary += concat({"w", i, "\n"});
  }
  SideFiles files;
  files.add("config.json", config.dump());
  files.add("vocab.txt", vocabulary);
  files.add("tokenizer_config.json", R"({"do_lower_case":true,"tokenizer_class":"BertTokenizer"})");
  return files;
}

Result<File> embd_of(const std::string& name, const Options& options = testing::to("embd")) {
  const auto text = *ambry::testing::read_text(encoders_folder() / (name + ".onnx"));
  const File graph(text.begin(), text.end());
  const SideFiles side = files_beside(*encoders_json().find("cases")->find(name)->find("config"));
  const io::MemorySource source(graph);
  SourceFiles sources(source, side);
  sources.name_main("onnx/model.onnx");
  return testing::run(sources, {graph}, options);
}

// The least cosine between the states of a token and those of onnxruntime.
double worst_cosine(const infer::Encoder& encoder, const io::Json& stated) {
  const auto expected = floats_of(*stated.find("states"));
  const size_t width = encoder.hidden_size();
  const auto& texts = encoders_json().find("ids")->items();
  const auto& masks = encoders_json().find("mask")->items();
  double worst = 1;
  for (size_t text = 0; text < texts.size(); ++text) {
    std::vector<uint32_t> ids;
    const size_t n_stored = texts[text].items().size();
    for (size_t i = 0; i < n_stored && masks[text].items()[i].uint() == 1; ++i) {
      ids.push_back(static_cast<uint32_t>(texts[text].items()[i].uint()));
    }
    std::vector<float> states(ids.size() * width);
    const infer::Sequence sequence{ids, {}};
    EXPECT_TRUE(encoder.run({&sequence, 1}, states));
    for (size_t token = 0; token < ids.size(); ++token) {
      double ab = 0;
      double aa = 0;
      double bb = 0;
      for (size_t j = 0; j < width; ++j) {
        const double a = states[token * width + j];
        const double b = expected[(text * n_stored + token) * width + j];
        ab += a * b;
        aa += a * a;
        bb += b * b;
      }
      worst = std::min(worst, ab / std::sqrt(aa * bb));
    }
  }
  return worst;
}

TEST(OnnxQuantizedEncoders, GiveTheStatesOfOnnxruntime) {
  for (const auto& [name, stated] : encoders_json().find("cases")->members()) {
    SCOPED_TRACE(name);
    const auto file = embd_of(name);
    EXPECT_TRUE(file) << describe(file.error());
    if (!file) continue;
    const auto encoder = load_encoder(*file);
    EXPECT_TRUE(encoder) << describe(encoder.error());
    if (!encoder) continue;
    EXPECT_GE(worst_cosine(*encoder, stated), 0.999);
  }
}

TEST(OnnxQuantizedEncoders, OfEightBitsKeepTheirCodes) {
  for (const char* name :
       {"bert_uint8", "bert_int8_channel", "bert_qdq_int8", "distilbert_uint8"}) {
    SCOPED_TRACE(name);
    const auto kept = embd_of(name);
    const auto floats = embd_of(name, testing::to("embd", tensor::DType::F32));
    ASSERT_TRUE(kept) << describe(kept.error());
    ASSERT_TRUE(floats) << describe(floats.error());
    io::Diagnostics found;
    const auto model = formats::find_format("embd")->parse(io::MemorySource(*kept), found, {});
    ASSERT_TRUE(model) << describe(model.error());
    const auto n_codes =
        std::ranges::count(model->tensors, tensor::DType::I8, &model::TensorEntry::dtype);
    EXPECT_GE(n_codes, 6);
    // With the codes as floats nothing is quantized while the model runs, so the states are nearly
    // the same.
    const auto with_codes = load_encoder(*kept);
    const auto with_floats = load_encoder(*floats);
    ASSERT_TRUE(with_codes) << describe(with_codes.error());
    ASSERT_TRUE(with_floats) << describe(with_floats.error());
    EXPECT_GE(worst_cosine(*with_floats, *encoders_json().find("cases")->find(name)), 0.999);
  }
}

}  // namespace
}  // namespace ambry::convert
