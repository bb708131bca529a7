#include "formats/huggingface/config/encoders/nomic_sources.h"

#include <algorithm>
#include <string>

#include "formats/huggingface/config/fields/rope_settings.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::huggingface {
namespace {

using model::EncoderConfig;

constexpr const char* kWidth = "n_embd";
constexpr const char* kLibraryWidth = "hidden_size";
// The library's default, where the model's own code has 10000.
constexpr double kLibraryTheta = 1000;

}  // namespace

bool has_nomic_library_keys(const FileValues& values) {
  return model::has_value(values.json(), kLibraryWidth) && !model::has_value(values.json(), kWidth);
}

Result<void> read_nomic(const FileValues& values, EncoderConfig& config) {
  if (!model::has_value(values.json(), kWidth)) {
    return values.fail(kWidth, ErrorCode::NotFound,
                       {"missing; the width is stated as ", kWidth, ", or as ", kLibraryWidth,
                        " by the library's class"});
  }
  const std::string act = values.text("activation_function");
  if (act != "swiglu" && act != "geglu") {
    return values.fail("activation_function", ErrorCode::Unsupported,
                       {"\"", act, "\" is not supported; swiglu and geglu are"});
  }
  config.hidden_act = act == "swiglu" ? "silu" : "gelu";
  return read_nomic_sizes(values, config);
}

Result<void> read_nomic_sizes(const FileValues& values, EncoderConfig& config) {
  bool second_bias = config.facts.mlp_bias;
  uint32_t multiple = 1;
  AMBRY_RETURN_IF_ERROR(
      values.read({{"mlp_fc2_bias", second_bias}, {"pad_vocab_size_multiple", multiple}}));
  if (second_bias != config.facts.mlp_bias) {
    return values.fail("mlp_fc2_bias", ErrorCode::Unsupported, "differs from mlp_fc1_bias");
  }
  const uint32_t over = multiple > 1 ? config.vocab_size % multiple : 0;
  if (over > 0) config.vocab_size += std::min(multiple - over, UINT32_MAX - config.vocab_size);
  return {};
}

Result<void> read_nomic_of_library(const FileValues& values, EncoderConfig& config) {
  uint32_t head = config.num_heads > 0 ? config.hidden_size / config.num_heads : 0;
  const uint32_t usual_head = head;
  AMBRY_RETURN_IF_ERROR(values.read({{"head_dim", head}}));
  if (head != usual_head) {
    return values.fail("head_dim", ErrorCode::Unsupported,
                       "differs from hidden_size / num_attention_heads");
  }
  config.facts.rope_theta = kLibraryTheta;
  AMBRY_RETURN_IF_ERROR(values.read({{"rope_theta", config.facts.rope_theta}}));
  model::EncoderFacts& facts = config.facts;
  AMBRY_RETURN_IF_ERROR(
      read_rope_settings(values, facts, {{"partial_rotary_factor", facts.rotary_fraction}}));
  if (facts.rotary_fraction >= 1e-3 && facts.rotary_fraction <= 1) return {};
  return values.fail("rope_parameters", ErrorCode::BadValue,
                     "the partial_rotary_factor must be from 0.001 to 1");
}

}  // namespace ambry::formats::huggingface
