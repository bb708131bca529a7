// A loaded static encoder. StaticEmbedJob runs on it. It links no transformer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/model/loader.h"
#include "api/model/opened_model.h"
#include "api/static_encoder/static_embed_job.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

class StaticEncoderModel final : public OpenedModel {
 public:
  static constexpr std::string_view kKind = "staticEncoder";

  // See LoadModel. `options` is JSON {weights: as-stored | f32}, optional; both give the same
  // vectors. Unsupported for a file of another architecture.
  [[nodiscard]] static Result<std::unique_ptr<Loader>> load(const io::Source& source,
                                                            std::string_view options);
  StaticEncoderModel(model::Model model, model::StaticConfig config,
                     std::unique_ptr<text::Tokenizer> tokenizer, infer::StaticEncoder encoder);

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] uint64_t weight_bytes() const override { return runtime_->encoder.weight_bytes(); }
  [[nodiscard]] Result<const text::Tokenizer*> tokenizer() const override {
    return runtime_->tokenizer.get();
  }
  // Jobs share it.
  [[nodiscard]] const std::shared_ptr<const StaticRuntime>& runtime() const { return runtime_; }

 private:
  model::Model model_;
  std::shared_ptr<const StaticRuntime> runtime_;
};

}  // namespace ambry::api
