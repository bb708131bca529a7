#include "model/decoder/decoder_models.h"

#include <gtest/gtest.h>

namespace ambry::model {

Model model_with(std::string_view config) {
  Model model;
  auto json = io::parse_json(config, 1000, "config");
  EXPECT_TRUE(json) << describe(json.error());
  model.config = std::move(*json);
  auto layout = decoder_linear_layout(model.config);
  if (layout) model.linear_layout = *layout;
  return model;
}

std::string config_text(std::string_view architecture, std::string_view more) {
  return concat({R"({"architecture": ")", architecture,
                 R"(", "n_vocab": 16, "n_embd": 8, "n_layers": 2, "n_heads": 4, "n_ff": 12, )",
                 R"("max_seq_len": 32)", more, "}"});
}

DecoderConfig config_of(const Model& model) {
  io::Diagnostics found;
  auto config = decoder_config(model, found);
  EXPECT_TRUE(config) << describe(config.error());
  return config ? *config : DecoderConfig();
}

Model whole_model(const std::string& config_json) {
  Model model = model_with(config_json);
  for (const DecoderTensor& tensor : decoder_tensors(config_of(model))) {
    if (tensor.spec.optional) continue;
    model.tensors.push_back(
        entry(tensor.spec.name, stored_shape(tensor.spec, model.linear_layout)));
  }
  return model;
}

}  // namespace ambry::model
