#include <cmath>
#include <string>
#include <string_view>

#include "formats/alt/alt_layout.h"
#include "formats/alt/alt_parse.h"
#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/metadata/metadata_value.h"
#include "model/vocabulary/repeated_tokens.h"

namespace ambry::formats::alt {
namespace {

constexpr std::string_view kSectionPath = "config";

uint64_t token_count(const model::TokenizerData& tokenizer) {
  return tokenizer.vocabulary.empty() ? tokenizer.n_tokens : tokenizer.vocabulary.size();
}

void check_pieces_unique(const model::Vocabulary& vocabulary, io::Diagnostics& diagnostics) {
  const model::RepeatedTokens repeated = model::find_repeated_tokens(vocabulary, 1);
  if (repeated.count == 0) return;
  const uint32_t token = repeated.examples[0].second;
  diagnostics.tolerate(make_error(ErrorCode::BadValue, {"tokenizer.tokens[", token, "].piece"},
                                  {"the piece \"", vocabulary[token], "\" occurs again (",
                                   repeated.count, " repeated in all)"}));
}

// Rows of padding after the vocabulary are allowed and never sampled (README.md#vocabulary-rows).
// Returns the number of rows that the embedding must have.
uint32_t check_embedding_rows(const model::Model& model, uint32_t n_vocab,
                              io::Diagnostics& diagnostics) {
  const model::TensorEntry* embedding = model.find("embed_tokens.weight");
  if (embedding == nullptr || embedding->shape.rank() != 2) return n_vocab;
  const uint64_t rows = embedding->shape[0];
  if (rows <= n_vocab || rows > UINT32_MAX) return n_vocab;
  diagnostics.tolerate(
      error_at(ErrorCode::Mismatch, embedding->index_offset, "tokenizer.vocab_size",
               {n_vocab, " tokens, but ", embedding->name, " has ", rows, " rows"}));
  return static_cast<uint32_t>(rows);
}

// The parameters state the type of the matrices. Norms may stay float32 (README.md#data-types).
void check_data_type(const model::Model& model, io::Diagnostics& diagnostics) {
  const io::Json* stated = model.config.find("data_type");
  if (stated == nullptr) return;
  bool has_matrix = false;
  for (const model::TensorEntry& tensor : model.tensors) {
    if (tensor.shape.rank() != 2) continue;
    has_matrix = true;
    const auto code = code_of(tensor.dtype);
    if (stated->is_uint() && code && stated->uint() == static_cast<uint64_t>(*code)) return;
  }
  const bool known = stated->is_uint() && stated->uint() < kDataTypes.size();
  if (known && !has_matrix) return;
  diagnostics.tolerate(model::metadata_error(
      model.config, "data_type", known ? ErrorCode::Mismatch : ErrorCode::BadValue,
      known ? "no matrix of the file has this type" : "no such data type", kSectionPath));
}

// The head size is trusted when the query projections have that many rows (README.md#head-size).
// The check of the tensors verifies that.
void check_head_size(const model::Model& model, const model::DecoderConfig& config,
                     io::Diagnostics& diagnostics) {
  if (!model.tensors.empty() || uint64_t{config.n_heads} * config.head_dim == config.n_embd) {
    return;
  }
  diagnostics.warn(model::metadata_error(
      model.config, "head_size", ErrorCode::Mismatch,
      {config.n_heads, " heads of ", config.head_dim, " are not the width ", config.n_embd},
      kSectionPath));
}

void check_decoder(const model::Model& model, io::Diagnostics& diagnostics) {
  auto config = model::decoder_config(model, diagnostics);
  if (!config) return diagnostics.error(config.take_error());
  if (config->architecture != model::DecoderArchitecture::Mistral &&
      config->architecture != model::DecoderArchitecture::Llama) {
    diagnostics.error(model::metadata_error(
        model.config, "model_type", ErrorCode::Unsupported,
        {"ALT has no place for what ", architecture_name(config->architecture), " needs"},
        kSectionPath));
    return;
  }
  check_head_size(model, *config, diagnostics);
  if (model.tensors.empty()) return;
  config->n_vocab = check_embedding_rows(model, config->n_vocab, diagnostics);
  model::check_decoder_tensors(model, *config, diagnostics);
}

}  // namespace

void check(const model::Model& model, io::Diagnostics& diagnostics) {
  if (model.tokenizer) check_pieces_unique(model.tokenizer->vocabulary, diagnostics);
  if (model.tokenizer && token_count(*model.tokenizer) == 0) {
    diagnostics.error(make_error(ErrorCode::BadValue, "tokenizer.vocab_size", "no tokens"));
  } else if (model.tokenizer && model.config.is_object()) {
    check_decoder(model, diagnostics);
  }
  check_data_type(model, diagnostics);
  if (!model.tensors.empty()) return;
  diagnostics.warn(make_error(ErrorCode::NotFound, "tensors",
                              "the file holds no tensors: it can tokenise, but not run"));
}

}  // namespace ambry::formats::alt
