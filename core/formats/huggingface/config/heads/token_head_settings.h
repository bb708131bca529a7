// What a directory says of a head that every token passes: what it is for, labels, activation.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/encoder_config.h"
#include "model/tokenizer/tokenizer_data.h"

namespace ambry::formats::huggingface {

// The name of the head of masked language models, for callers that ask for it.
inline constexpr std::string_view kFillMaskHead = "fillMask";

// The head of a config.json (`values`) whose `architectures` name a `…ForTokenClassification` or a
// `…ForQuestionAnswering`, or a `…ForMaskedLM` if `wanted` is kFillMaskHead; nothing for others.
// The sizes of the result are not set: they follow from the weights. NotFound for a head without
// labels, and at `options.head` where the wanted head is not there. BadValue for labels that are
// not numbered and for another wanted head. Unsupported for an architecture without such heads and
// for another activation.
[[nodiscard]] Result<std::optional<model::HeadConfig>> read_token_head(
    const FileValues& values, const model::EncoderConfig& config, std::string_view wanted);

// Reads what a `…ForMaskedLM` states of its head, for a head of one of its tasks.
[[nodiscard]] Result<void> read_masked_head(const FileValues& values,
                                            const model::EncoderConfig& config,
                                            model::HeadConfig& head);

// Names the token for missing words: the one that the tokenizer states, or an added token with a
// usual name. NotFound where a head that needs one has none.
[[nodiscard]] Result<void> set_mask(model::TokenizerData& tokenizer,
                                    std::optional<model::HeadConfig>& head);

}  // namespace ambry::formats::huggingface
