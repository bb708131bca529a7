// A model that generates text, loaded and ready: its facts, its tokenizer, jobs, and for one whose
// weights are not all held the tensors that a pass lacks.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/decoder/activation_job.h"
#include "api/decoder/generate_job.h"
#include "api/decoder/generator_runtime.h"
#include "api/decoder/logits_job.h"
#include "api/decoder/perplexity_job.h"
#include "api/loading/tensor_receiver.h"
#include "base/result.h"

namespace ambry::api {

class GeneratorSession final : public TensorReceiver {
 public:
  // `resident` is what may be held, 0 for all; GeneratorLoader makes sessions.
  GeneratorSession(std::shared_ptr<GeneratorRuntime> runtime, uint64_t resident)
      : runtime_(std::move(runtime)), resident_(resident) {}

  // JSON of file_info() with `generator`: {architecture, context, slidingWindow, vocabulary,
  // layers, keyValueBytes, kv, endIds, specialTokens, chatTemplate, streaming: {resident,
  // bytesPerPass}}.
  [[nodiscard]] std::string info() const;
  // Bytes of weights that are held now.
  [[nodiscard]] uint64_t weight_bytes() const { return runtime_->decoder.weight_bytes(); }

  // As api::Tokenizer; Unsupported without one.
  [[nodiscard]] Result<std::string> tokenize(std::string_view text, bool special) const;
  [[nodiscard]] Result<std::string> detokenize(std::string_view ids, bool skip_special) const;

  // A prompt is `text`, with the special tokens around it unless `options`, JSON, say `special:
  // false`, or the `ids` of the options. For the other options see the jobs.
  [[nodiscard]] Result<GenerateJob> begin_generate(std::string_view text,
                                                   std::string_view options) const {
    return GenerateJob::begin(runtime_, text, options);
  }
  [[nodiscard]] Result<LogitsJob> begin_logits(std::string_view text,
                                               std::string_view options) const {
    return LogitsJob::begin(runtime_, text, options);
  }
  [[nodiscard]] Result<PerplexityJob> begin_perplexity(std::string_view text,
                                                       std::string_view options) const {
    return PerplexityJob::begin(runtime_, text, options);
  }
  [[nodiscard]] Result<ActivationJob> begin_activations(std::string_view options) const {
    return ActivationJob::begin(runtime_, options);
  }

  // Drops parts until `part` has room, and says as JSON [[tensor, offset, bytes]] what it lacks.
  // NotFound for no such part.
  [[nodiscard]] Result<std::string> room_for(uint64_t part);
  // What the next part that lacks something lacks; [] when all are held.
  [[nodiscard]] Result<std::string> lacking_next(uint64_t part) const;

 private:
  [[nodiscard]] Result<void> check_part(uint64_t part) const;
  [[nodiscard]] const model::Model& described() const override { return runtime_->model; }
  [[nodiscard]] Result<void> receive(size_t tensor, AlignedBuffer bytes) override {
    return runtime_->decoder.put_tensor(tensor, std::move(bytes));
  }

  std::shared_ptr<GeneratorRuntime> runtime_;  // shared with jobs under way
  uint64_t resident_;
};

}  // namespace ambry::api
