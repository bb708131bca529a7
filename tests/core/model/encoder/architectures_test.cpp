#include "model/encoder/architectures/architectures.h"

#include <gtest/gtest.h>

#include <set>

#include "model/encoder/encoder_config.h"
#include "model/encoder/encoder_metadata.h"
#include "model/encoder/encoder_tensors.h"
#include "model/tokenizer/made_up.h"

namespace ambry::model {
namespace {

EncoderConfig config_of(const EncoderArchitecture& architecture) {
  EncoderConfig config;
  config.architecture = &architecture;
  config.facts = architecture.facts;
  config.vocab_size = 50;
  config.hidden_size = 24;
  config.num_layers = 3;
  config.num_heads = 4;
  config.intermediate_size = 30;
  config.max_positions = 40;
  config.type_vocab_size = architecture.facts.token_types ? 2 : 0;
  config.max_seq_length = 20;
  if (architecture.facts.gated) config.hidden_act = "silu";
  return config;
}

Model model_of(const EncoderConfig& config) {
  Model model;
  for (const EncoderTensor& tensor : encoder_tensors(config)) {
    model.tensors.push_back(entry(tensor.spec.name, tensor.spec.shape));
  }
  set_encoder_metadata(config, model.metadata);
  return model;
}

TEST(EncoderArchitectures, RoundTripThroughMetadata) {
  for (const EncoderArchitecture* architecture : kEveryArchitecture) {
    const EncoderConfig config = config_of(*architecture);
    const auto read = encoder_config(model_of(config));
    ASSERT_TRUE(read) << architecture->name << ": " << describe(read.error());
    EXPECT_EQ(*read, config) << architecture->name;
  }
}

TEST(EncoderArchitectures, StateEveryFactUnderItsOwnKey) {
  for (const EncoderArchitecture* architecture : kEveryArchitecture) {
    Model model = model_of(config_of(*architecture));
    std::set<std::string> keys;
    for (const StatedFact& fact : architecture->stated) {
      ASSERT_NE(model.metadata.find(fact.key()), nullptr);
      EXPECT_TRUE(keys.insert(fact.key()).second) << fact.key();
      EXPECT_TRUE(fact.fits(architecture->facts)) << architecture->name << ": " << fact.key();
    }
  }
}

TEST(EncoderArchitectures, HaveNamesOfTheirOwnForEveryTensor) {
  for (const EncoderArchitecture* architecture : kEveryArchitecture) {
    const EncoderConfig config = config_of(*architecture);
    std::set<std::string> names;
    for (const EncoderTensor& tensor : encoder_tensors(config)) {
      EXPECT_TRUE(names.insert(tensor.spec.name).second) << tensor.spec.name;
      EXPECT_EQ(canonical_tensor_name(tensor.spec.name), tensor.spec.name);
    }
    for (uint32_t layer = 0; layer < config.weight_layers(); ++layer) {
      EXPECT_TRUE(names.contains(layer_marker(config, layer))) << architecture->name;
    }
  }
}

TEST(EncoderArchitectures, BertHasNoFactsToState) {
  EXPECT_TRUE(kBert.stated.empty());
  EXPECT_EQ(kBert.facts, EncoderFacts());
}

Error config_error(const EncoderArchitecture& architecture, const char* key, const char* value) {
  Model model = model_of(config_of(architecture));
  model.metadata.set(key, value);
  const auto read = encoder_config(model);
  EXPECT_FALSE(read) << key << " = " << value;
  return read ? Error{} : read.error();
}

TEST(EncoderArchitectures, RefuseMetadataThatCannotBeRight) {
  const auto refuses = [](const EncoderArchitecture& architecture, const char* key,
                          const char* value, ErrorCode code) {
    const Error error = config_error(architecture, key, value);
    EXPECT_EQ(error.code, code) << error.message;
    EXPECT_EQ(error.path, concat({"metadata.", key}));
  };
  refuses(kRoberta, "architecture", "gpt2", ErrorCode::Unsupported);
  refuses(kRoberta, "num_layers", "0", ErrorCode::BadValue);
  refuses(kRoberta, "num_layers", "4294967295", ErrorCode::LimitExceeded);
  refuses(kMpnet, "num_attention_heads", "5", ErrorCode::BadValue);
  refuses(kMpnet, "num_attention_heads", "0", ErrorCode::BadValue);
  refuses(kRoberta, "pad_token_id", "4294967295", ErrorCode::BadValue);
  refuses(kAlbert, "num_hidden_groups", "0", ErrorCode::BadValue);
  refuses(kNomicBert, "rotary_emb_fraction", "0", ErrorCode::BadValue);
  refuses(kEuroBert, "num_key_value_heads", "3", ErrorCode::BadValue);
  refuses(kEuroBert, "num_key_value_heads", "8", ErrorCode::BadValue);
  refuses(kEuroBert, "head_dim", "4294967295", ErrorCode::BadValue);
  refuses(kNomicMoe, "num_experts", "0", ErrorCode::BadValue);
  refuses(kNomicMoe, "num_experts", "4294967295", ErrorCode::BadValue);
  refuses(kNomicMoe, "moe_every_n_layers", "1", ErrorCode::BadValue);
  EXPECT_EQ(config_error(kNomicMoe, "moe_top_k", "9").path, "metadata.architecture");
  refuses(kDistilBert, "hidden_act", "silu", ErrorCode::Unsupported);
}

TEST(EncoderArchitectures, LeaveRoomForTheFirstPosition) {
  Model model = model_of(config_of(kRoberta));
  model.metadata.set("max_seq_length", "40");
  io::Diagnostics diagnostics;
  const auto config = encoder_config(model, diagnostics);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->max_seq_length, 38U);
  EXPECT_EQ(diagnostics.warnings.size(), 1U);
  const Error error = config_error(kRoberta, "pad_token_id", "39");
  EXPECT_EQ(error.path, "metadata.max_seq_length");
}

}  // namespace
}  // namespace ambry::model
