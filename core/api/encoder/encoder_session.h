// A loaded sentence encoder: its facts, its tokenizer, and the jobs that embed texts.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/encoder/embed_job.h"
#include "api/encoder/encoder_tokenizer.h"
#include "api/encoder/score_job.h"
#include "api/encoder/token_job.h"
#include "api/loading/byte_sink.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/encoder_builder.h"
#include "io/source.h"
#include "model/encoder/encoder_config.h"
#include "model/file/model.h"

namespace ambry::api {

class EncoderSession {
 public:
  EncoderSession(model::Model model, model::EncoderConfig config, Tokenizer tokenizer,
                 infer::Encoder encoder);

  // JSON of file_info().
  [[nodiscard]] std::string info() const;
  [[nodiscard]] uint64_t weight_bytes() const { return runtime_->encoder.weight_bytes(); }
  [[nodiscard]] const Tokenizer& tokenizer() const { return runtime_->tokenizer; }
  // What the file says; no weights.
  [[nodiscard]] const model::Model& model() const { return model_; }
  [[nodiscard]] const std::shared_ptr<const EncoderRuntime>& runtime() const { return runtime_; }
  // `options` is the JSON of read_embed_options().
  [[nodiscard]] Result<EmbedJob> begin_embed(std::string_view options) const;
  // `options` as in ScoreJob::begin.
  [[nodiscard]] Result<ScoreJob> begin_score(std::string_view options) const;
  // `options` as in TokenJob::begin.
  [[nodiscard]] Result<TokenJob> begin_tokens(std::string_view options) const;

 private:
  model::Model model_;
  std::shared_ptr<const EncoderRuntime> runtime_;  // shared with running jobs
};

// Unsupported for an encoder's file without a vocabulary.
[[nodiscard]] Result<void> require_vocabulary(const model::Model& model);

// Streams a model file's weights into memory. Call begin() with the file's head, pass the bytes as
// in ByteSink, then call finish().
class EncoderLoader final : public ByteSink {
 public:
  // `weights` is as-stored, int8 or f32. NeedBytes while bytes are missing; without an offset when
  // the file's size must be known first.
  [[nodiscard]] static Result<std::unique_ptr<EncoderLoader>> begin(const io::Source& source,
                                                                    std::string_view weights);
  // Call once, when wanted() is 0.
  [[nodiscard]] Result<EncoderSession> finish();

 private:
  struct Parts {
    model::Model model;
    model::EncoderConfig config;
    Tokenizer tokenizer;
    infer::EncoderBuilder builder;
  };

  explicit EncoderLoader(Parts parts) : ByteSink(TensorMemory::Whole), parts_(std::move(parts)) {}

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  Parts parts_;
};

}  // namespace ambry::api
