// The names of `tokenizer.ggml.pre`, and the ways of cutting words that they stand for.
#pragma once

#include <array>
#include <string_view>

namespace ambry::formats::gguf {

inline constexpr std::string_view kPreKey = "tokenizer.ggml.pre";
inline constexpr std::string_view kDefaultPre = "default";

struct PreTokenizer {
  std::string_view name;  // llama.cpp's
  std::string_view rule;  // AMB's
  // Words that are tokens are looked for before merging, and texts start with BOS.
  bool ignore_merges = false;
  bool add_bos = false;
  // Texts are not changed first, though those of the rule's own models are.
  bool as_is = false;
};

// Names whose files have SentencePiece's pieces, and BPE's list of merges. Texts are not cut before
// they are merged.
struct PieceMerges {
  std::string_view name;
  bool add_bos = false;  // whatever the file says
};
inline constexpr std::array<PieceMerges, 3> kPieceMerges = {
    {{"gemma4", true}, {"granite-embed-multi-311m", true}, {"sarvam-moe"}}};

// The first name of a rule is the one to write. The regular expressions are in
// llama.cpp's src/llama-vocab.cpp. Where they only come near those of a model's own tokenizer.json,
// as for o200k, the rule is the model's.
inline constexpr auto kPreTokenizers = std::to_array<PreTokenizer>(
    {{"gpt-2", "gpt2"},
     {"phi-2", "gpt2"},
     {"modern-bert", "gpt2"},
     {"roberta-bpe", "gpt2"},
     {"jina-v1-en", "gpt2"},
     {"jina-v2-code", "gpt2"},
     {"jina-v2-de", "gpt2"},
     {"jina-v2-es", "gpt2"},
     {"jina-de", "gpt2"},
     {"jina-es", "gpt2"},
     {"gigachat", "gpt2"},
     {"a.x-4.0", "gpt2"},
     {"mellum", "gpt2"},
     {"jais", "gpt2"},
     {"trillion", "gpt2"},
     {"granite-docling", "gpt2"},
     {"exaone4", "gpt2"},
     {"llama-bpe", "llama3", true, true},
     {"llama3", "llama3", true, true},
     {"llama-v3", "llama3", true, true},
     {"falcon3", "llama3", true, true},
     {"falcon-h1", "llama3", true, true},
     {"pixtral", "llama3", true, true},
     {"midm-2.0", "llama3", true, true},
     {"lfm2", "llama3", true, true},
     {"jina-v5-nano", "llama3", true, true},
     {"dbrx", "llama3"},
     {"smaug-bpe", "llama3"},
     {"glm4", "llama3"},
     {"chatglm-bpe", "llama3"},
     {"minicpm5", "three_numbers+llama3", true},
     {"qwen2", "qwen2"},
     {"deepseek-r1-qwen", "qwen2", false, false, true},
     {"kormo", "qwen2", false, false, true},
     {"f2llmv2", "qwen2", false, false, true},
     {"megrez", "qwen2", false, false, true},
     {"stablelm2", "qwen2", false, false, true},
     {"hunyuan", "qwen2", false, false, true},
     {"solar-open", "qwen2", false, false, true},
     {"grok-2", "qwen2", false, false, true},
     {"bailingmoe", "qwen2", false, false, true},
     {"bailingmoe2", "qwen2", false, false, true},
     {"llada-moe", "qwen2", false, false, true},
     {"qwen35", "qwen35"},
     {"seed-coder", "seed_coder"},
     {"ufakzeka", "ufakzeka"},
     {"laguna", "line_feed_runs+qwen2"},
     {"falcon", "falcon"},
     {"gptneox", "gptneox"},
     {"mpt", "gptneox"},
     {"olmo", "gptneox"},
     {"starcoder", "digits+gpt2"},
     {"refact", "digits+gpt2"},
     {"smollm", "digits+gpt2"},
     {"command-r", "digits+gpt2"},
     {"codeshell", "digits+gpt2"},
     {"exaone", "digits+gpt2"},
     {"minerva-7b", "digits+gpt2"},
     {"mellum2", "digits+gpt2"},
     {"gpt-4o", "o200k"},
     {"llama4", "o200k"},
     {"kanana2", "o200k"},
     {"talkie", "o200k"},
     {"minimax-m2", "o200k"},
     {"granite-embed-multi-97m", "o200k", true},
     {"tekken", "tekken", true, true},
     {"bloom", "bloom"},
     {"poro-chat", "bloom"},
     {"gpt3-finnish", "bloom"},
     {"viking", "bloom+digits"},
     {"deepseek-llm",
      "line_ends+deepseek_letters+deepseek_punctuation+last_spaces+deepseek_cjk+digits"},
     {"deepseek-coder", "line_ends+spaced_letters+spaced_punctuation+deepseek_cjk+digits"},
     {"deepseek-v3", "three_numbers+deepseek3_cjk+deepseek3"},
     {"hunyuan-dense", "three_numbers+deepseek3_cjk+deepseek3"},
     {"joyai-llm", "three_numbers+deepseek3_cjk+deepseek3"},
     {"hy_v4", "three_numbers+deepseek3_cjk+deepseek3"},
     {"spark2_5", "three_numbers+deepseek3_cjk+spark+digits"},
     {"youtu", "youtu_scripts+youtu", true},
     {"exaone-moe", "exaone_moe"},
     {"tiny_aya", "whole_thousands+o200k"},
     {"cohere2moe", "whole_thousands+o200k"},
     {"superbpe", "number_runs+thousands"},
     {"afmoe", "number_thousands+afmoe_scripts+deepseek3"},
     {kDefaultPre, "ggml_default"},
     {"none", "none"}});

}  // namespace ambry::formats::gguf
