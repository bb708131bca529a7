// How a decoder language model says how well a document matches a query: the object `reranker` of
// Model::config (core/formats/amb/README.md#reranker). The score is what the model gives to one
// token as the next one, perhaps minus what it gives to another, or what a layer makes of the last
// hidden state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
  // With a layer of its own for each number of layers from this one up to all, which gives the
  // score after so many layers; there are no tokens then. 0: there are no such layers.
  uint32_t first_layer = 0;
  RerankerToken match;                    // what stands for a document that matches
  std::optional<RerankerToken> mismatch;  // nothing: the score is that of `match` alone
  // The parts of the prompt with {query}, {document} and {instruction}, each made into tokens by
  // itself. Empty: the chat template makes the prompt, of messages of these roles.
  std::vector<std::string> prompt;
  bool structured_messages = false;         // whether a message's content is a list of parts
  io::Json variables = io::Json::object();  // of the chat template
  std::string activation = "sigmoid";       // of the score: identity | sigmoid | tanh
  double score_scale = 1;                   // the activation is that of the score times this
  // What {instruction} stands for where the caller gives none. Nothing: the prompt has none.
  std::optional<std::string> instruction;
  std::string instruction_form = "{instruction}";  // of one that is not empty
  uint32_t max_length = 0;                         // tokens of a prompt; 0: the model's context
  // Tokens up to the end of the document, from the part of the prompt with this number on. 0: no
  // such limit.
  uint32_t max_head_length = 0;
  uint32_t head_begin = 0;
  uint32_t max_query_length = 0;  // tokens of the part with the query; 0: no such limit
  // Unicode characters of a query and of a document; 0: no such limit. What is left loses white
  // space at both ends with `trim`.
  uint32_t max_query_characters = 0;
  uint32_t max_document_characters = 0;
  bool trim = false;
};

// Reads `config.reranker`; nothing when it is absent or null. Paths start with `config.reranker`.
// Unsupported for an unknown key or activation; NotFound without a token for a match, and for a
// prompt that neither parts nor a chat template make; BadValue for an id that is not below
// `n_vocab`, for tokens besides `first_layer`, and for a prompt without a place for the query or
// the document.
[[nodiscard]] Result<std::optional<RerankerConfig>> reranker_config(const io::Json& config,
                                                                    uint32_t n_vocab);

// The number of the part of the prompt that has this place, such as {query}; that of the end
// without such a part.
[[nodiscard]] size_t part_of(const RerankerConfig& reranker, std::string_view place);

// The object that reranker_config() reads.
[[nodiscard]] io::Json reranker_document(const RerankerConfig& reranker);

}  // namespace ambry::model
