// A loaded static encoder: its facts, its tokenizer, and the jobs that embed texts. It has the
// calls of EncoderSession and links no transformer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/encoder/encoder_tokenizer.h"
#include "api/loading/byte_sink.h"
#include "api/static_encoder/static_embed_job.h"
#include "infer/static_encoder/static_builder.h"
#include "io/source.h"
#include "model/file/model.h"

namespace ambry::api {

class StaticSession {
 public:
  StaticSession(model::Model model, model::StaticConfig config, Tokenizer tokenizer,
                infer::StaticEncoder encoder);

  // JSON of file_info().
  [[nodiscard]] std::string info() const;
  [[nodiscard]] uint64_t weight_bytes() const { return runtime_->encoder.weight_bytes(); }
  [[nodiscard]] const Tokenizer& tokenizer() const { return runtime_->tokenizer; }
  // `options` is the JSON of read_embed_options().
  [[nodiscard]] Result<StaticEmbedJob> begin_embed(std::string_view options) const;

 private:
  model::Model model_;
  std::shared_ptr<const StaticRuntime> runtime_;  // shared with running jobs
};

// Streams a model file's weights into memory, as EncoderLoader does.
class StaticLoader final : public ByteSink {
 public:
  // `weights` is as-stored or f32, which give the same vectors. NeedBytes while bytes are missing.
  // Unsupported for a file of another architecture.
  [[nodiscard]] static Result<std::unique_ptr<StaticLoader>> begin(const io::Source& source,
                                                                   std::string_view weights);
  // Call once, when wanted() is 0.
  [[nodiscard]] Result<StaticSession> finish();

 private:
  struct Parts {
    model::Model model;
    model::StaticConfig config;
    Tokenizer tokenizer;
    infer::StaticBuilder builder;
  };

  explicit StaticLoader(Parts parts) : ByteSink(TensorMemory::Whole), parts_(std::move(parts)) {}

  [[nodiscard]] Result<void> on_chunk(const Segment& segment, uint64_t offset,
                                      AlignedBuffer& chunk) override;
  [[nodiscard]] Result<void> on_mismatch(Failure mismatch) override { return mismatch; }

  Parts parts_;
};

}  // namespace ambry::api
