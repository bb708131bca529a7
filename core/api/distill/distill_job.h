// Distills an encoder: each token of its vocabulary goes through it by itself, between the special
// tokens; the vectors are reduced to their principal axes and weighted by the tokens' frequencies.
// The result is a static encoder as an EMBD file.
//
// Call count() for texts whose tokens are to be counted, start(), step() until it is done, file().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/distill/distill_options.h"
#include "api/encoder/encoder_session.h"
#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "kernels/linear_algebra/principal_axes.h"

namespace ambry::api {

class DistillJob {
 public:
  // `text` is the JSON of DistillOptions.
  [[nodiscard]] static Result<DistillJob> begin(const EncoderSession& session,
                                                std::string_view text);

  // Counts the tokens of a text. Without any, frequencies follow from the order of the vocabulary,
  // by Zipf's law.
  void count(std::string_view text);
  [[nodiscard]] Result<void> start();
  // Works for a while. Returns true when the file is ready.
  [[nodiscard]] Result<bool> step();

  // What is done, in thousandths.
  [[nodiscard]] uint32_t progress() const;
  [[nodiscard]] Bytes file() const { return file_; }

 private:
  DistillJob(const EncoderSession& session, DistillOptions options)
      : session_(session), options_(std::move(options)) {}

  // The tokens that stand around each text: [CLS] and [SEP].
  [[nodiscard]] std::vector<uint32_t> ends_of_text() const;
  // The tokens to keep, by their ids in the encoder, the most frequent first if some are left out.
  void choose_tokens();
  [[nodiscard]] std::vector<double> frequencies() const;
  [[nodiscard]] Result<void> write();

  EncoderSession session_;
  DistillOptions options_;
  std::vector<uint64_t> counts_;   // of each token of the encoder; empty: nothing was counted
  std::vector<uint32_t> kept_;     // their ids in the encoder, in order
  std::optional<EmbedJob> embed_;  // until all are embedded
  AlignedBuffer vectors_;          // of the kept tokens, by the encoder
  uint32_t n_vectors_dim_ = 0;     // the numbers of each
  std::optional<kernels::PrincipalAxes> axes_;
  std::vector<uint8_t> file_;
};

}  // namespace ambry::api
