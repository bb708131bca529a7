// What a directory says of an encoder's classification head: labels, kind of problem, activations.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/huggingface/side_files/file_values.h"
#include "model/encoder/head/head_config.h"

namespace ambry::formats::huggingface {

// The head of a config.json (`values`) whose `architectures` name a `…ForSequenceClassification`;
// nothing for others. The sizes of the result are not set: they follow from the weights. NotFound
// for a head without labels, BadValue for labels that are not numbered, Unsupported for another
// kind of problem or another activation; the path has the file and the key.
[[nodiscard]] Result<std::optional<model::HeadConfig>> read_head(const SideFiles& files,
                                                                 const FileValues& values,
                                                                 const model::HeadLayout& layout);

// The labels of a head, as `id2label` or their number states them. NotFound where nothing does,
// BadValue for labels that are not numbered.
[[nodiscard]] Result<std::vector<std::string>> read_labels(const FileValues& values);

// The activation of a cross-encoder's score, where a file states it. Unsupported for another than
// Identity, Sigmoid and Tanh. The place that counts in sentence-transformers: since version 5.4 a
// file of its own, since 4.0 a member of config.json, before that a key of config.json. One that is
// null in the first file counts as absent, and a member that is null hides the key.
[[nodiscard]] Result<void> read_score_activation(const SideFiles& files, const FileValues& values,
                                                 model::DenseActivation& out);

// The activation of layers, as config.json names it, for a dense layer.
[[nodiscard]] std::optional<model::DenseActivation> activation_of_layers(
    std::string_view hidden_act);

// The activation of a head's dense layer, where a key states it. Unsupported for another one.
[[nodiscard]] Result<void> read_head_activation(const FileValues& values,
                                                model::DenseActivation& out);

}  // namespace ambry::formats::huggingface
