// How Hugging Face's files describe the encoders of each architecture: the keys of config.json with
// the library's defaults, the settings that must keep their usual value, and the tensors that are
// left out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/encoder_config.h"

namespace ambry::formats::huggingface {

// A key of config.json, or nullptr, and the value that the library takes without it.
struct SizeKey {
  const char* key;
  uint32_t fallback;
};

// A setting that would change results. It must be absent, null or this JSON.
struct FixedSetting {
  const char* key;
  const char* json;
};

struct EncoderSource {
  const model::EncoderArchitecture* architecture;
  std::span<const std::string_view> model_types;
  // How the names in `architectures` begin, for a config without model_type.
  std::string_view class_prefix;
  // Whether a model is of this architecture, where others have the same type. nullptr: it is.
  bool (*accepts)(const FileValues& values) = nullptr;
  SizeKey vocab = {"vocab_size", 30522};
  SizeKey hidden = {"hidden_size", 768};
  SizeKey layers = {"num_hidden_layers", 12};
  SizeKey heads = {"num_attention_heads", 12};
  SizeKey inner = {"intermediate_size", 3072};
  SizeKey positions = {"max_position_embeddings", 512};
  SizeKey types = {"type_vocab_size", 2};
  // nullptr: config.json does not state it.
  const char* eps = "layer_norm_eps";
  double eps_fallback = 1e-12;
  const char* act = "hidden_act";
  const char* act_fallback = "gelu";
  std::span<const FixedSetting> fixed;
  // How the names of tensors begin that sentence vectors do not use: heads for pre-training are
  // left out with a warning, counters without.
  std::span<const std::string_view> heads_left_out;
  std::span<const std::string_view> counters;
  // How names begin in files of a model with a head, besides what canonical_tensor_name() removes.
  std::string_view prefix = {};
  // A tensor that some files have under its second name only. Empty: none.
  std::string_view tensor = {};
  std::string_view second_name = {};
  // Whether the row is made after the code of the model's authors, which `auto_map` names.
  bool is_of_authors_code = false;
  // The model states its pooling and what follows it, and needs no modules.json for that.
  bool pools_by_itself = false;
  // Reads what the tables do not say. nullptr: nothing.
  Result<void> (*read_more)(const FileValues& values, model::EncoderConfig& config) = nullptr;
};

[[nodiscard]] std::span<const EncoderSource> encoder_sources();

// The source of an architecture, which must be in the table.
[[nodiscard]] const EncoderSource& encoder_source(const model::EncoderArchitecture& architecture);

[[nodiscard]] bool is_encoder_type(std::string_view model_type);
// All model types, each once.
[[nodiscard]] std::vector<std::string_view> encoder_type_names();
// These names as a list for messages.
[[nodiscard]] std::string encoder_types();

}  // namespace ambry::formats::huggingface
