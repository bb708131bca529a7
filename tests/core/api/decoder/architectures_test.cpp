// Hugging Face directories of every further architecture, converted to AMB, from there to GGUF and
// to AMB again, compute the logits of the reference
// (tests/reference/models/decoder_architectures.py and others beside it).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/decoder/architecture_cases.h"
#include "convert/decoder/decoder_directory.h"
#include "convert/decoder/expert_directory.h"
#include "formats/gguf/gguf_decoder.h"
#include "infer/decoder/run_decoder.h"
#include "infer/decoder/synthetic_decoder.h"

namespace ambry {
namespace {

using convert::testing::ReadBack;
using infer::testing::DecoderRun;
using infer::testing::SyntheticDecoder;
using Case = api::testing::ArchitectureCase;

class Architectures : public ::testing::TestWithParam<Case> {
 protected:
  Architectures() : made_(SyntheticDecoder::read(GetParam().fixture)) {
    directory_.files.add("config.json", config());
    for (size_t i = 0; i < made_.model.tensors.size(); ++i) {
      const model::TensorEntry& tensor = made_.model.tensors[i];
      std::vector<uint64_t> extents(tensor.shape.extents().begin(), tensor.shape.extents().end());
      // The library stores convolutions for one channel of input each.
      const bool is_convolution =
          tensor.name.ends_with(".conv.weight") || tensor.name.ends_with("conv1d.weight");
      if (is_convolution) extents.insert(extents.begin() + 1, 1);
      // What gates the part that all tokens take is a matrix of one row there.
      if (tensor.name.ends_with(".shared_expert_gate.weight")) extents.insert(extents.begin(), 1);
      directory_.tensors.push_back(
          {tensor.name, "F32", extents, {made_.bytes[i].begin(), made_.bytes[i].end()}});
    }
    const std::string_view stated = GetParam().config;
    if (stated.find("granitemoehybrid") != stated.npos) join_mlps();
    const bool has_vision = stated.find("\"vision_config\"") != stated.npos;
    if (has_vision && stated.find("qwen3_5") != stated.npos) {
      add_qwen_vision();
    } else if (has_vision) {
      add_vision();
    }
    if (stated.find("\"audio_config\"") != stated.npos) add_audio();
    convert::testing::publish_experts(stated, directory_.tensors);
    add_xielu();
  }

  // Granite 4 stores gate and up matrix as one.
  void join_mlps() {
    std::vector<formats::safetensors::testing::Tensor> joined;
    for (auto& tensor : directory_.tensors) {
      const auto place = tensor.name.find("mlp.");
      const std::string layer = tensor.name.substr(0, place);
      const bool is_router = tensor.name.ends_with(".mlp.gate.weight");
      if (place == std::string::npos || is_router || tensor.name.find(".experts.") < SIZE_MAX) {
        joined.push_back(tensor);
      } else if (tensor.name.ends_with("gate_proj.weight")) {
        tensor.name = layer + "shared_mlp.input_linear.weight";
        tensor.shape[0] *= 2;
        joined.push_back(tensor);
      } else if (tensor.name.ends_with("up_proj.weight")) {
        joined.back().data += tensor.data;
      } else {
        tensor.name = layer + "shared_mlp.output_linear.weight";
        joined.push_back(tensor);
      }
    }
    directory_.tensors = std::move(joined);
  }

  // The language model of a larger one.
  void add_vision() {
    for (auto& tensor : directory_.tensors) tensor.name.insert(0, "language_model.");
    directory_.add("vision_tower.ln_pre.weight", {4});
    directory_.add("multi_modal_projector.norm.weight", {4});
  }

  // Another way to name the same, and a layer that guesses a second token.
  void add_qwen_vision() {
    for (auto& tensor : directory_.tensors) {
      if (tensor.name.starts_with("model.")) tensor.name.insert(6, "language_model.");
    }
    directory_.add("model.visual.patch_embed.proj.weight", {4});
    directory_.add("mtp.layers.0.input_layernorm.weight", {4});
  }

  void add_audio() {
    directory_.add("model.audio_tower.norm.weight", {4});
    directory_.add("model.embed_audio.embedding.weight", {2, 4});
    directory_.add("model.embed_vision.embedding.weight", {2, 4});
  }

  // Apertus learns the parameters of its activation.
  void add_xielu() {
    const io::Json* lists = made_.model.config.find("xielu");
    if (lists == nullptr) return;
    for (const auto& [name, list] : lists->members()) {
      for (size_t layer = 0; layer < list.items().size(); ++layer) {
        const auto value = static_cast<float>(list.items()[layer].number());
        directory_.tensors.push_back({concat({"model.layers.", layer, ".mlp.act_fn.", name}),
                                      "F32",
                                      {1},
                                      convert::testing::stored({value})});
      }
    }
  }

  // Sizes that a case states come first; the first of equal keys counts.
  static std::string config() {
    const std::string own = GetParam().config;
    std::string text = "{" + own;
    const auto add = [&](const std::string& key, const std::string& value) {
      if (own.find('"' + key + '"') == std::string::npos) text += ", \"" + key + "\": " + value;
    };
    add("vocab_size", "37");
    if (own.find("n_embd") == std::string::npos) {
      add("hidden_size", "36");
      add("intermediate_size", "53");
      add("max_position_embeddings", "64");
    }
    return text + "}";
  }

  [[nodiscard]] static ReadBack convert(const convert::testing::File& source,
                                        const convert::SideFiles& files, const char* format) {
    return convert::testing::read_strictly(
        convert::testing::run(source, files, convert::testing::to(format)), format);
  }
  [[nodiscard]] ReadBack converted(const char* format) const {
    return convert(directory_.weights(), directory_.files, format);
  }

  // `model` has its tensors in `file`.
  void expect_logits(const model::Model& model, Bytes file) const {
    io::Diagnostics diagnostics;
    const auto config = model::decoder_config(model, diagnostics);
    ASSERT_TRUE(config) << describe(config.error());
    const auto bytes = [&](size_t i) {
      const model::TensorEntry& tensor = model.tensors[i];
      return infer::testing::copy_of(
          file.subspan(static_cast<size_t>(tensor.offset), static_cast<size_t>(tensor.bytes)));
    };
    const infer::DecoderOptions options{
        infer::KvType::F32, std::max<uint64_t>(made_.ids.size(), config->max_seq_len), 0};
    auto decoder = infer::testing::build(model, *config, bytes, options);
    ASSERT_TRUE(decoder) << describe(decoder.error());
    DecoderRun run(*decoder);
    const auto fed = run.feed(made_.ids, infer::Logits::Each);
    ASSERT_TRUE(fed) << describe(fed.error());
    const size_t first = made_.ids.size() - made_.logits.size();
    for (size_t i = 0; i < made_.logits.size(); ++i) {
      const auto found = run.logits(first + i);
      ASSERT_EQ(found.size(), made_.logits[i].size());
      for (size_t id = 0; id < found.size(); ++id) {
        ASSERT_NEAR(found[id], made_.logits[i][id], 1e-4) << "position " << first + i;
      }
    }
  }

  SyntheticDecoder made_;
  convert::testing::DecoderDirectory directory_;
};

TEST_P(Architectures, RunAsAmb) {
  const ReadBack amb = converted("amb");
  expect_logits(amb.model, amb.file);
}

TEST_P(Architectures, RunAsGgufAndAsAmbMadeOfIt) {
  const ReadBack first = converted("amb");
  if (!GetParam().gguf) {
    const auto refused =
        convert::testing::run(first.file, convert::SideFiles(), convert::testing::to("gguf"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported) << describe(refused.error());
    EXPECT_TRUE(refused.error().path.starts_with("config")) << describe(refused.error());
    return;
  }
  const ReadBack gguf = convert(first.file, {}, "gguf");
  io::Diagnostics found;
  const auto running = formats::gguf::to_run(io::MemorySource(gguf.file), gguf.model, found);
  ASSERT_TRUE(running) << describe(running.error());
  expect_logits(*running, gguf.file);
  const ReadBack amb = convert(gguf.file, {}, "amb");
  expect_logits(amb.model, amb.file);
  if (std::string_view(GetParam().fixture) != "helium") return;
  // A helium is a llama in GGUF, and one again for those who say so.
  convert::Options options = convert::testing::to("amb");
  options.arch = "helium";
  const ReadBack named = convert::testing::read_strictly(
      convert::testing::run(gguf.file, convert::SideFiles(), options), "amb");
  EXPECT_EQ(named.model.config.find("architecture")->string(), "helium");
  expect_logits(named.model, named.file);
}

// Puts the gate and up matrices of all experts of a layer into one tensor, as some writers do.
bool join_experts(ReadBack& gguf) {
  constexpr std::string_view kGate = ".ffn_gate_exps.weight";
  constexpr std::string_view kUp = ".ffn_up_exps.weight";
  std::vector<model::TensorEntry> tensors;
  for (const model::TensorEntry& gate : gguf.model.tensors) {
    if (gate.name.ends_with(kUp)) continue;
    tensors.push_back(gate);
    if (!gate.name.ends_with(kGate)) continue;
    const std::string layer = gate.name.substr(0, gate.name.size() - kGate.size());
    const model::TensorEntry& up = *gguf.model.find(layer + std::string(kUp));
    model::TensorEntry& both = tensors.back();
    both.name = layer + ".ffn_gate_up_exps.weight";
    both.shape = {gate.shape[0], 2 * gate.shape[1], gate.shape[2]};
    both.offset = gguf.file.size();
    both.bytes = 2 * gate.bytes;
    const auto each = static_cast<std::ptrdiff_t>(gate.bytes / gate.shape[0]);
    const auto n = static_cast<std::ptrdiff_t>(gate.shape[0]);
    const auto before = gguf.file;
    for (std::ptrdiff_t expert = 0; expert < n; ++expert) {
      for (const uint64_t offset : {gate.offset, up.offset}) {
        const auto from = before.begin() + static_cast<std::ptrdiff_t>(offset) + expert * each;
        gguf.file.insert(gguf.file.end(), from, from + each);
      }
    }
  }
  const bool joined = tensors.size() < gguf.model.tensors.size();
  gguf.model.tensors = std::move(tensors);
  return joined;
}

class JoinedExperts : public Architectures {};

TEST_P(JoinedExperts, RunAsGguf) {
  ReadBack gguf = convert(converted("amb").file, {}, "gguf");
  ASSERT_TRUE(join_experts(gguf));
  io::Diagnostics found;
  const auto running = formats::gguf::to_run(io::MemorySource(gguf.file), gguf.model, found);
  ASSERT_TRUE(running) << describe(running.error());
  expect_logits(*running, gguf.file);
}

// Convolutions are no matrices of products, and too narrow for blocks.
TEST(HybridArchitectures, KeepConvolutionsWhenQuantized) {
  const SyntheticDecoder made = SyntheticDecoder::read("lfm2");
  convert::testing::DecoderDirectory directory;
  directory.files.add("config.json", R"({"model_type": "lfm2", "num_hidden_layers": 5,
      "num_attention_heads": 6, "num_key_value_heads": 2, "hidden_size": 36, "vocab_size": 37,
      "block_auto_adjust_ff_dim": false, "intermediate_size": 53, "block_multiple_of": 1,
      "max_position_embeddings": 256, "layer_types": ["conv", "conv", "full_attention", "conv", "full_attention"]})");
  for (size_t i = 0; i < made.model.tensors.size(); ++i) {
    const model::TensorEntry& tensor = made.model.tensors[i];
    const auto extents = tensor.shape.extents();
    directory.tensors.push_back({tensor.name,
                                 "F32",
                                 {extents.begin(), extents.end()},
                                 {made.bytes[i].begin(), made.bytes[i].end()}});
  }
  const ReadBack whole = convert::testing::read_strictly(
      convert::testing::run(directory.weights(), directory.files, convert::testing::to("amb")),
      "amb");
  infer::ActivationSums sums(made.config());
  infer::Decoder decoder = made.build();
  DecoderRun run(decoder);
  run.pass().observe(sums);
  ASSERT_TRUE(run.feed(made.ids));
  const model::DecoderActivations seen = *sums.means();
  for (const auto& [format, type] : {std::pair{"amb", "int8"}, std::pair{"gguf", "q8_0"}}) {
    convert::Options options = convert::testing::to(format);
    options.quantize.emplace().type = type;
    if (std::string_view(format) == "amb") {
      options.quantize->activations = std::make_shared<const model::DecoderActivations>(seen);
    }
    const ReadBack back = convert::testing::read_strictly(
        convert::testing::run(whole.file, convert::SideFiles(), options), format);
    size_t n_plain = 0;
    for (const model::TensorEntry& tensor : back.model.tensors) {
      if (!tensor.name.ends_with(".conv.weight")) continue;
      EXPECT_EQ(tensor.dtype, tensor::DType::F32) << tensor.name;
      ++n_plain;
    }
    EXPECT_EQ(n_plain, 3U);
  }
}

std::vector<Case> cases_with_experts() {
  std::vector<Case> found;
  for (const Case& one : api::testing::kArchitectureCases) {
    const bool has_experts = std::string_view(one.config).find("num_experts") != SIZE_MAX;
    if (one.gguf && has_experts) found.push_back(one);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, JoinedExperts, ::testing::ValuesIn(cases_with_experts()),
                         [](const auto& named) { return std::string(named.param.fixture); });

INSTANTIATE_TEST_SUITE_P(Fixtures, Architectures,
                         ::testing::ValuesIn(api::testing::kArchitectureCases),
                         [](const auto& named) { return std::string(named.param.fixture); });

}  // namespace
}  // namespace ambry
