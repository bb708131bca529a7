// Computes the logits of every token as the next one, after a prompt or after each of its tokens.
// Call step() until it reports that it is done.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"
#include "generate/run/prompt.h"

namespace ambry::generate {

class PromptLogits {
 public:
  // `all`: after each token of the prompt, and not only after the last one. Errors of prompt_ids(),
  // and LimitExceeded for a prompt longer than the context and for rows that the heap cannot hold.
  [[nodiscard]] static Result<PromptLogits> begin(std::shared_ptr<Generator> generator,
                                                  const Prompt& prompt, bool all);

  [[nodiscard]] Result<PassProgress> step();
  // Each row has Decoder::n_vocab() values.
  [[nodiscard]] std::span<const float> rows() const { return rows_.as<float>(); }

 private:
  PromptLogits(std::shared_ptr<Generator> generator, std::vector<uint32_t> ids, bool all,
               AlignedBuffer rows)
      : run_(std::move(generator)), ids_(std::move(ids)), all_(all), rows_(std::move(rows)) {}

  [[nodiscard]] Result<void> begin_pass();

  DecoderRun run_;
  std::vector<uint32_t> ids_;
  bool all_;
  AlignedBuffer rows_;
  size_t begun_ = 0;  // tokens in passes that have begun
  size_t done_ = 0;   // tokens in passes that are done
};

}  // namespace ambry::generate
