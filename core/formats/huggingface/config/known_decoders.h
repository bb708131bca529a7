// The types of language models that config.json may state.
#pragma once

#include <array>
#include <string_view>

namespace ambry::formats::huggingface {

// The library's defaults for an architecture that differ from AMB's defaults.
struct KnownDecoder {
  std::string_view model_type;
  std::string_view name;  // name in AMB
  bool tied = false;      // whether the output is the embedding
  double norm_eps = 1e-5;
};

inline constexpr auto kKnownDecoders =
    std::to_array<KnownDecoder>({{"llama", "llama", false, 1e-6},
                                 {"mistral", "mistral", false, 1e-6},
                                 {"gemma", "gemma", true, 1e-6},
                                 {"phi", "phi2"},
                                 {"phi2", "phi2"},
                                 {"phi-2", "phi2"},
                                 {"phi3", "phi3"},
                                 {"phi-3", "phi3"},
                                 {"gpt2", "gpt2", true},
                                 {"falcon", "falcon", true},
                                 {"RefinedWeb", "falcon", true},
                                 {"mpt", "mpt", true},
                                 {"qwen2", "qwen2", false, 1e-6},
                                 {"qwen3", "qwen3", false, 1e-6},
                                 {"gemma2", "gemma2", true, 1e-6},
                                 {"gemma3_text", "gemma3", true, 1e-6},
                                 {"gemma3n", "gemma3n", true, 1e-6},
                                 {"gemma3n_text", "gemma3n", true, 1e-6},
                                 {"gemma4", "gemma4", true, 1e-6},
                                 {"gemma4_text", "gemma4", true, 1e-6},
                                 {"smollm3", "smollm3", true, 1e-6},
                                 {"olmo2", "olmo2"},
                                 {"granite", "granite", false, 1e-6},
                                 {"stablelm", "stablelm"},
                                 {"gpt_neox", "gpt_neox"},
                                 {"gptj", "gptj"},
                                 {"starcoder2", "starcoder2", true},
                                 {"minicpm", "minicpm", true, 1e-6},
                                 {"arcee", "arcee"},
                                 {"helium", "helium", false, 1e-8},
                                 {"ernie4_5", "ernie4_5", true},
                                 {"hunyuan_v1_dense", "hunyuan_v1_dense"},
                                 {"exaone4", "exaone4"},
                                 {"olmo3", "olmo3"},
                                 {"ministral3", "ministral3"},
                                 {"mistral3", "ministral3"},
                                 {"apertus", "apertus"},
                                 {"lfm2", "lfm2", true},
                                 {"granitemoehybrid", "granite", false, 1e-6},
                                 {"falcon_h1", "falcon_h1"},
                                 {"nemotron_h", "nemotron_h"},
                                 {"qwen3_5_text", "qwen3_5", false, 1e-6},
                                 {"qwen3_5", "qwen3_5", false, 1e-6},
                                 {"mixtral", "mixtral"},
                                 {"granitemoe", "granitemoe", false, 1e-6},
                                 {"olmoe", "olmoe"},
                                 {"qwen3_moe", "qwen3_moe", false, 1e-6},
                                 {"lfm2_moe", "lfm2_moe", true},
                                 {"qwen2_moe", "qwen2_moe", false, 1e-6},
                                 {"qwen3_5_moe_text", "qwen3_5_moe", false, 1e-6},
                                 {"qwen3_5_moe", "qwen3_5_moe", false, 1e-6}});

}  // namespace ambry::formats::huggingface
