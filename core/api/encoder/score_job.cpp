#include "api/encoder/score_job.h"

#include <algorithm>
#include <cmath>

#include "api/call/options.h"
#include "api/encoder/embed_options_json.h"

namespace ambry::api {

Result<ScoreJob> ScoreJob::begin(std::shared_ptr<const EncoderRuntime> runtime,
                                 std::string_view options) {
  if (!runtime->config.head) {
    return make_error(ErrorCode::Unsupported, "model",
                      "this encoder has no classification head, so it cannot score texts; it makes "
                      "vectors with embed");
  }
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(std::string list, read_text(json, "list", "texts"));
  AMBRY_TRY(const bool refuse_long, read_truncate(json));
  return ScoreJob(std::move(runtime), std::move(list), refuse_long);
}

ScoreJob::ScoreJob(std::shared_ptr<const EncoderRuntime> runtime, std::string list,
                   bool refuse_long)
    : runtime_(std::move(runtime)),
      list_(std::move(list)),
      refuse_long_(refuse_long),
      n_labels_(static_cast<uint32_t>(runtime_->config.head->labels.size())) {}

Result<void> ScoreJob::start() {
  AMBRY_RETURN_IF_ERROR(tokenize_all());
  logits_.resize(inputs_.size() * n_labels_);
  tokens_.plan();
  inputs_.clear();
  inputs_.shrink_to_fit();
  return {};
}

Result<text::Encoding> ScoreJob::encode(const Input& input, uint32_t longest) const {
  const text::Tokenizer& tokenizer = runtime_->tokenizer.get();
  const text::EncodeOptions options{.add_special = true, .max_length = longest};
  if (input.second) return tokenizer.encode_pair(input.first, *input.second, options);
  return tokenizer.encode(input.first, options);
}

Result<void> ScoreJob::tokenize_all() {
  const uint32_t longest =
      std::min(runtime_->config.max_seq_length, runtime_->encoder.max_positions());
  // A model that does not tell the texts apart takes no types, whatever its tokenizer says.
  const bool types = runtime_->encoder.token_types() > 1;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    AMBRY_TRY(const text::Encoding encoding, encode(inputs_[i], longest));
    if (refuse_long_ && encoding.truncated()) {
      return make_error(ErrorCode::LimitExceeded, {list_, "[", i, "]"},
                        {inputs_[i].second ? "both texts have together " : "the text has ",
                         encoding.full_length, " tokens, but the model takes at most ", longest});
    }
    tokens_.add(encoding, types);
  }
  return {};
}

Result<bool> ScoreJob::step() {
  const bool first_only = !runtime_->config.head->mean_pooling;
  return tokens_.step(
      runtime_->encoder, first_only,
      [this](uint32_t text, std::span<const float> hidden) { return write_logits(text, hidden); });
}

Result<void> ScoreJob::write_logits(uint32_t text, std::span<const float> hidden) {
  const std::vector<float> logits = runtime_->encoder.classify(hidden);
  for (const float logit : logits) {
    if (std::isfinite(logit)) continue;
    return make_error(ErrorCode::BadValue, {list_, "[", text, "]"},
                      "the model gives no finite number; its weights may be damaged");
  }
  std::ranges::copy(logits, std::span(logits_).subspan(size_t{text} * n_labels_).begin());
  return {};
}

}  // namespace ambry::api
