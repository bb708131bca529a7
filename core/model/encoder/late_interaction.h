// Late interaction, as in ColBERT: a model that gives a vector for each token of a query and of a
// document. A document's score is the sum, over the query's vectors, of the largest product with
// one of the document's (MaxSim). The dense layers are applied to each token, and the vectors have
// length 1. The metadata states how texts become tokens
// (core/formats/embd/README.md#late-interaction).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "io/json/json.h"

namespace ambry::model {

struct EncoderConfig;

struct LateInteraction {
  // The tokens that stand after the first token of a text and say what it is. Nothing: there is
  // none.
  std::optional<uint32_t> query_marker;
  std::optional<uint32_t> document_marker;
  // The most tokens of a query and of a document, special tokens and marker included.
  uint32_t query_length = 32;
  uint32_t document_length = 180;
  // The token that fills queries up to query_length. Nothing: queries keep their length.
  std::optional<uint32_t> expansion;
  // Whether the tokens of a query see those that fill it up.
  bool attend_to_expansion = false;
  std::vector<uint32_t> skipped;  // tokens of documents whose vectors are left out
  // The model gives a vector of a whole text, too, and may have a sparse head. Then the dense
  // layers are for tokens alone, and the first token of a text has no vector (BGE-M3).
  bool with_sentences = false;

  friend bool operator==(const LateInteraction&, const LateInteraction&) = default;
};

// The keys of the metadata.
inline constexpr const char* kLateInteraction = "late_interaction";
inline constexpr const char* kSkippedTokens = "skipped_tokens";

// Reads the facts of late interaction to config.late; all other members must be read. Unsupported
// for a setting that is unknown, for a model with a head, unless this is a sparse one beside
// vectors of whole texts, for expansion tokens that would see no token of the query, for token
// vectors of another length than those of whole texts, and in a module that does not run such
// models (api/encoder/bert_family_only.h). BadValue for ids that are no tokens and for lengths that
// leave no room for a text. LimitExceeded for lengths above the model's positions.
[[nodiscard]] Result<void> read_late_interaction(const io::Json& metadata, EncoderConfig& config);

void set_late_metadata(const LateInteraction& late, io::Json& metadata);

}  // namespace ambry::model
