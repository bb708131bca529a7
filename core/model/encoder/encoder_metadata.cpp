#include "model/encoder/encoder_metadata.h"

#include "model/encoder/token_head.h"
#include "model/metadata/metadata_value.h"
#include "model/metadata/prompts.h"
#include "model/static_encoder/static_config.h"

namespace ambry::model {
namespace {

std::string number_text(double value) { return io::Json(value).dump(); }

}  // namespace

void set_encoder_metadata(const EncoderConfig& config, io::Json& metadata) {
  set_metadata_texts(metadata, {{"embedding_dim", config.embedding_size()},
                                {"vocab_size", config.vocab_size},
                                {"num_layers", config.num_layers},
                                {"num_attention_heads", config.num_heads},
                                {"hidden_size", config.hidden_size},
                                {"intermediate_size", config.intermediate_size},
                                {"max_position_emb", config.max_positions},
                                {kArchitectureKey, config.architecture->name},
                                {"hidden_act", config.hidden_act},
                                {"layer_norm_eps", number_text(config.layer_norm_eps)},
                                {"type_vocab_size", config.type_vocab_size},
                                {"pooling_mode", config.pooling},
                                {"normalize", flag_text(config.normalize)},
                                {"max_seq_length", config.max_seq_length}});
  for (const StatedFact& fact : config.architecture->stated) {
    metadata.set(fact.key(), fact.text(config.facts));
  }
  set_prompts(config.prompts, config.default_prompt_name, metadata);
  if (!config.include_prompt) metadata.set("include_prompt", "false");
  if (!config.dense.empty()) {
    metadata.set(kDenseActivations, dense_activations_text(config.dense));
  }
  if (config.text_head()) {
    set_head_metadata(*config.head, config.architecture->head, metadata);
  } else if (config.token_head()) {
    set_token_head_metadata(*config.head, metadata);
  }
  if (config.late) set_late_metadata(*config.late, metadata);
}

}  // namespace ambry::model
