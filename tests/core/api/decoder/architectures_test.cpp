// Hugging Face directories of every further architecture, converted to AMB, from there to GGUF and
// to AMB again, compute the logits of the reference (tests/reference/decoder_architectures.py
// and others beside it).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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

struct Case {
  const char* fixture;
  const char* config;  // config.json, after the sizes that all cases share
  bool gguf = true;    // whether GGUF has keys for all of it
};

constexpr Case kCases[] = {
    {"qwen2", R"("model_type": "qwen2", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "rope_theta": 1000000.0, "use_sliding_window": false,
      "sliding_window": 8, "max_window_layers": 1)"},
    {"qwen2_windows", R"("model_type": "qwen2", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 3, "max_position_embeddings": 128, "use_sliding_window": true,
      "sliding_window": 5, "max_window_layers": 1)",
     false},
    {"qwen3", R"("model_type": "qwen3", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 10, "rope_theta": 1000000.0)"},
    {"gemma2", R"("model_type": "gemma2", "num_hidden_layers": 4, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 14, "sliding_window": 6,
      "max_position_embeddings": 128, "query_pre_attn_scalar": 14, "attn_logit_softcapping": 3.0,
      "final_logit_softcapping": 5.0, "hidden_activation": "gelu_pytorch_tanh")"},
    {"gemma3", R"("model_type": "gemma3_text", "num_hidden_layers": 7, "num_attention_heads": 6,
      "num_key_value_heads": 1, "head_dim": 14, "sliding_window": 5, "sliding_window_pattern": 6,
      "max_position_embeddings": 128, "query_pre_attn_scalar": 14, "rope_theta": 1000000.0,
      "rope_local_base_freq": 10000.0, "rope_scaling": {"rope_type": "linear", "factor": 8.0})"},
    {"smollm3", R"("model_type": "smollm3", "num_hidden_layers": 5, "num_attention_heads": 6,
      "num_key_value_heads": 2, "no_rope_layers": [1, 1, 1, 0, 1], "use_sliding_window": false,
      "sliding_window": null)"},
    {"olmo2", R"("model_type": "olmo2", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 3, "head_dim": 10, "rms_norm_eps": 1e-5)"},
    {"granite", R"("model_type": "granite", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "embedding_multiplier": 3.0, "attention_multiplier": 0.25,
      "residual_multiplier": 0.5, "logits_scaling": 8.0)"},
    {"stablelm", R"("model_type": "stablelm", "num_hidden_layers": 3, "num_attention_heads": 3,
      "head_dim": 8, "use_qkv_bias": true, "use_parallel_residual": false, "hidden_act": "silu",
      "partial_rotary_factor": 0.25)"},
    {"stablelm_parallel", R"("model_type": "stablelm", "num_hidden_layers": 3,
      "num_attention_heads": 3, "use_parallel_residual": true, "partial_rotary_factor": 0.5)"},
    {"gpt_neox", R"("model_type": "gpt_neox", "num_hidden_layers": 3, "num_attention_heads": 6,
      "head_dim": 8, "rotary_pct": 0.25, "rotary_emb_base": 10000, "hidden_act": "gelu")"},
    {"gpt_neox_sequential", R"("model_type": "gpt_neox", "num_hidden_layers": 3,
      "num_attention_heads": 3, "rotary_pct": 1.0, "use_parallel_residual": false)"},
    {"gptj", R"("model_type": "gptj", "n_embd": 36, "n_layer": 3, "n_head": 3, "n_positions": 64,
      "n_inner": 53, "rotary_dim": 8, "activation_function": "gelu_new")",
     false},
    {"starcoder2", R"("model_type": "starcoder2", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "sliding_window": 7, "norm_epsilon": 1e-5, "use_bias": true,
      "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": false)"},
    {"phi4_mini", R"("model_type": "phi3", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 3, "head_dim": 16, "partial_rotary_factor": 0.75,
      "tie_word_embeddings": true, "original_max_position_embeddings": 16, "rms_norm_eps": 1e-5,
      "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.125, 1.25, 1.5, 2.0, 2.5],
                       "long_factor": [1.0, 1.75, 3.5, 5.25, 8.0, 9.5]})"},
    {"minicpm", R"("model_type": "minicpm", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 12, "scale_emb": 12, "scale_depth": 1.4,
      "dim_model_base": 9, "rope_scaling": {"rope_type": "longrope",
        "short_factor": [1.0, 1.125, 1.25, 1.5, 2.0, 2.5],
        "long_factor": [1.0, 1.75, 3.5, 5.25, 8.0, 9.5], "original_max_position_embeddings": 16})"},
    {"granite_nope", R"("model_type": "granitemoehybrid", "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 3, "num_local_experts": 0,
      "layer_types": ["attention", "attention", "attention"], "position_embedding_type": "nope",
      "shared_intermediate_size": 53, "intermediate_size": 8, "embedding_multiplier": 12,
      "attention_multiplier": 0.25, "residual_multiplier": 0.22, "logits_scaling": 8,
      "tie_word_embeddings": true)"},
    {"arcee", R"("model_type": "arcee", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 10, "hidden_act": "relu2", "mlp_bias": false,
      "rope_theta": 10000.0, "rope_scaling": {"type": "yarn", "factor": 20.0, "beta_fast": 2.0,
        "beta_slow": 1.0, "mscale": 1.0, "original_max_position_embeddings": 16})"},
    {"helium", R"("model_type": "helium", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 3, "head_dim": 6)"},
    {"ernie4_5", R"("model_type": "ernie4_5", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 10, "use_bias": false)"},
    {"ernie4_5_biased", R"("model_type": "ernie4_5", "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": null, "use_bias": true,
      "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0})",
     false},
    {"hunyuan", R"("model_type": "hunyuan_v1_dense", "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 10, "use_qk_norm": true,
      "rope_theta": 10000.0, "rope_scaling": {"alpha": 1000.0, "beta_fast": 32, "beta_slow": 1,
        "factor": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, "type": "dynamic"},
      "tie_word_embeddings": true)"},
    {"exaone4", R"("model_type": "exaone4", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 12, "rope_theta": 1000000.0, "sliding_window": null,
      "sliding_window_pattern": null)"},
    {"exaone4_windows", R"("model_type": "exaone4", "num_hidden_layers": 5,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 12, "sliding_window": 6,
      "max_position_embeddings": 128, "rope_theta": 1000000.0, "sliding_window_pattern": "LLLG",
      "rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 32})"},
    {"olmo3", R"("model_type": "olmo3", "num_hidden_layers": 5, "num_attention_heads": 6,
      "num_key_value_heads": 2, "sliding_window": 7, "max_position_embeddings": 128,
      "rope_theta": 500000.0, "rope_scaling": {"rope_type": "yarn", "factor": 8.0,
        "attention_factor": 1.2079441541679836, "beta_fast": 32.0, "beta_slow": 1.0,
        "original_max_position_embeddings": 16}, "layer_types": ["sliding_attention",
        "sliding_attention", "sliding_attention", "full_attention", "sliding_attention"])"},
    {"ministral3", R"("model_type": "mistral3", "vision_config": {"model_type": "pixtral"},
      "text_config": {"model_type": "ministral3", "num_hidden_layers": 3, "num_attention_heads": 6,
        "num_key_value_heads": 2, "head_dim": 14, "max_position_embeddings": 256,
        "rope_parameters": {"type": "yarn", "rope_type": "yarn", "rope_theta": 1000000.0,
          "factor": 16.0, "original_max_position_embeddings": 16, "beta_fast": 4.0,
          "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}})"},
    {"apertus", R"("model_type": "apertus", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 2, "head_dim": 10, "hidden_act": "xielu", "rope_theta": 12000000.0,
      "rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 32})"},
    {"lfm2", R"("model_type": "lfm2", "num_hidden_layers": 5, "num_attention_heads": 6,
      "num_key_value_heads": 2, "conv_L_cache": 3, "block_ff_dim": 79, "block_multiple_of": 53,
      "max_position_embeddings": 256, "full_attn_idxs": [2, 4], "norm_eps": 1e-5)"},
    {"lfm2_biased", R"("model_type": "lfm2", "num_hidden_layers": 3, "num_attention_heads": 6,
      "num_key_value_heads": 3, "conv_L_cache": 4, "block_auto_adjust_ff_dim": false,
      "block_multiple_of": 1, "max_position_embeddings": 256, "conv_bias": true,
      "layer_types": ["full_attention", "conv", "conv"], "tie_embedding": true)",
     false},
    {"granite_hybrid", R"("model_type": "granitemoehybrid", "max_position_embeddings": 256,
      "num_hidden_layers": 4,
      "num_attention_heads": 6, "num_key_value_heads": 2, "embedding_multiplier": 3.0,
      "attention_multiplier": 0.25, "residual_multiplier": 0.5, "logits_scaling": 8.0,
      "shared_intermediate_size": 53, "layer_types": ["mamba", "attention", "mamba", "mamba"],
      "position_embedding_type": "nope", "mamba_n_heads": 8, "mamba_d_head": "auto",
      "mamba_d_state": 7, "mamba_n_groups": 1, "mamba_d_conv": 4, "mamba_expand": 2,
      "rms_norm_eps": 1e-5, "num_local_experts": 0, "tie_word_embeddings": true)"},
    {"granite_hybrid_rope", R"("model_type": "granitemoehybrid", "max_position_embeddings": 256,
      "num_hidden_layers": 4,
      "num_attention_heads": 6, "num_key_value_heads": 2, "embedding_multiplier": 3.0,
      "attention_multiplier": 0.25, "residual_multiplier": 0.5, "logits_scaling": 8.0,
      "shared_intermediate_size": 53, "layers_block_type": ["mamba", "attention", "mamba", "mamba"],
      "position_embedding_type": "rope", "mamba_n_heads": 8, "mamba_d_head": 9,
      "mamba_d_state": 7, "mamba_d_conv": 3, "time_step_limit": [0.125, 0.75],
      "rms_norm_eps": 1e-5, "tie_word_embeddings": true)",
     false},
    {"falcon_h1", R"("model_type": "falcon_h1", "max_position_embeddings": 256,
      "num_hidden_layers": 2, "num_attention_heads": 6,
      "num_key_value_heads": 3, "head_dim": 10, "mamba_d_ssm": 42, "mamba_n_heads": 6,
      "mamba_d_head": 7, "mamba_d_state": 5, "mamba_n_groups": 2, "mamba_d_conv": 4,
      "mamba_rms_norm": false, "time_step_limit": [0.0, Infinity])"},
    {"falcon_h1_scaled", R"("model_type": "falcon_h1", "max_position_embeddings": 256,
      "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 10, "mamba_d_ssm": 42,
      "mamba_n_heads": 6, "mamba_d_head": "auto", "mamba_d_state": 5, "mamba_n_groups": 2,
      "mamba_rms_norm": true, "mamba_norm_before_gate": false, "embedding_multiplier": 2.5,
      "lm_head_multiplier": 0.25, "attention_in_multiplier": 0.5, "attention_out_multiplier": 2.5,
      "key_multiplier": 2.0, "mlp_multipliers": [0.625, 1.5], "ssm_in_multiplier": 0.5,
      "ssm_out_multiplier": 0.75, "ssm_multipliers": [1.0, 2.5, 1.5, 3.0, 1.75])"},
    {"falcon_h1_biased", R"("model_type": "falcon_h1", "max_position_embeddings": 256,
      "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 10, "mamba_d_ssm": 42,
      "mamba_n_heads": 6, "mamba_d_state": 5, "mamba_n_groups": 2, "mamba_rms_norm": true,
      "mamba_proj_bias": true, "projectors_bias": true)",
     false},
    {"nemotron_h", R"("model_type": "nemotron_h", "max_position_embeddings": 256,
      "num_hidden_layers": 6, "num_attention_heads": 6,
      "num_key_value_heads": 2, "attention_head_dim": 10, "mamba_num_heads": 4,
      "mamba_head_dim": 11, "ssm_state_size": 9, "n_groups": 2, "conv_kernel": 4,
      "hybrid_override_pattern": "M-*-M-", "mlp_hidden_act": "relu2",
      "layer_norm_epsilon": 1e-5)"},
    {"qwen3_5", R"("model_type": "qwen3_5", "vision_config": {"model_type": "qwen3_5"},
      "text_config": {"model_type": "qwen3_5_text", "num_hidden_layers": 4,
      "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 16,
      "max_position_embeddings": 128, "attn_output_gate": true, "full_attention_interval": 4,
      "linear_num_key_heads": 3, "linear_num_value_heads": 6, "linear_key_head_dim": 7,
      "linear_value_head_dim": 7, "linear_conv_kernel_dim": 4, "mtp_num_hidden_layers": 1,
      "rope_parameters": {"mrope_interleaved": true, "mrope_section": [1, 1, 0],
      "partial_rotary_factor": 0.25, "rope_theta": 10000000, "rope_type": "default"}})"},
    {"qwen3_5_wide", R"("model_type": "qwen3_5_text", "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 12,
      "max_position_embeddings": 128, "tie_word_embeddings": true,
      "layer_types": ["full_attention", "linear_attention", "full_attention"],
      "linear_num_key_heads": 2, "linear_num_value_heads": 2, "linear_key_head_dim": 9,
      "linear_value_head_dim": 21, "linear_conv_kernel_dim": 3,
      "rope_parameters": {"partial_rotary_factor": 0.5, "rope_theta": 10000, "rope_type": "default"})",
     false},
    {"mixtral", R"("model_type": "mixtral", "num_hidden_layers": 2, "num_attention_heads": 6,
      "num_key_value_heads": 2, "intermediate_size": 21, "num_local_experts": 4,
      "num_experts_per_tok": 2, "rope_theta": 10000.0, "hidden_size": 36)"},
    {"granitemoe", R"("model_type": "granitemoe", "num_hidden_layers": 2,
      "num_attention_heads": 6, "num_key_value_heads": 3, "intermediate_size": 21,
      "num_local_experts": 7, "num_experts_per_tok": 3, "embedding_multiplier": 3.0,
      "attention_multiplier": 0.25, "residual_multiplier": 0.5, "logits_scaling": 8.0,
      "tie_word_embeddings": true)"},
    {"olmoe", R"("model_type": "olmoe", "num_hidden_layers": 2, "num_attention_heads": 6,
      "num_key_value_heads": 6, "intermediate_size": 21, "num_experts": 6,
      "num_experts_per_tok": 4, "norm_topk_prob": false, "clip_qkv": null)"},
    {"olmoe_grouped", R"("model_type": "olmoe", "num_hidden_layers": 2, "num_attention_heads": 6,
      "num_key_value_heads": 3, "intermediate_size": 21, "num_experts": 6,
      "num_experts_per_tok": 4, "norm_topk_prob": false, "clip_qkv": null)",
     false},
    {"qwen2_moe", R"("model_type": "qwen2_moe", "num_hidden_layers": 2, "num_attention_heads": 6,
      "num_key_value_heads": 2, "intermediate_size": 99, "shared_expert_intermediate_size": 21,
      "moe_intermediate_size": 13, "num_experts": 7, "num_experts_per_tok": 3,
      "norm_topk_prob": false, "decoder_sparse_step": 1, "mlp_only_layers": [], "qkv_bias": true,
      "use_sliding_window": false, "sliding_window": 8, "max_window_layers": 1,
      "rope_theta": 1000000.0)"},
    {"granite_hybrid_moe", R"("model_type": "granitemoehybrid", "max_position_embeddings": 256,
      "num_hidden_layers": 4,
      "num_attention_heads": 6, "num_key_value_heads": 2, "embedding_multiplier": 3.0,
      "attention_multiplier": 0.25, "residual_multiplier": 0.5, "logits_scaling": 8.0,
      "intermediate_size": 13, "shared_intermediate_size": 21,
      "layer_types": ["mamba", "attention", "mamba", "mamba"],
      "position_embedding_type": "nope", "mamba_n_heads": 8, "mamba_d_head": "auto",
      "mamba_d_state": 7, "mamba_n_groups": 1, "mamba_d_conv": 4, "mamba_expand": 2,
      "rms_norm_eps": 1e-5, "num_local_experts": 6, "num_experts_per_tok": 3,
      "tie_word_embeddings": true)"},
    {"qwen3_5_moe", R"("model_type": "qwen3_5_moe", "vision_config": {"model_type": "qwen3_5_moe"},
      "text_config": {"model_type": "qwen3_5_moe_text", "num_hidden_layers": 3,
      "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 16,
      "max_position_embeddings": 128, "attn_output_gate": true,
      "layer_types": ["linear_attention", "full_attention", "linear_attention"],
      "linear_num_key_heads": 3, "linear_num_value_heads": 6, "linear_key_head_dim": 7,
      "linear_value_head_dim": 7, "linear_conv_kernel_dim": 4, "num_experts": 5,
      "num_experts_per_tok": 2, "moe_intermediate_size": 13, "shared_expert_intermediate_size": 21,
      "rope_parameters": {"mrope_interleaved": true, "mrope_section": [1, 1, 0],
      "partial_rotary_factor": 0.25, "rope_theta": 10000000, "rope_type": "default"}})"},
    {"gemma4_moe", R"("model_type": "gemma4_text", "num_hidden_layers": 4,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 10, "global_head_dim": 14,
      "num_global_key_value_heads": 2, "max_position_embeddings": 128, "sliding_window": 5,
      "layer_types": ["sliding_attention", "full_attention", "sliding_attention",
        "sliding_attention"], "hidden_size_per_layer_input": 0, "attention_k_eq_v": true,
      "enable_moe_block": true, "num_experts": 6, "top_k_experts": 3, "intermediate_size": 21,
      "moe_intermediate_size": 13,
      "hidden_activation": "gelu_pytorch_tanh", "final_logit_softcapping": 4.0,
      "rope_parameters": {"full_attention": {"rope_type": "proportional",
          "partial_rotary_factor": 0.5, "rope_theta": 1000000.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"qwen3_moe", R"("model_type": "qwen3_moe", "num_hidden_layers": 2,
      "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 10,
      "intermediate_size": 21, "max_position_embeddings": 128, "moe_intermediate_size": 13, "num_experts": 9,
      "num_experts_per_tok": 2, "norm_topk_prob": true, "rope_theta": 1000000.0,
      "decoder_sparse_step": 1, "mlp_only_layers": [])"},
    {"lfm2_moe", R"("model_type": "lfm2_moe", "num_hidden_layers": 4, "num_attention_heads": 6,
      "num_key_value_heads": 2, "conv_L_cache": 3, "intermediate_size": 40,
      "max_position_embeddings": 128, "layer_types": ["conv", "conv", "full_attention", "conv"],
      "num_dense_layers": 1, "num_experts": 5, "num_experts_per_tok": 2,
      "moe_intermediate_size": 13, "norm_topk_prob": true, "use_expert_bias": true,
      "routed_scaling_factor": 1.0, "norm_eps": 1e-5)"},
    {"gemma3n", R"("model_type": "gemma3n", "vision_config": {"model_type": "gemma3n_vision"},
      "audio_config": {"model_type": "gemma3n_audio"}, "text_config": {"model_type": "gemma3n_text",
        "num_hidden_layers": 8, "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 10,
        "intermediate_size": [53, 53, 53, 53, 53, 53, 53, 53], "max_position_embeddings": 128,
        "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0, "sliding_window": 6,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention",
          "sliding_attention", "sliding_attention", "full_attention", "sliding_attention",
          "full_attention"], "num_kv_shared_layers": 3, "hidden_size_per_layer_input": 7,
        "vocab_size_per_layer_input": 31, "altup_num_inputs": 4, "altup_active_idx": 0,
        "altup_coef_clip": 120.0, "altup_correct_scale": true, "laurel_rank": 5,
        "activation_sparsity_pattern": [0.95, 0.95, 0.95, 0.0, 0.0, 0.0, 0.0, 0.0],
        "hidden_activation": "gelu_pytorch_tanh", "final_logit_softcapping": 5.0})",
     false},
    {"gemma4", R"("model_type": "gemma4", "vision_config": {"model_type": "gemma4_vision"},
      "text_config": {"model_type": "gemma4_text", "num_hidden_layers": 7,
        "num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 10, "global_head_dim": 16,
        "max_position_embeddings": 128, "sliding_window": 6, "use_double_wide_mlp": true,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention",
          "sliding_attention", "full_attention", "sliding_attention", "full_attention"],
        "num_kv_shared_layers": 2, "hidden_size_per_layer_input": 9,
        "vocab_size_per_layer_input": 37, "attention_k_eq_v": false, "enable_moe_block": false,
        "hidden_activation": "gelu_pytorch_tanh", "final_logit_softcapping": 5.0,
        "use_bidirectional_attention": "vision", "num_global_key_value_heads": null,
        "rope_parameters": {"full_attention": {"rope_type": "proportional",
            "partial_rotary_factor": 0.25, "rope_theta": 1000000.0},
          "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})"},
    {"gemma4_dense", R"("model_type": "gemma4_text", "num_hidden_layers": 4,
      "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 10, "global_head_dim": 14,
      "num_global_key_value_heads": 2, "max_position_embeddings": 128, "sliding_window": 5,
      "layer_types": ["sliding_attention", "full_attention", "sliding_attention",
        "sliding_attention"], "hidden_size_per_layer_input": 0, "attention_k_eq_v": true,
      "hidden_activation": "gelu_pytorch_tanh", "final_logit_softcapping": 4.0,
      "rope_parameters": {"full_attention": {"rope_type": "proportional",
          "partial_rotary_factor": 0.5, "rope_theta": 1000000.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"}};

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

INSTANTIATE_TEST_SUITE_P(Fixtures, Architectures, ::testing::ValuesIn(kCases),
                         [](const auto& named) { return std::string(named.param.fixture); });

}  // namespace
}  // namespace ambry
