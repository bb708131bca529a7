#include "model/decoder/known_rerankers.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/concat.h"
#include "io/ascii.h"

namespace ambry::model {
namespace {

constexpr std::string_view kQwen3Reranker = "Qwen3-Reranker";
constexpr std::string_view kGemmaReranker = "bge-reranker-v2-gemma";

constexpr auto kKnownRerankers = std::to_array<KnownReranker>({{kQwen3Reranker, "qwen3"},
                                                               {"mxbai-rerank-base-v2", "qwen2"},
                                                               {"mxbai-rerank-large-v2", "qwen2"},
                                                               {kGemmaReranker, "gemma"}});

// Tokens that its authors' code reads at most.
constexpr uint32_t kUsualLength = 8192;
constexpr uint32_t kGemmaLength = 1024;

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
  return config;
}

RerankerConfig gemma_config() {
  RerankerConfig config;
  config.match = std::string("Yes");
  config.prompt = {"<bos>", "A: {query}", "\n", "B: {document}", "\n", "{instruction}"};
  config.activation = "identity";
  config.instruction =
      "Given a query A and a passage B, determine whether the passage contains an answer to the "
      "query by providing a prediction of either 'Yes' or 'No'.";
  config.max_head_length = kGemmaLength;
  return config;
}

}  // namespace

std::span<const KnownReranker> known_rerankers() { return kKnownRerankers; }

std::string known_reranker_names() {
  return comma_list(kKnownRerankers, [](const KnownReranker& known) { return known.name; });
}

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
