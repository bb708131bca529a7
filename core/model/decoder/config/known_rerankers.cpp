#include "model/decoder/config/known_rerankers.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "io/ascii.h"

namespace ambry::model {
namespace {

constexpr std::string_view kQwen3Reranker = "Qwen3-Reranker";
constexpr std::string_view kZerank = "zerank-1";
constexpr std::string_view kGemmaReranker = "bge-reranker-v2-gemma";

constexpr auto kKnownRerankers = std::to_array<KnownReranker>({{kQwen3Reranker, "qwen3"},
                                                               {kZerank, "qwen3"},
                                                               {"mxbai-rerank-base-v2", "qwen2"},
                                                               {"mxbai-rerank-large-v2", "qwen2"},
                                                               {kGemmaReranker, "gemma"}});

// Tokens that the authors' code reads at most. Of these, a query may have three quarters.
constexpr uint32_t kUsualLength = 8192;
constexpr uint32_t kBgeLength = 1024;
constexpr uint32_t query_share(uint32_t length) { return length / 4 * 3; }

// Small letters and digits alone: files write names with spaces, underscores or hyphens.
std::string plain_letters(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const char small = io::to_lower(c);
    if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9')) letters += small;
  }
  return letters;
}

// The parts of prompts that the models were trained with.
constexpr const char* kQwenBeginning =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query "
    "and the Instruct provided. Note that the answer can only be \"yes\" or "
    "\"no\".<|im_end|>\n<|im_start|>user\n";
constexpr const char* kMxbaiBeginning =
    "<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful "
    "assistant.<|im_end|>\n<|im_start|>user\n";
constexpr const char* kMxbaiTask =
    "You are a search relevance expert who evaluates how well documents match search queries. "
    "For each query-document pair, carefully analyze the semantic relationship between them, "
    "then provide your binary relevance judgment (0 for not relevant, 1 for "
    "relevant).\nRelevance:";

RerankerConfig qwen3_config() {
  RerankerConfig config;
  config.match = std::string("yes");
  config.mismatch = std::string("no");
  config.prompt = {kQwenBeginning,
                   "<Instruct>: {instruction}\n<Query>: {query}\n<Document>: {document}",
                   "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"};
  config.instruction = "Given a web search query, retrieve relevant passages that answer the query";
  config.max_length = kUsualLength;
  return config;
}

// The chat template of these models makes the same prompt, of a query in place of the system's
// message.
RerankerConfig zerank_config() {
  RerankerConfig config;
  config.match = std::string("Yes");
  config.prompt = {
      "<|im_start|>system\n{query}<|im_end|>\n<|im_start|>user\n{document}<|im_end|>\n"
      "<|im_start|>assistant\n"};
  config.score_scale = 0.2;
  config.max_query_characters = 2000;
  config.max_document_characters = 10'000;
  config.trim = true;
  return config;
}

RerankerConfig mxbai_config() {
  RerankerConfig config;
  config.match = std::string("1");
  config.mismatch = std::string("0");
  config.prompt = {
      kMxbaiBeginning, "{instruction}query: {query}",        "\n", "document: {document}", "\n",
      kMxbaiTask,      "<|im_end|>\n<|im_start|>assistant\n"};
  config.activation = "identity";
  config.instruction = "";
  config.instruction_form = "instruction: {instruction}\n";
  config.max_head_length = kUsualLength;
  config.head_begin = 1;
  config.max_query_length = query_share(kUsualLength);
  return config;
}

// What the rerankers of the second version of BGE have in common.
RerankerConfig bge_config(const char* beginning) {
  RerankerConfig config;
  config.prompt = {beginning, "A: {query}", "\n", "B: {document}", "\n", "{instruction}"};
  config.activation = "identity";
  config.instruction =
      "Given a query A and a passage B, determine whether the passage contains an answer to the "
      "query by providing a prediction of either 'Yes' or 'No'.";
  config.max_head_length = kBgeLength;
  config.max_query_length = query_share(kBgeLength);
  return config;
}

RerankerConfig gemma_config() {
  RerankerConfig config = bge_config("<bos>");
  config.match = std::string("Yes");
  return config;
}

}  // namespace

RerankerConfig layerwise_config(uint32_t first_layer) {
  RerankerConfig config = bge_config("<s>");
  config.first_layer = first_layer;
  return config;
}

std::span<const KnownReranker> known_rerankers() { return kKnownRerankers; }

const KnownReranker* find_known_reranker(std::string_view text, std::string_view architecture) {
  const std::string letters = plain_letters(text);
  const auto* const found = std::ranges::find_if(kKnownRerankers, [&](const KnownReranker& known) {
    return known.architecture == architecture &&
           letters.find(plain_letters(known.name)) != std::string::npos;
  });
  return found == kKnownRerankers.end() ? nullptr : found;
}

RerankerConfig config_of(const KnownReranker& known) {
  if (known.name == kQwen3Reranker) return qwen3_config();
  if (known.name == kZerank) return zerank_config();
  return known.name == kGemmaReranker ? gemma_config() : mxbai_config();
}

void add_instruction_place(RerankerConfig& reranker) {
  constexpr std::string_view kMark = "<Instruct>: ";
  for (std::string& part : reranker.prompt) {
    if (part.find("{instruction}") != std::string::npos) return;
    const size_t mark = part.find(kMark);
    if (mark == std::string::npos) continue;
    const size_t begin = mark + kMark.size();
    const size_t end = std::min(part.find('\n', begin), part.size());
    reranker.instruction = part.substr(begin, end - begin);
    part.replace(begin, end - begin, "{instruction}");
    return;
  }
}

}  // namespace ambry::model
