#include "api/static_encoder/static_embed_job.h"

#include <algorithm>
#include <utility>

#include "api/call/options.h"

namespace ambry::api {
namespace {

// A step ends after so many bytes of text, which take about a millisecond.
constexpr size_t kStepBytes = size_t{32} * 1024;

// The first `n` code points.
std::string_view first_code_points(std::string_view text, uint64_t n) {
  if (text.size() <= n) return text;
  uint64_t seen = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<uint8_t>(text[i]) & 0xC0U) != 0x80U && seen++ == n) return text.substr(0, i);
  }
  return text;
}

}  // namespace

Result<StaticEmbedJob> StaticEmbedJob::begin(std::shared_ptr<const StaticRuntime> runtime,
                                             std::string_view options) {
  const model::StaticConfig& config = runtime->config;
  AMBRY_TRY(
      infer::EmbedOptions read,
      read_embed_options({"mean", config.normalize, config.prompts, config.default_prompt_name,
                          config.embedding_dim, config.embedding_dim},
                         options));
  if (read.pooling != infer::Pooling::Mean && read.pooling != infer::Pooling::None) {
    return bad_option("pooling", "a static model pools by mean, or not at all (none)");
  }
  return StaticEmbedJob(std::move(runtime), std::move(read));
}

Result<void> StaticEmbedJob::start() {
  row_counts_.reserve(texts().size());
  row_.resize(runtime_->encoder.dim());
  return of_tokens() ? Result<void>() : make_room(texts().size());
}

Result<bool> StaticEmbedJob::step() {
  for (size_t taken = 0; taken < kStepBytes && done_texts() < texts().size();) {
    const size_t text = done_texts();
    taken += texts()[text].size() + 1;
    AMBRY_RETURN_IF_ERROR(tokenize(text));
    if (of_tokens()) {
      AMBRY_RETURN_IF_ERROR(make_room(ids_.size()));
      for (const uint32_t& id : ids_) add_row({&id, 1});
    } else {
      add_row(ids_);
    }
    row_counts_.push_back(of_tokens() ? static_cast<uint32_t>(ids_.size()) : 1);
    texts()[text] = std::string();
  }
  return done_texts() == texts().size();
}

Result<void> StaticEmbedJob::tokenize(size_t text) {
  const model::StaticConfig& config = runtime_->config;
  std::string_view whole = texts()[text];
  if (!options_.prompt.empty()) {
    prompted_ = options_.prompt;
    prompted_ += whole;
    whole = prompted_;
  }
  std::string_view read = whole;
  if (config.max_seq_length != 0 && config.median_token_length != 0) {
    read = first_code_points(whole, uint64_t{config.max_seq_length} * config.median_token_length);
  }
  text::EncodeOptions encode{.add_special = false, .max_length = std::nullopt};
  if (config.tokenizer_max_length != 0) encode.max_length = config.tokenizer_max_length;
  text::Encoding encoding = runtime_->tokenizer->encode(read, encode);
  ids_ = std::move(encoding.ids);
  if (config.drop_unknown && runtime_->unknown_id) std::erase(ids_, *runtime_->unknown_id);
  const size_t n_tokens = ids_.size();
  if (config.max_seq_length != 0 && n_tokens > config.max_seq_length) {
    ids_.resize(config.max_seq_length);
  }
  const bool cut = read.size() < whole.size() ||
                   encoding.full_length > encode.max_length.value_or(UINT32_MAX) ||
                   ids_.size() < n_tokens;
  if (!options_.refuse_long || !cut) return {};
  return make_error(
      ErrorCode::LimitExceeded, {"texts[", text, "]"},
      {"the text is longer than the ",
       config.max_seq_length != 0 ? config.max_seq_length : config.tokenizer_max_length,
       " tokens that the model reads"});
}

Result<void> StaticEmbedJob::make_room(size_t n_rows) {
  const uint64_t needed = (uint64_t{n_rows_} + n_rows) * options_.dim * sizeof(float);
  if (needed <= rows_.size()) return {};
  // Rows of tokens grow by half, so that they are moved rarely.
  const uint64_t size = of_tokens() ? needed + rows_.size() / 2 : needed;
  AMBRY_TRY(AlignedBuffer larger, AlignedBuffer::allocate(size));
  std::ranges::copy(result(), larger.as<float>().begin());
  rows_ = std::move(larger);
  return {};
}

void StaticEmbedJob::add_row(std::span<const uint32_t> ids) {
  runtime_->encoder.mean(ids, row_);
  const std::span<float> target = rows_.as<float>().subspan(n_rows_ * options_.dim, options_.dim);
  std::copy_n(row_.begin(), options_.dim, target.begin());
  if (options_.normalize) infer::normalize(target);
  ++n_rows_;
}

}  // namespace ambry::api
