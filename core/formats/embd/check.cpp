#include <span>

#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_parse.h"
#include "model/encoder/encoder_config.h"
#include "model/encoder/encoder_tensors.h"
#include "model/metadata/metadata_value.h"
#include "model/static_encoder/static_config.h"

namespace ambry::formats::embd {
namespace {

void check_metadata(const model::Model& model, std::span<const std::string_view> required,
                    io::Diagnostics& diagnostics) {
  for (const std::string_view key : required) {
    if (model.metadata.find(key) != nullptr) continue;
    diagnostics.warn(
        make_error(ErrorCode::NotFound, {"metadata.", key}, "a required metadata key is missing"));
  }
}

void check_static(const model::Model& model, io::Diagnostics& diagnostics) {
  check_metadata(model, kRequiredStaticMetadata, diagnostics);
  if (auto config = model::static_config(model, diagnostics); !config) {
    diagnostics.error(config.take_error());
  }
}

void check_vocabulary(const model::Model& model, io::Diagnostics& diagnostics) {
  if (!model.tokenizer) {
    diagnostics.warn(make_error(ErrorCode::NotFound, "vocabulary",
                                "the file holds no vocabulary, so it cannot tokenise text"));
    return;
  }
  const uint64_t n_tokens = model.tokenizer->token_count();
  const bool word_piece = model.tokenizer->kind == model::TokenizerKind::WordPiece;
  const model::TensorEntry* words = model.find("embeddings.word_embeddings.weight");
  // Other kinds keep added tokens beside the vocabulary, and models round the rows up.
  const bool rows_fit =
      words == nullptr || (word_piece ? words->shape[0] == n_tokens : words->shape[0] >= n_tokens);
  if (!rows_fit) {
    diagnostics.warn(
        make_error(ErrorCode::Mismatch, "vocabulary.token_count",
                   {n_tokens, " tokens, but the word embeddings have ", words->shape[0], " rows"}));
  }
  const auto require = [&](const std::optional<uint32_t>& id, std::string_view name) {
    if (id) return;
    diagnostics.warn(make_error(ErrorCode::NotFound, "vocabulary", {"there is no token ", name}));
  };
  if (!word_piece) return;
  require(model.tokenizer->unk_id, "[UNK]");
  if (model.tokenizer->post_processor) return;
  require(model.tokenizer->cls_id, "[CLS]");
  require(model.tokenizer->sep_id, "[SEP]");
}

}  // namespace

void check(const model::Model& model, io::Diagnostics& diagnostics) {
  if (model::is_static(model)) return check_static(model, diagnostics);
  // F1 has no metadata.
  if (model.version.starts_with("F0")) check_metadata(model, kRequiredMetadata, diagnostics);
  check_vocabulary(model, diagnostics);
  auto config = model::encoder_config(model, diagnostics);
  if (!config) {
    // A file of layout F1 cannot state the number of heads. It is still complete.
    const bool only_unsaid = config.error().path == "metadata.num_attention_heads" &&
                             config.error().code == ErrorCode::NotFound;
    (only_unsaid ? diagnostics.warnings : diagnostics.errors).push_back(config.take_error());
    return;
  }
  uint32_t dim = config->embedding_size();
  if (auto read = model::read_values(model.metadata, {{"embedding_dim", dim}}); !read) {
    diagnostics.error(read.take_error());
  } else if (dim != config->embedding_size()) {
    diagnostics.warn(model::metadata_error(
        model.metadata, "embedding_dim", ErrorCode::Mismatch,
        {dim, config->dense.empty() ? ", but hidden_size is " : ", but the last dense layer gives ",
         config->embedding_size()}));
  }
  model::check_encoder_tensors(model, *config, diagnostics);
}

}  // namespace ambry::formats::embd
