// Changes decoders' graphs and settings in every place. Each change is refused, or leaves the same
// weights in the same places.
#include <gtest/gtest.h>

#include <string>

#include "convert/onnx/decoders/genai_fixture.h"

namespace ambry::convert {
namespace {

using formats::onnx::Attribute;
using formats::onnx::AttributeType;
using formats::onnx::Graph;
using formats::onnx::NameId;
using formats::onnx::Node;
using formats::onnx::OnnxModel;
using testing::GenaiFixture;
using testing::GenaiSources;

// Everything that decides what a model computes.
std::string summary_of(const SourceModel& source) {
  std::string text = source.model.config.dump();
  const auto add_input = [&](const Input& input) {
    text += concat({"\n", input.tensor.name, " ", input.file, " ", input.tensor.offset, " ",
                    input.tensor.bytes, " ", to_string(input.tensor.shape)});
    for (const uint64_t stride : input.strides) text += concat({" ", stride});
  };
  for (const model::TensorEntry& tensor : source.model.tensors) add_input(source.input(tensor));
  if (source.decoded == nullptr) return text;
  for (const PackedMatrix& matrix : source.decoded->matrices) {
    add_input(matrix.code_input);
    add_input(matrix.scale.input);
    text += concat({" ", uint64_t{matrix.group}, " ", uint64_t{matrix.codes.bits}});
  }
  return text;
}

class ChangedGraphs : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto model = formats::onnx::read_model(sources_.main);
    ASSERT_TRUE(model) << describe(model.error());
    model_ = std::move(*model);
    auto read = sources_.read(model_);
    ASSERT_TRUE(read) << describe(read.error());
    usual_ = summary_of(*read);
  }

  void TearDown() override { RecordProperty("changes", static_cast<int>(n_changes_)); }

  // Counts a change, which must be refused or change nothing.
  void expect_safe(const OnnxModel& changed, const std::string& what) {
    auto read = sources_.read(changed);
    ++n_changes_;
    if (!read) {
      ++n_refused_;
      EXPECT_FALSE(read.error().message.empty());
      EXPECT_NE(read.error().code, ErrorCode::NeedBytes);
    } else {
      EXPECT_EQ(summary_of(*read), usual_) << what;
    }
  }
  [[nodiscard]] std::string describe_node(const Node& node) const {
    return concat({model_.op_type(node), " ", model_.names[node.name]});
  }

  GenaiFixture fixture_ = GenaiFixture::read(GetParam());
  GenaiSources sources_{fixture_};
  OnnxModel model_;
  std::string usual_;
  size_t n_changes_ = 0;
  size_t n_refused_ = 0;
};

// Whether an exchange gives a graph of the same form, with other weights in the same places: those
// of constants, and of keys and values.
bool keeps_form(const onnx::OnnxFile& file, const Node& node, size_t i) {
  const bool constants = file.constant(file.input(node, i - 1)) != nullptr &&
                         file.constant(file.input(node, i)) != nullptr;
  return constants || (file.model().is(node, "GroupQueryAttention", "com.microsoft") && i == 2);
}

TEST_P(ChangedGraphs, ExchangeInputs) {
  const onnx::OnnxFile file(model_, sources_.files);
  for (const Node& node : model_.graph.nodes) {
    for (size_t i = 1; i < node.n_inputs; ++i) {
      OnnxModel changed = model_;
      NameId* const inputs = &changed.graph.links[node.links];
      if (inputs[i - 1] == inputs[i] || keeps_form(file, node, i)) continue;
      std::swap(inputs[i - 1], inputs[i]);
      expect_safe(changed, describe_node(node));
    }
  }
  EXPECT_GT(n_refused_, n_changes_ / 2);
}

TEST_P(ChangedGraphs, ExchangeOutputs) {
  for (const Node& node : model_.graph.nodes) {
    for (size_t i = 1; i < node.n_outputs; ++i) {
      OnnxModel changed = model_;
      NameId* const outputs = &changed.graph.links[node.links + node.n_inputs];
      if (outputs[i - 1] == outputs[i]) continue;
      std::swap(outputs[i - 1], outputs[i]);
      expect_safe(changed, describe_node(node));
    }
  }
  EXPECT_EQ(n_refused_, n_changes_);
}

// An input becomes the result of another node, or an input of the graph, or is left out. A constant
// that becomes another one may be another weight.
TEST_P(ChangedGraphs, ReadOtherValues) {
  const OnnxModel& model = model_;
  const onnx::OnnxFile file(model, sources_.files);
  size_t turn = 0;
  for (const Node& node : model.graph.nodes) {
    for (size_t i = 0; i < node.n_inputs; ++i) {
      for (size_t k = 0; k < 12; ++k) {
        const Node& other = model.graph.nodes[(turn += 7) % model.graph.nodes.size()];
        const NameId value = k == 0   ? formats::onnx::kNoName
                             : k == 1 ? model.graph.inputs[turn % model.graph.inputs.size()].name
                                      : file.output(other);
        const NameId now = file.input(node, i);
        const bool other_weight =
            file.constant(now) != nullptr &&
            (value == formats::onnx::kNoName || file.constant(value) != nullptr);
        if (value == now || other_weight) continue;
        OnnxModel changed = model;
        changed.graph.links[node.links + i] = value;
        expect_safe(changed,
                    concat({describe_node(node), ", input ", i, " is ", model.names[value]}));
      }
    }
  }
  EXPECT_GT(n_refused_, n_changes_ * 9 / 10);
}

TEST_P(ChangedGraphs, ChangeAttributes) {
  for (const Node& node : model_.graph.nodes) {
    for (size_t i = 0; i < node.n_attributes; ++i) {
      const Attribute& attribute = model_.graph.attributes[node.attributes + i];
      const bool number =
          attribute.type == AttributeType::Int || attribute.type == AttributeType::Float;
      if (!number || model_.names[attribute.name] == "accuracy_level") continue;
      for (const double change : {0.5, 1.01, -1.0}) {
        OnnxModel changed = model_;
        Attribute& now = changed.graph.attributes[node.attributes + i];
        const float f = change < 0 ? attribute.f() + 1 : attribute.f() * static_cast<float>(change);
        now.bits = attribute.type == AttributeType::Float
                       ? std::bit_cast<uint32_t>(f)
                       : attribute.bits + static_cast<uint64_t>(static_cast<int64_t>(change * 4));
        if (now.bits == attribute.bits) continue;
        expect_safe(changed, concat({describe_node(node), " ", model_.names[attribute.name]}));
      }
      OnnxModel changed = model_;
      changed.graph.attributes[node.attributes + i].name = changed.names.add("unheard_of");
      expect_safe(changed, concat({describe_node(node), " has an attribute of another name"}));
    }
  }
  EXPECT_GT(n_refused_, n_changes_ * 3 / 4);
}

TEST_P(ChangedGraphs, CallOtherOperators) {
  for (size_t i = 0; i < model_.graph.nodes.size(); ++i) {
    for (const char* other : {"Relu", "Identity", "Sub", "Max", "LayerNormalization"}) {
      const Node& node = model_.graph.nodes[i];
      if (model_.is(node, other)) continue;
      OnnxModel changed = model_;
      changed.graph.nodes[i].op = static_cast<uint16_t>(changed.operators.size());
      changed.operators.push_back(
          {changed.names.add(other), formats::onnx::kNoName, formats::onnx::kNoName});
      expect_safe(changed, concat({describe_node(node), " is ", other}));
    }
  }
  EXPECT_GT(n_refused_, n_changes_ * 9 / 10);
}

// A further node between one node and those that read it, or with a result that nothing reads.
TEST_P(ChangedGraphs, HaveFurtherNodes) {
  for (size_t i = 0; i < model_.graph.nodes.size(); ++i) {
    for (const bool dead : {false, true}) {
      OnnxModel changed = model_;
      Graph& graph = changed.graph;
      const Node& node = graph.nodes[i];
      NameId& output = graph.links[node.links + node.n_inputs];
      Node further;
      further.op = static_cast<uint16_t>(changed.operators.size());
      further.links = static_cast<uint32_t>(graph.links.size());
      further.n_inputs = 1;
      further.n_outputs = 1;
      changed.operators.push_back(
          {changed.names.add("Neg"), formats::onnx::kNoName, formats::onnx::kNoName});
      const NameId value = output;
      const NameId own = changed.names.add("further");
      if (!dead) output = own;
      graph.links.push_back(dead ? value : own);
      graph.links.push_back(dead ? own : value);
      graph.nodes.push_back(further);
      expect_safe(changed, concat({describe_node(model_.graph.nodes[i]), " and a further node"}));
    }
  }
  EXPECT_EQ(n_refused_, n_changes_);
}

// The factor of the embedding is taken from the graph, so a small change of it is one of the model.
std::string without_embed_scale(std::string text) {
  const size_t begin = text.find("\"embed_scale\":");
  if (begin == std::string::npos) return text;
  return text.erase(begin, text.find_first_of(",}", begin) - begin);
}

TEST_P(ChangedGraphs, HaveOtherConstants) {
  constexpr uint64_t kFewBytes = 64;
  for (const formats::onnx::Tensor& tensor : model_.tensors) {
    if (tensor.place != formats::onnx::Tensor::Place::File || tensor.data_bytes > kFewBytes) {
      continue;
    }
    for (uint64_t at = 0; at < tensor.data_bytes; ++at) {
      GenaiFixture fixture = fixture_;
      uint8_t& byte = fixture.model[static_cast<size_t>(tensor.data_offset + at)];
      byte ^= 0x40U;
      const GenaiSources sources(fixture);
      auto read = sources.read();
      ++n_changes_;
      if (!read) {
        ++n_refused_;
        continue;
      }
      EXPECT_EQ(without_embed_scale(summary_of(*read)), without_embed_scale(usual_))
          << model_.names[tensor.name] << ", byte " << at;
    }
  }
  EXPECT_GE(n_refused_ * 4, n_changes_ * 3);
}

// Every number of the tables with the other sign.
TEST_P(ChangedGraphs, HaveOtherRotations) {
  std::vector<formats::onnx::Tensor> tables;
  for (const auto* tensors : {&model_.graph.initializers, &model_.tensors}) {
    for (const formats::onnx::Tensor& tensor : *tensors) {
      const std::string_view name = model_.names[tensor.name];
      const bool is_table =
          name.find("_cache") != std::string_view::npos || (name.empty() && tensor.data_bytes > 64);
      const bool here = tensor.place == formats::onnx::Tensor::Place::File &&
                        tensor.type == formats::onnx::DataType::Float;
      if (is_table && here) tables.push_back(tensor);
    }
  }
  for (const formats::onnx::Tensor& tensor : tables) {
    for (uint64_t at = 3; at < tensor.data_bytes; at += 4) {
      GenaiFixture fixture = fixture_;
      uint8_t& top = fixture.model[static_cast<size_t>(tensor.data_offset + at)];
      if ((top & 0x7FU) == 0) continue;  // the sine of position 0
      top ^= 0x80U;
      const GenaiSources sources(fixture);
      ++n_changes_;
      if (!sources.read()) ++n_refused_;
    }
  }
  EXPECT_EQ(n_refused_, n_changes_);
}

INSTANTIATE_TEST_SUITE_P(Families, ChangedGraphs,
                         ::testing::Values("llama", "mistral", "qwen2_q4", "qwen3", "qwen3_fused",
                                           "phi3_q4", "smollm3_q4", "granite", "gemma2_f16",
                                           "gemma3", "phi3_long", "qwen3_uint8", "granite_float16",
                                           "llama_bnb4"),
                         [](const auto& info) { return std::string(info.param); });

struct Setting {
  const char* fixture;
  const char* key;
  const char* value;
};

class OtherSettings : public ::testing::TestWithParam<Setting> {};

TEST_P(OtherSettings, AreRefusedAtTheNode) {
  GenaiFixture fixture = GenaiFixture::read(GetParam().fixture);
  fixture.set_config(GetParam().key, *io::parse_json(GetParam().value));
  const GenaiSources sources(fixture);
  const auto read = sources.read();
  ASSERT_FALSE(read);
  EXPECT_FALSE(read.error().path.empty());
  EXPECT_FALSE(read.error().message.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Keys, OtherSettings,
    ::testing::Values(
        Setting{"llama", "rms_norm_eps", "1.5e-5"}, Setting{"llama", "num_hidden_layers", "1"},
        Setting{"llama", "num_hidden_layers", "3"}, Setting{"llama", "rope_theta", "10100"},
        Setting{"llama", "rope_scaling", "null"}, Setting{"llama", "num_key_value_heads", "2"},
        Setting{"llama", "hidden_act", R"("gelu")"}, Setting{"llama", "head_dim", "32"},
        Setting{"llama", "intermediate_size", "11"}, Setting{"llama", "vocab_size", "36"},
        Setting{"llama", "sliding_window", "3"}, Setting{"llama", "model_type", R"("qwen3")"},
        Setting{"llama", "model_type", R"("gpt2")"}, Setting{"mistral", "sliding_window", "5"},
        Setting{"phi3_q4", "partial_rotary_factor", "0.5"},
        Setting{"smollm3_q4", "no_rope_layers", "[1, 1]"},
        Setting{"smollm3_q4", "no_rope_layers", "[0, 1]"},
        Setting{"granite", "residual_multiplier", "0.25"},
        Setting{"granite", "embedding_multiplier", "11"},
        Setting{"granite", "attention_multiplier", "0.25"},
        Setting{"granite", "logits_scaling", "4"}, Setting{"gemma2", "attn_logit_softcapping", "6"},
        Setting{"gemma2", "final_logit_softcapping", "null"},
        Setting{"gemma2", "query_pre_attn_scalar", "16"},
        Setting{"gemma2", "hidden_activation", R"("gelu")"},
        Setting{"gemma3", "rope_local_base_freq", "1e6"}));

// Exporters that write attention as small nodes, or twice in an If.
TEST(OtherExporters, AreToldWhatToDo) {
  const GenaiFixture fixture = GenaiFixture::read("llama");
  const GenaiSources sources(fixture);
  OnnxModel model = formats::onnx::read_model(sources.main).value();
  for (formats::onnx::Operator& called : model.operators) {
    if (model.names[called.op_type] != "GroupQueryAttention") continue;
    called = {model.names.add("If"), formats::onnx::kNoName, formats::onnx::kNoName};
  }
  const auto read = sources.read(model);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(read.error().path, "/model/layers.0/attn/GroupQueryAttention");
  EXPECT_NE(read.error().message.find("safetensors"), std::string::npos);
}

TEST(OtherExporters, MayNotDefineOperators) {
  const GenaiFixture fixture = GenaiFixture::read("llama");
  const GenaiSources sources(fixture);
  OnnxModel model = formats::onnx::read_model(sources.main).value();
  model.functions.emplace_back();
  const auto read = sources.read(model);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().path, "functions");
}

}  // namespace
}  // namespace ambry::convert
