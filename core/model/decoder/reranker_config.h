// How a decoder language model says how well a document matches a query: the object `reranker` of
// Model::config (core/formats/amb/README.md#reranker). The score is what the model gives to one
// token as the next one, perhaps minus what it gives to another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

// The outputs of RerankerConfig::head.
inline constexpr uint32_t kRerankerOutputs = 2;

// A token, by its id or by its text.
using RerankerToken = std::variant<uint32_t, std::string>;

struct RerankerConfig {
  // Whether the answers are the two outputs of the layer `dense.0`, which has the rows of the two
  // tokens, in place of tokens. The ids are the numbers of these outputs then.
  bool head = false;
  RerankerToken match;                    // what stands for a document that matches
  std::optional<RerankerToken> mismatch;  // nothing: the score is that of `match` alone
  // The parts of the prompt with {query}, {document} and {instruction}, each made into tokens by
  // itself. Empty: the chat template makes the prompt, of messages of these roles.
  std::vector<std::string> prompt;
  bool structured_messages = false;         // whether a message's content is a list of parts
  io::Json variables = io::Json::object();  // of the chat template
  std::string activation = "sigmoid";       // of the score: identity | sigmoid | tanh
  // What {instruction} stands for where the caller gives none. Nothing: the prompt has none.
  std::optional<std::string> instruction;
  std::string instruction_form = "{instruction}";  // of one that is not empty
  uint32_t max_length = 0;                         // tokens of a prompt; 0: the model's context
  uint32_t max_head_length = 0;  // tokens up to the end of the document; 0: no such limit
};

// Reads `config.reranker`; nothing when it is absent or null. Paths start with `config.reranker`.
// Unsupported for an unknown key or activation; NotFound without a token for a match, and for a
// prompt that neither parts nor a chat template make; BadValue for an id that is not below
// `n_vocab`, and for a prompt without a place for the query or the document.
[[nodiscard]] Result<std::optional<RerankerConfig>> reranker_config(const io::Json& config,
                                                                    uint32_t n_vocab);

// The object that reranker_config() reads.
[[nodiscard]] io::Json reranker_document(const RerankerConfig& reranker);

}  // namespace ambry::model
