// Computes the logits of every token as the next one, after a prompt or after each of its tokens.
// Call step() until it reports that it is done.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"

namespace ambry::api {

class LogitsJob {
 public:
  // `options` is JSON of prompt_ids() and {all: false}. LimitExceeded for a prompt longer than the
  // context, and for rows that the heap cannot hold.
  [[nodiscard]] static Result<LogitsJob> begin(std::shared_ptr<generate::Generator> runtime,
                                               std::string_view text, std::string_view options);

  // JSON of progress_document().
  [[nodiscard]] Result<std::string> step();
  // Each row has Decoder::n_vocab() values.
  [[nodiscard]] std::span<const float> rows() const { return rows_.as<float>(); }

 private:
  LogitsJob(std::shared_ptr<generate::Generator> runtime, std::vector<uint32_t> ids, bool all,
            AlignedBuffer rows)
      : run_(std::move(runtime)), ids_(std::move(ids)), all_(all), rows_(std::move(rows)) {}

  [[nodiscard]] Result<void> begin_pass();

  generate::DecoderRun run_;
  std::vector<uint32_t> ids_;
  bool all_;
  AlignedBuffer rows_;
  size_t begun_ = 0;  // tokens in passes that have begun
  size_t done_ = 0;   // tokens in passes that are done
};

}  // namespace ambry::api
