// A loaded sentence encoder. EmbedJob, ScoreJob and TokenJob run on it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/encoder/encoder_runtime.h"
#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

class EncoderModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "encoder";

  // See LoadModel. `options` is JSON {weights: as-stored | int8 | f32}, optional.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  EncoderModel(model::Model model, EncoderRuntime runtime);

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] uint64_t weight_bytes() const override { return runtime_->encoder.weight_bytes(); }
  [[nodiscard]] Result<const text::Tokenizer*> tokenizer() const override {
    return runtime_->tokenizer.get();
  }
  // What the file says; no weights.
  [[nodiscard]] const model::Model& model() const { return model_; }
  // Jobs share it.
  [[nodiscard]] const std::shared_ptr<const EncoderRuntime>& runtime() const { return runtime_; }

 private:
  model::Model model_;
  std::shared_ptr<const EncoderRuntime> runtime_;
};

// Unsupported for an encoder's file without a vocabulary.
[[nodiscard]] Result<void> require_vocabulary(const model::Model& model);

}  // namespace ambry::api
