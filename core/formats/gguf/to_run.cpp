#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "formats/gguf/gguf_decoder.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/metadata/gguf_templates.h"
#include "formats/gguf/metadata/pre_tokenizers.h"
#include "formats/gguf/metadata/tokenizer_keys.h"
#include "model/decoder/decoder_tensors.h"
#include "model/decoder/forward_pass_tensors.h"
#include "model/file/tensor_index.h"
#include "model/file/tensor_spec.h"
#include "model/metadata/metadata_value.h"

namespace ambry::formats::gguf {
namespace {

using io::Json;
using model::Model;
using model::TensorEntry;

Result<void> check_whole(const Model& file) {
  const Json* count = file.metadata.find(kSplitCountKey);
  if (count != nullptr && count->is_uint() && count->uint() > 1) {
    const Json* number = file.metadata.find(kSplitNumberKey);
    const uint64_t part = number != nullptr && number->is_uint() ? number->uint() : 0;
    return model::metadata_error(
        file.metadata, kSplitCountKey, ErrorCode::Unsupported,
        {"this is part ", part + 1, " of ", count->uint(),
         " of a split model; give all, or the path or address of one part"});
  }
  if (!file.tensors.empty()) return {};
  return make_error(ErrorCode::NotFound, "tensors",
                    "the file has no tensors; it may hold only a vocabulary");
}

// Leaving out a tensor that the model computes with would change its answers.
Result<void> check_others(const Model& file, const Decoder& decoder, io::Diagnostics& diagnostics) {
  for (const size_t i : decoder.others) {
    const TensorEntry& tensor = file.tensors[i];
    Failure problem = error_at(ErrorCode::Unsupported, tensor.index_offset, tensor.name,
                               {"this tensor is not part of a ", decoder.architecture->gguf,
                                " model as it is supported here"});
    if (model::is_in_forward_pass(tensor.name, decoder.facts.n_layers)) {
      problem->message += ", and the model computes with it";
      return problem;
    }
    diagnostics.warn(std::move(problem));
  }
  return {};
}

// Ids without a row in the embedding could not be run. More rows than tokens are padding.
Result<void> check_vocabulary(const Model& file) {
  const model::TensorIndex index(file.tensors);
  const TensorEntry* embedding = index.find("token_embd.weight");
  if (embedding == nullptr || !file.tokenizer || embedding->shape.rank() != 2) return {};
  const uint64_t n_tokens = file.tokenizer->token_count();
  if (n_tokens <= embedding->shape[0]) return {};
  return error_at(ErrorCode::Mismatch, embedding->index_offset,
                  {model::path_of(file, *embedding), ".dimensions"},
                  {"the tokenizer has ", n_tokens, " tokens, but token_embd has only ",
                   embedding->shape[0], " rows"});
}

Result<void> check_pre_tokenizer(const Model& file) {
  if (!file.tokenizer || file.tokenizer->kind != model::TokenizerKind::Bpe) return {};
  const std::string_view rule = file.tokenizer->pretokenizer;
  const auto* known = std::ranges::find(kPreTokenizers, rule, &PreTokenizer::rule);
  if (known != kPreTokenizers.end()) return {};
  return model::metadata_error(file.metadata, kPreKey, ErrorCode::Unsupported,
                               {"the pre-tokenizer \"", rule, "\" is not supported"});
}

// The error with the file's own names of tensors and fields.
Failure in_file(Failure error, const Model& file, const Decoder& decoder) {
  std::string message;
  for (std::string_view left = error->message; !left.empty();) {
    const std::string_view word = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(word.size() + 1, left.size()));
    const auto name = gguf_name_of(*decoder.architecture, word);
    message += name ? *name : std::string(word);
    if (!left.empty()) message += ' ';
  }
  error->message = std::move(message);
  const auto about = std::ranges::find_if(decoder.tensors, [&](const DecoderTensor& tensor) {
    return tensor.entry.index_offset == error->byte_offset;
  });
  if (about == decoder.tensors.end() || !error->path.starts_with("tensors[")) return error;
  const TensorEntry& stored = file.tensors[about->stored];
  error->path = concat({model::path_of(file, stored), ".dimensions"});
  return error;
}

// The head of a file may be hostile, so everything that the plan of the weights assumes is checked.
Result<void> check_run(const Model& run, const Model& file, const Decoder& decoder) {
  io::Diagnostics found;
  auto facts = model::decoder_config(run, found);
  if (!facts) return in_file(facts.take_error(), file, decoder);
  const model::TensorIndex index = model::decoder_tensor_index(run.tensors);
  const TensorEntry* embedding = model::find_decoder_tensor(
      index, facts->architecture, model::DecoderRole::TokenEmbedding, model::kNoLayer);
  // Rows beyond the vocabulary are padding.
  if (embedding != nullptr && embedding->shape.rank() == 2 &&
      embedding->shape[0] > facts->n_vocab && embedding->shape[0] <= UINT32_MAX) {
    facts->n_vocab = static_cast<uint32_t>(embedding->shape[0]);
  }
  model::check_decoder_tensors(run, *facts, found);
  if (found.errors.empty()) return {};
  return in_file(Failure(std::move(found.errors.front())), file, decoder);
}

}  // namespace

Result<Model> to_run(const io::Source& source, Model file, io::Diagnostics& diagnostics) {
  AMBRY_RETURN_IF_ERROR(check_whole(file));
  AMBRY_TRY(Decoder decoder, read_decoder(source, file, {}, diagnostics));
  AMBRY_RETURN_IF_ERROR(check_others(file, decoder, diagnostics));
  AMBRY_RETURN_IF_ERROR(check_vocabulary(file));
  AMBRY_RETURN_IF_ERROR(check_pre_tokenizer(file));
  Model run;
  run.config = std::move(decoder.config);
  for (const DecoderTensor& tensor : decoder.tensors) run.tensors.push_back(tensor.entry);
  AMBRY_RETURN_IF_ERROR(check_run(run, file, decoder));
  AMBRY_TRY(const auto templates, read_template_keys(file.metadata, diagnostics.warnings));
  if (!templates.empty()) {
    model::put_chat_templates(templates, run.config.set("tokenizer", Json::object()));
  }
  file.config = std::move(run.config);
  file.tensors = std::move(run.tensors);
  return file;
}

}  // namespace ambry::formats::gguf
