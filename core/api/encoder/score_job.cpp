#include "api/encoder/score_job.h"

#include <algorithm>

#include "api/call/options.h"
#include "api/encoder/embed_options_json.h"
#include "infer/check_outputs.h"
#include "text/tokenizer/beginning.h"

namespace ambry::api {

Result<ScoreJob> ScoreJob::begin(std::shared_ptr<const EncoderRuntime> runtime,
                                 std::string_view options) {
  if (!runtime->config.text_head()) {
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
  logits_.resize(texts().size() * n_labels_);
  tokens_.plan();
  drop_texts();
  return {};
}

Result<text::Encoding> ScoreJob::encode(size_t text, uint32_t longest) const {
  const text::Tokenizer& tokenizer = *runtime_->tokenizer;
  const text::EncodeOptions options{.add_special = true, .max_length = longest};
  const std::string* const pair = second(text);
  const std::string_view first = text::beginning_of(tokenizer, texts()[text], longest);
  if (pair == nullptr) return tokenizer.encode(first, options);
  return tokenizer.encode_pair(first, text::beginning_of(tokenizer, *pair, longest), options);
}

Result<void> ScoreJob::tokenize_all() {
  const uint32_t longest =
      std::min(runtime_->config.max_seq_length, runtime_->encoder.max_positions());
  // A model that does not tell the texts apart takes no types, whatever its tokenizer says.
  const bool types = runtime_->encoder.token_types() > 1;
  for (size_t i = 0; i < texts().size(); ++i) {
    AMBRY_TRY(const text::Encoding encoding, encode(i, longest));
    if (refuse_long_ && encoding.truncated()) {
      const char* has = second(i) != nullptr ? "both texts have together " : "the text has ";
      return text::too_long({list_, "[", i, "]"}, encoding.full_length, longest, has);
    }
    tokens_.add(encoding, types);
  }
  return {};
}

Result<bool> ScoreJob::step() {
  const bool first_only = runtime_->config.head->pooling == model::HeadPooling::First;
  return tokens_.step(
      runtime_->encoder, first_only,
      [this](uint32_t text, std::span<const float> hidden) { return write_logits(text, hidden); });
}

Result<void> ScoreJob::write_logits(uint32_t text, std::span<const float> hidden) {
  const std::vector<float> logits = runtime_->encoder.classify(hidden);
  AMBRY_RETURN_IF_ERROR(infer::check_outputs(logits, {list_, "[", text, "]"}));
  std::ranges::copy(logits, std::span(logits_).subspan(size_t{text} * n_labels_).begin());
  return {};
}

}  // namespace ambry::api
