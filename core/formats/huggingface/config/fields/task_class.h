// What the classes in `architectures` of a config.json say that a model was made for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/head/head_config.h"

namespace ambry::formats::huggingface {

// Whether a class named `…ForSequenceClassification` is among them.
[[nodiscard]] bool classifies_sequences(const FileValues& values);

// Whether a class of this name is among them.
[[nodiscard]] bool names_class(const FileValues& values, std::string_view name);

// The class of a masked language model, such as `BertForMaskedLM` or `NomicBertForPreTraining`.
// Empty: there is none.
[[nodiscard]] std::string masked_class(const FileValues& values);

// The task of a head that every token passes, whose class is among them: a
// `…ForTokenClassification` or a `…ForQuestionAnswering`. Nothing: there is none.
[[nodiscard]] std::optional<model::HeadTask> token_task(const FileValues& values);

// The class of a head that Ambry does not run, such as `BertForMultipleChoice`. Empty: there is
// none.
[[nodiscard]] std::string other_head_class(const FileValues& values);

// Whether the class of the encoder alone, such as `NewModel`, stands beside the others.
[[nodiscard]] bool names_encoder_alone(const FileValues& values);

// Unsupported, at `architectures`, for a model whose only use is a head that Ambry does not run.
[[nodiscard]] Result<void> refuse_other_head(const FileValues& values);

// Unsupported, at `architectures`, for a language model with a head in place of its output.
[[nodiscard]] Result<void> refuse_decoder_head(const FileValues& values);

// The use that the settings with which a README.md begins state as `pipeline_tag`, between two
// lines of three hyphens. Empty: it is not stated.
[[nodiscard]] std::string_view pipeline_tag(const SideFiles& files);

// The warning that a language model was made for something else than writing text, as rerankers
// are, where a file says so: the class, a key of config.json, the name that it was saved from, or
// `pipeline_tag` in README.md. Nothing: no file says so.
[[nodiscard]] std::optional<Error> other_use(const SideFiles& files, const FileValues& values);

}  // namespace ambry::formats::huggingface
