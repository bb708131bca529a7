"""Writes tests/fixtures/published_configs/*.json: the config.json of published models with small sizes, and the logits that
models of these configs with made-up weights give, computed in float64.

    python3 tests/reference/models/published_configs.py      (Debian: python3-torch, python3-numpy)

The keys and their values are those that the hub shows for each repository; only sizes, ids of tokens and lengths are others.
What each config means is written beside it by hand, as transformers' code reads it. Weights and the code of the
architectures are those of decoder_reference.py and decoder_architectures.py.
"""
import pathlib

import torch

import decoder_reference
from decoder_architectures import (gemma, gpt_neox, granite, olmo2, phi4_mini, qwen2, qwen3, smollm3, stablelm,
                                   starcoder2)
from decoder_reference import digits, llama_like, run, write

USUAL = {"attention_dropout": 0.0, "initializer_range": 0.02, "torch_dtype": "bfloat16", "use_cache": True,
         "bos_token_id": 1, "eos_token_id": 2, "transformers_version": "4.48.0"}


def sizes(vocab, width, layers, heads, kv, wide, longest, head_dim=None):
    """The sizes under the names of Llama's config.json, and under those of the reference."""
    stated = {"vocab_size": vocab, "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": heads,
              "num_key_value_heads": kv, "intermediate_size": wide, "max_position_embeddings": longest}
    meant = {"n_vocab": vocab, "n_embd": width, "n_layers": layers, "n_heads": heads, "n_kv_heads": kv, "n_ff": wide,
             "max_seq_len": longest}
    if head_dim:
        stated["head_dim"] = meant["head_dim"] = head_dim
    return stated, meant


def case(size, stated, meant, n_ids, make):
    names, numbers = size
    return {**USUAL, **names, **stated}, {**numbers, **meant}, n_ids, make


LLAMA3 = {"factor": 32.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 32,
          "rope_type": "llama3"}
SHORT = [1, 1.118320672, 1.250641126, 1.398617824, 1.564103225, 1.74916897]
LONG = [1, 1.5, 2.25, 3.5, 5.25, 8.125]

CASES = {
    "meta-llama/Llama-3.2-1B-Instruct": case(
        sizes(37, 30, 3, 6, 2, 53, 128, head_dim=10),
        {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": False, "hidden_act": "silu",
         "mlp_bias": False, "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": LLAMA3,
         "rope_theta": 500000.0, "tie_word_embeddings": True, "eos_token_id": [2, 3, 4]},
        {"architecture": "llama", "rope_scaling": LLAMA3, "rope_freq_base": 500000.0, "tie_word_embeddings": True},
        60, llama_like),
    "TinyLlama/TinyLlama-1.1B-Chat-v1.0": case(
        sizes(41, 28, 3, 7, 1, 39, 64),
        {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": False, "hidden_act": "silu",
         "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": None, "rope_theta": 10000.0,
         "tie_word_embeddings": False},
        {"architecture": "llama"}, 19, llama_like),
    "HuggingFaceTB/SmolLM2-135M-Instruct": case(
        sizes(37, 36, 4, 9, 3, 44, 64),
        {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": False, "hidden_act": "silu",
         "is_llama_config": True, "mlp_bias": False, "pad_token_id": 2, "pretraining_tp": 1, "rms_norm_eps": 1e-05,
         "rope_interleaved": False, "rope_scaling": None, "rope_theta": 100000, "tie_word_embeddings": True,
         "transformers.js_config": {"kv_cache_dtype": {"q4f16": "float16", "fp16": "float16"}}},
        {"architecture": "llama", "rope_freq_base": 100000.0, "tie_word_embeddings": True}, 18, llama_like),
    "mistralai/Mistral-7B-Instruct-v0.3": case(
        sizes(43, 32, 3, 8, 2, 47, 64),
        {"architectures": ["MistralForCausalLM"], "model_type": "mistral", "hidden_act": "silu", "rms_norm_eps": 1e-05,
         "rope_theta": 1000000.0, "sliding_window": None, "tie_word_embeddings": False},
        {"architecture": "mistral", "rope_freq_base": 1e6}, 21, llama_like),
    "microsoft/Phi-3-mini-4k-instruct": case(
        sizes(37, 36, 3, 6, 6, 51, 64),
        {"architectures": ["Phi3ForCausalLM"], "model_type": "phi3", "attention_bias": False, "embd_pdrop": 0.0,
         "hidden_act": "silu", "original_max_position_embeddings": 64, "pad_token_id": 2, "resid_pdrop": 0.0,
         "rms_norm_eps": 1e-05, "rope_scaling": None, "rope_theta": 10000.0, "sliding_window": 11,
         "tie_word_embeddings": False,
         "auto_map": {"AutoConfig": "configuration_phi3.Phi3Config", "AutoModelForCausalLM": "modeling_phi3.Phi3ForCausalLM"}},
        {"architecture": "phi3", "sliding_window": 11}, 33, llama_like),
    "microsoft/Phi-4-mini-instruct": case(
        sizes(37, 48, 3, 3, 1, 45, 128),
        {"architectures": ["Phi3ForCausalLM"], "model_type": "phi3", "attention_bias": False, "embd_pdrop": 0.0,
         "full_attn_mod": 1, "hidden_act": "silu", "interpolate_factor": 1, "lm_head_bias": False, "mlp_bias": False,
         "original_max_position_embeddings": 32, "pad_token_id": 2, "partial_rotary_factor": 0.75, "resid_pdrop": 0.0,
         "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 262144, "tie_word_embeddings": True,
         "rope_scaling": {"long_factor": LONG, "short_factor": SHORT, "type": "longrope"},
         "auto_map": {"AutoConfig": "configuration_phi3.Phi3Config", "AutoModelForCausalLM": "modeling_phi3.Phi3ForCausalLM",
                      "AutoTokenizer": "Xenova/gpt-4o"}},
        {"architecture": "phi3", "partial_rotary_factor": 0.75, "tie_word_embeddings": True,
         "rope_scaling": {"rope_type": "longrope", "original_max_position_embeddings": 32, "short_factor": SHORT,
                          "long_factor": LONG}}, 40, phi4_mini),
    "Qwen/Qwen2.5-0.5B-Instruct": case(
        sizes(39, 40, 3, 5, 1, 49, 64),
        {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_act": "silu", "max_window_layers": 21,
         "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "sliding_window": 7, "tie_word_embeddings": True,
         "use_sliding_window": False},
        {"architecture": "qwen2", "rope_freq_base": 1e6, "tie_word_embeddings": True}, 20, qwen2),
    "Qwen/Qwen3-0.6B": case(
        sizes(37, 33, 3, 4, 2, 50, 64, head_dim=14),
        {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False, "hidden_act": "silu",
         "max_window_layers": 28, "rms_norm_eps": 1e-06, "rope_scaling": None, "rope_theta": 1000000,
         "sliding_window": None, "tie_word_embeddings": True, "use_sliding_window": False},
        {"architecture": "qwen3", "rope_freq_base": 1e6, "tie_word_embeddings": True}, 20, qwen3),
    "HuggingFaceTB/SmolLM3-3B": case(
        sizes(37, 32, 8, 4, 1, 41, 64),
        {"architectures": ["SmolLM3ForCausalLM"], "model_type": "smollm3", "attention_bias": False, "hidden_act": "silu",
         "layer_types": ["full_attention"] * 8, "max_window_layers": 28, "mlp_bias": False, "no_rope_layer_interval": 4,
         "no_rope_layers": [1, 1, 1, 0] * 2, "pad_token_id": 5, "pretraining_tp": 2, "rms_norm_eps": 1e-06,
         "rope_scaling": None, "rope_theta": 5000000.0, "sliding_window": None, "use_sliding_window": False},
        {"architecture": "smollm3", "rope_freq_base": 5e6, "tie_word_embeddings": True}, 19, smollm3),
    "google/gemma-2-2b-it": case(
        sizes(37, 34, 4, 4, 2, 46, 128, head_dim=12),
        {"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2", "attention_bias": False,
         "attn_logit_softcapping": 50.0, "cache_implementation": "hybrid", "final_logit_softcapping": 30.0,
         "hidden_act": "gelu_pytorch_tanh", "hidden_activation": "gelu_pytorch_tanh", "pad_token_id": 0,
         "query_pre_attn_scalar": 12, "rms_norm_eps": 1e-06, "rope_theta": 10000.0, "sliding_window": 9},
        {"architecture": "gemma2", "attn_softcap": 50.0, "final_softcap": 30.0, "attn_scale": 12 ** -0.5,
         "sliding_window": 9}, 50, lambda c, w: gemma(c, w, 2)),
    "google/gemma-3-1b-it": case(
        sizes(37, 30, 8, 4, 1, 42, 128, head_dim=12),
        {"architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text", "attention_bias": False,
         "attn_logit_softcapping": None, "cache_implementation": "hybrid", "final_logit_softcapping": None,
         "hidden_activation": "gelu_pytorch_tanh", "eos_token_id": [1, 6], "pad_token_id": 0,
         "query_pre_attn_scalar": 12, "rms_norm_eps": 1e-06, "rope_local_base_freq": 10000, "rope_scaling": None,
         "rope_theta": 1000000, "sliding_window": 8, "sliding_window_pattern": 6},
        {"architecture": "gemma3", "attn_scale": 12 ** -0.5, "rope_freq_base": 1e6, "sliding_window": 8}, 40,
        lambda c, w: gemma(c, w, 3)),
    "ibm-granite/granite-3.3-2b-instruct": case(
        sizes(37, 32, 3, 4, 1, 45, 64),
        {"architectures": ["GraniteForCausalLM"], "model_type": "granite", "attention_bias": False,
         "attention_multiplier": 0.015625, "embedding_multiplier": 12.0, "hidden_act": "silu", "logits_scaling": 8.0,
         "mlp_bias": False, "pad_token_id": 0, "residual_multiplier": 0.22, "rms_norm_eps": 1e-05, "rope_scaling": None,
         "rope_theta": 10000000.0, "tie_word_embeddings": True},
        {"architecture": "granite", "attn_scale": 0.015625, "embed_scale": 12.0, "logit_scale": 1 / 8,
         "residual_scale": 0.22, "rope_freq_base": 1e7, "tie_word_embeddings": True}, 19, granite),
    "allenai/OLMo-2-0425-1B-Instruct": case(
        sizes(37, 36, 3, 6, 6, 47, 64),
        {"architectures": ["Olmo2ForCausalLM"], "model_type": "olmo2", "attention_bias": False, "hidden_act": "silu",
         "pad_token_id": 0, "rms_norm_eps": 1e-06, "rope_scaling": None, "rope_theta": 500000,
         "tie_word_embeddings": False},
        {"architecture": "olmo2", "rope_freq_base": 500000.0}, 18, olmo2),
    "stabilityai/stablelm-2-zephyr-1_6b": case(
        sizes(37, 48, 3, 3, 3, 52, 64),
        {"architectures": ["StableLmForCausalLM"], "model_type": "stablelm", "hidden_act": "silu", "hidden_dropout": 0.0,
         "layer_norm_eps": 1e-05, "partial_rotary_factor": 0.25, "qk_layernorm": False, "rope_scaling": None,
         "rope_theta": 10000, "tie_word_embeddings": False, "use_parallel_residual": False, "use_qkv_bias": True},
        {"architecture": "stablelm", "attn_bias": True}, 17, stablelm),
    "bigcode/starcoder2-3b": case(
        sizes(37, 36, 3, 6, 2, 56, 64),
        {"architectures": ["Starcoder2ForCausalLM"], "model_type": "starcoder2", "activation_function": "gelu",
         "embedding_dropout": 0.1, "hidden_act": "gelu_pytorch_tanh", "mlp_type": "default", "norm_epsilon": 1e-05,
         "norm_type": "layer_norm", "residual_dropout": 0.1, "rope_theta": 999999.4420358813, "sliding_window": 10,
         "use_bias": True},
        {"architecture": "starcoder2", "rope_freq_base": 999999.4420358813, "sliding_window": 10,
         "tie_word_embeddings": True}, 30, starcoder2),
    "EleutherAI/pythia-160m": case(
        sizes(37, 32, 3, 4, 4, 64, 64),
        {"architectures": ["GPTNeoXForCausalLM"], "model_type": "gpt_neox", "hidden_act": "gelu", "layer_norm_eps": 1e-05,
         "rotary_emb_base": 10000, "rotary_pct": 0.25, "tie_word_embeddings": False, "use_parallel_residual": True},
        {"architecture": "gpt_neox"}, 18, gpt_neox),
}


def main():
    torch.set_default_dtype(torch.float64)
    decoder_reference.OUT = pathlib.Path(__file__).resolve().parents[2] / "fixtures" / "published_configs"
    decoder_reference.OUT.mkdir(parents=True, exist_ok=True)
    for repository, (stated, meant, n_ids, make) in CASES.items():
        name = repository.split("/")[1]
        w, ids, logits = run(name, meant, n_ids, make)
        write(name, dict(repository=repository, config=stated, tensors=w.tensors, ids=ids, logits=digits(logits[-3:])))


if __name__ == "__main__":
    main()
