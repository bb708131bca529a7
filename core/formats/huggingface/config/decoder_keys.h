// The keys that config.json of a language model may have.
#pragma once

#include <array>

namespace ambry::formats::huggingface {

// A setting of AMB, and its names in config.json.
struct Key {
  const char* name;
  std::array<const char*, 4> others;  // the first that is present counts
};
inline constexpr auto kKeys = std::to_array<Key>(
    {{"n_vocab", {"vocab_size"}},
     {"n_embd", {"hidden_size", "n_embd", "d_model"}},
     {"n_layers", {"num_hidden_layers", "n_layer", "n_layers"}},
     {"n_heads", {"num_attention_heads", "n_head", "n_heads"}},
     {"n_kv_heads", {"num_key_value_heads"}},
     {"n_ff", {"intermediate_size", "n_inner", "ffn_hidden_size"}},
     {"head_dim", {"head_dim"}},
     {"max_seq_len", {"max_position_embeddings", "n_positions", "max_seq_len"}},
     {"norm_eps", {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "norm_epsilon"}},
     {"activation_fn", {"hidden_act", "activation_function", "activation"}},
     {"rope_freq_base", {"rope_theta", "rotary_emb_base"}},
     {"rope_local_freq_base", {"rope_local_base_freq"}},
     {"partial_rotary_factor", {"partial_rotary_factor", "rotary_pct", "rope_pct"}},
     {"sliding_window", {"sliding_window"}},
     {"sliding_window_pattern", {"sliding_window_pattern", "_sliding_window_pattern"}},
     {"layer_types", {"layer_types"}},
     {"conv_taps", {"conv_L_cache", "linear_conv_kernel_dim"}},
     {"no_rope_layers", {"no_rope_layers"}},
     {"attn_gate", {"attn_output_gate"}},
     {"linear_num_key_heads", {"linear_num_key_heads"}},
     {"linear_num_value_heads", {"linear_num_value_heads"}},
     {"linear_key_head_dim", {"linear_key_head_dim"}},
     {"linear_value_head_dim", {"linear_value_head_dim"}},
     {"no_rope_layer_interval", {"no_rope_layer_interval"}},
     {"attn_softcap", {"attn_logit_softcapping"}},
     {"final_softcap", {"final_logit_softcapping"}},
     {"embed_scale", {"embedding_multiplier"}},
     {"attn_scale", {"attention_multiplier"}},
     {"residual_scale", {"residual_multiplier"}},
     {"parallel_residual", {"use_parallel_residual"}},
     {"attn_bias", {"attention_bias", "use_qkv_bias", "use_bias", "bias"}},
     {"mlp_bias", {"mlp_bias", "use_bias", "bias"}}});

inline constexpr auto kExpertKeys =
    std::to_array<Key>({{"n_experts", {"num_local_experts", "num_experts"}},
                        {"n_experts_used", {"num_experts_per_tok"}},
                        {"n_ff_expert", {"moe_intermediate_size"}},
                        {"n_dense_layers", {"num_dense_layers"}},
                        {"norm_topk_prob", {"norm_topk_prob"}},
                        {"expert_scale", {"routed_scaling_factor"}},
                        {"decoder_sparse_step", {"decoder_sparse_step"}},
                        {"mlp_only_layers", {"mlp_only_layers"}}});

// Switches that change the model's results, and their only supported position.
struct Switch {
  const char* key;
  bool usual;
};
inline constexpr std::array<Switch, 6> kSwitches = {
    {{"scale_attn_weights", true},
     {"scale_attn_by_inverse_layer_idx", false},
     {"add_cross_attention", false},
     {"is_encoder_decoder", false},
     {"qk_layernorm", false},
     {"apply_residual_connection_post_layernorm", false}}};
inline constexpr std::array<Switch, 3> kMptSwitches = {
    {{"qk_ln", false}, {"prefix_lm", false}, {"attn_uses_sequence_id", false}}};
// Keys that must be absent or null.
inline constexpr std::array kForeignKeys = {"logit_scale", "num_local_experts", "num_experts",
                                            "n_routed_experts", "sparse_config"};
inline constexpr std::array kMptForeignKeys = {"clip_qkv", "softmax_scale"};

}  // namespace ambry::formats::huggingface
