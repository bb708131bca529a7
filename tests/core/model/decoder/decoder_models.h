// Models of made-up language models, for the tests of their configs and tensors.
#pragma once

#include <string>
#include <string_view>

#include "model/decoder/decoder_config.h"
#include "model/decoder/decoder_tensors.h"
#include "model/tokenizer/made_up.h"

namespace ambry::model {

// A model with this config, and no tensors.
Model model_with(std::string_view config);

// The text of a small config; `more` goes behind its fields.
std::string config_text(std::string_view architecture, std::string_view more = "");

// The config that is read of the model. A test fails where there is none.
DecoderConfig config_of(const Model& model);

// A model that has every required tensor and none of the optional ones.
Model whole_model(const std::string& config_json);

}  // namespace ambry::model
