#include "api/encoder/embed_job.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "infer/encoder/sentence_row.h"
#include "model/encoder/fit_tokens.h"
#include "text/tokenizer/beginning.h"

namespace ambry::api {

Result<infer::EmbedOptions> embed_options(const model::EncoderConfig& config,
                                          std::string_view options) {
  if (config.has_tokens_only()) {
    return make_error(ErrorCode::Unsupported, "model",
                      "this model has late interaction: it gives a vector for each token, with "
                      "embedTokens, and none for a whole text");
  }
  return read_embed_options(
      {config.pooling, config.normalize, config.prompts, config.default_prompt_name,
       config.embedding_size(), config.hidden_size},
      options);
}

Result<EmbedJob> EmbedJob::begin(std::shared_ptr<const EncoderRuntime> runtime,
                                 std::string_view options) {
  AMBRY_TRY(infer::EmbedOptions read, embed_options(runtime->config, options));
  return EmbedJob(std::move(runtime), std::move(read));
}

Result<void> EmbedJob::start() {
  AMBRY_RETURN_IF_ERROR(tokenize_all());
  AMBRY_RETURN_IF_ERROR(lay_out_rows());
  tokens_.plan();
  drop_texts();
  return {};
}

Result<void> EmbedJob::tokenize_all() {
  const text::Tokenizer& tokenizer = *runtime_->tokenizer;
  const uint32_t longest =
      std::min(runtime_->config.max_seq_length, runtime_->encoder.max_positions());
  if (!runtime_->config.include_prompt && !options_.prompt.empty()) {
    // sentence-transformers counts the prompt's tokens with [CLS] but without [SEP].
    const text::Encoding prompt = tokenizer.encode(options_.prompt, {});
    n_prompt_rows_ = prompt.ids.size();
    if (n_prompt_rows_ > 0 && tokenizer.is_special(prompt.ids.back())) --n_prompt_rows_;
  }
  for (size_t i = 0; i < texts().size(); ++i) {
    const std::string text = options_.prompt + texts()[i];
    const std::string_view read = text::beginning_of(tokenizer, text, longest);
    text::Encoding encoding = tokenizer.encode(read, {.add_special = true, .max_length = longest});
    if (options_.refuse_long && encoding.truncated()) {
      return text::too_long({"texts[", i, "]"}, encoding.full_length, longest);
    }
    model::fit_tokens(runtime_->config, encoding.ids);
    tokens_.add(encoding, false);
  }
  return {};
}

Result<void> EmbedJob::lay_out_rows() {
  uint64_t n_rows = 0;
  for (uint32_t text = 0; text < tokens_.size(); ++text) {
    const bool every_token = options_.pooling == infer::Pooling::None;
    const auto rows = every_token ? static_cast<uint32_t>(tokens_.length(text)) : 1U;
    first_row_.push_back(static_cast<size_t>(n_rows));
    row_counts_.push_back(rows);
    n_rows += rows;
  }
  AMBRY_TRY(rows_, AlignedBuffer::allocate(n_rows * options_.dim * sizeof(float)));
  return {};
}

Result<bool> EmbedJob::step() {
  return tokens_.step(runtime_->encoder, false,
                      [this](uint32_t text, std::span<const float> hidden) -> Result<void> {
                        write_rows(text, hidden);
                        return {};
                      });
}

void EmbedJob::write_rows(uint32_t text, std::span<const float> hidden) {
  const size_t hidden_size = runtime_->encoder.hidden_size();
  std::span<float> out = rows_.as<float>().subspan(first_row_[text] * options_.dim);
  for (uint32_t i = 0; i < row_counts_[text]; ++i) {
    const std::span<float> target = out.subspan(size_t{i} * options_.dim, options_.dim);
    if (options_.pooling == infer::Pooling::None) {
      std::copy_n(hidden.begin() + static_cast<std::ptrdiff_t>(i * hidden_size), options_.dim,
                  target.begin());
    } else {
      infer::sentence_row(runtime_->encoder, options_.pooling, hidden, n_prompt_rows_, row_,
                          target);
    }
    if (options_.normalize) infer::normalize(target);
  }
}

}  // namespace ambry::api
