#include "formats/huggingface/config/heads/token_head_settings.h"

#include <cstdint>
#include <string>
#include <utility>

#include "formats/huggingface/config/encoders/encoder_sources.h"
#include "formats/huggingface/config/fields/task_class.h"
#include "formats/huggingface/config/heads/head_settings.h"
#include "formats/huggingface/config/heads/sparse_head_settings.h"
#include "formats/huggingface/config/heads/token_head_names.h"

namespace ambry::formats::huggingface {
namespace {

using model::HeadConfig;
using model::HeadTask;

Result<void> read_activation_of(const FileValues& values, const model::EncoderConfig& config,
                                const TokenHeadNames& names, HeadConfig& head) {
  head.activation = names.parts.activation;
  if (names.activation == HeadActivation::OwnKey) {
    return read_head_activation(values, head.activation);
  }
  // The key itself: gated layers may have another activation than it says.
  const EncoderSource& source = encoder_source(*config.architecture);
  const bool of_key = names.activation == HeadActivation::LayersKey;
  std::string act = of_key ? values.text(source.act) : config.hidden_act;
  if (act.empty()) act = source.act_fallback;
  const auto known = activation_of_layers(act);
  if (!known) {
    return values.fail(source.act, ErrorCode::Unsupported,
                       {"\"", act, "\" is not supported in a head"});
  }
  head.activation = *known;
  return {};
}

// An added token with a usual name, for files that do not say which one is the mask.
std::optional<uint32_t> usual_mask(const model::TokenizerData& tokenizer) {
  for (const model::AddedToken& token : tokenizer.added_tokens) {
    if (token.content == "[MASK]" || token.content == "<mask>") return token.id;
  }
  return std::nullopt;
}

Result<std::optional<HeadTask>> task_of(const FileValues& values,
                                        const model::EncoderConfig& config,
                                        std::string_view wanted) {
  if (wanted.empty()) return token_task(values);
  if (wanted != kFillMaskHead) {
    return make_error(ErrorCode::BadValue, "options.head",
                      {"must be ", kFillMaskHead, " or ", kSparseHead, ", not ", wanted});
  }
  if (config.architecture == &model::kT5) {
    return make_error(
        ErrorCode::Unsupported, "options.head",
        "t5 has no head that fills masks: its decoder writes what stands in the place "
        "of <extra_id_0>, and decoders of this kind do not run here");
  }
  if (!masked_class(values).empty()) return std::optional(HeadTask::FillMask);
  return make_error(
      ErrorCode::NotFound, "options.head",
      {values.file(), " names no …ForMaskedLM, so there is no head that fills masks"});
}

}  // namespace

Result<std::optional<HeadConfig>> read_token_head(const FileValues& values,
                                                  const model::EncoderConfig& config,
                                                  std::string_view wanted) {
  std::optional<HeadConfig> found;
  AMBRY_TRY(const auto task, task_of(values, config, wanted));
  if (!task) return found;
  HeadConfig head;
  head.task = *task;
  if (*task == HeadTask::FillMask) {
    AMBRY_RETURN_IF_ERROR(read_masked_head(values, config, head));
  } else {
    if (*task == HeadTask::TokenClassification) AMBRY_TRY(head.labels, read_labels(values));
    const TokenHeadNames names = token_head_names(*config.architecture, *task);
    AMBRY_RETURN_IF_ERROR(read_activation_of(values, config, names, head));
  }
  found = std::move(head);
  return found;
}

Result<void> read_masked_head(const FileValues& values, const model::EncoderConfig& config,
                              HeadConfig& head) {
  const TokenHeadNames names = token_head_names(*config.architecture, head.task);
  if (names.parts.classifier.empty()) {
    return values.fail(
        "architectures", ErrorCode::Unsupported,
        {"heads of masked language models are not supported for ", config.architecture->name});
  }
  head.tied = !names.own_matrix;
  AMBRY_RETURN_IF_ERROR(values.read({{"tie_word_embeddings", head.tied}}));
  return read_activation_of(values, config, names, head);
}

Result<void> set_mask(model::TokenizerData& tokenizer, std::optional<HeadConfig>& head) {
  if (!head || head->task != HeadTask::FillMask) return {};
  if (!tokenizer.mask_id) tokenizer.mask_id = usual_mask(tokenizer);
  if (!tokenizer.mask_id) {
    return make_error(ErrorCode::NotFound, "tokenizer.mask_token",
                      "the tokenizer states no token for missing words, such as [MASK]");
  }
  head->mask_id = *tokenizer.mask_id;
  return {};
}

}  // namespace ambry::formats::huggingface
