// A distillation whose options are JSON.
#pragma once

#include <string_view>

#include "api/encoder/encoder_model.h"
#include "base/result.h"
#include "distill/distillation.h"

namespace ambry::api {

using DistillJob = distill::Distillation;

// `options` is JSON {dim, sif, dtype, vocabSize, modelName, createdAt} of distill::DistillOptions,
// all optional. BadValue with the path `options.…` for other values. Unsupported for a model with
// late interaction.
[[nodiscard]] Result<DistillJob> begin_distill(const EncoderModel& encoder,
                                               std::string_view options);

}  // namespace ambry::api
