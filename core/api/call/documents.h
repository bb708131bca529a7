// The JSON documents that leave the core, in the form of the CLI and the TypeScript types.
#pragma once

#include "base/error.h"
#include "io/diagnostics.h"
#include "io/json/json.h"
#include "model/encoder/encoder_config.h"
#include "model/encoder/head/dense_layers.h"
#include "model/file/model.h"
#include "model/static_encoder/static_config.h"

namespace ambry::api {

// {format, version, bytes, metadata, largeIntegers?, config, tokenizer, tensors}. `largeIntegers`
// are those of `metadata`, as large_integers() gives them.
[[nodiscard]] io::Json file_info(const model::Model& model);
// With a `config` that the caller has made, so that the module links no other architecture.
[[nodiscard]] io::Json file_info(const model::Model& model, io::Json config);
// The `config` of an encoder in file_info(), and that of a static one.
[[nodiscard]] io::Json encoder_config_document(const model::EncoderConfig& config);
[[nodiscard]] io::Json static_config_document(const model::StaticConfig& config);
// The `tensors` in file_info(): [{name, dtype, shape, offset, bytes}].
[[nodiscard]] io::Json tensor_documents(const std::vector<model::TensorEntry>& tensors);

// The dense layers after a pooling: [{inFeatures, outFeatures, activation, bias}].
[[nodiscard]] io::Json dense_documents(const std::vector<model::DenseConfig>& layers);

// {type, size, special: {pad, unk, …}}
[[nodiscard]] io::Json tokenizer_info(const model::TokenizerData& tokenizer);

// Word vectors have a vocabulary that is not a tokenizer: {type, size, special: {}}
[[nodiscard]] io::Json word_vocabulary_info(const model::WordVocabulary& words);

// {code, message, byteOffset?, path?, needSize?}
[[nodiscard]] io::Json problem(const Error& error);

// [problem, …]
[[nodiscard]] io::Json problems(const std::vector<Error>& errors);

}  // namespace ambry::api
