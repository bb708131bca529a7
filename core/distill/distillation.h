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

#include "base/aligned_buffer.h"
#include "base/bytes.h"
#include "base/result.h"
#include "distill/distill_options.h"
#include "infer/encoder/encoder.h"
#include "infer/encoder/head/pooling.h"
#include "infer/encoder/token_batches.h"
#include "kernels/linear_algebra/principal_axes.h"
#include "model/tokenizer/tokenizer_data.h"
#include "text/tokenizer/tokenizer.h"

namespace ambry::distill {

// The encoder to distill. It gives one vector for a text.
struct Teacher {
  model::TokenizerData vocabulary;
  std::shared_ptr<const text::Tokenizer> tokenizer;
  std::shared_ptr<const infer::Encoder> encoder;
  infer::Pooling pooling = infer::Pooling::Mean;
};

class Distillation {
 public:
  // BadValue with the path `options.…` for an option out of range; Unsupported for fewer tokens of
  // a tokenizer that is not WordPiece, and for a pooling of None.
  [[nodiscard]] static Result<Distillation> begin(Teacher teacher, DistillOptions options);

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
  Distillation(Teacher teacher, DistillOptions options)
      : teacher_(std::move(teacher)), options_(std::move(options)) {}

  // The tokens that stand around each text: [CLS] and [SEP].
  [[nodiscard]] std::vector<uint32_t> ends_of_text() const;
  // The tokens to keep, by their ids in the encoder, the most frequent first if some are left out.
  void choose_tokens();
  [[nodiscard]] std::vector<double> frequencies() const;
  // The numbers of a vector of the encoder.
  [[nodiscard]] uint32_t width() const { return teacher_.encoder->embedding_size(); }
  [[nodiscard]] Result<bool> embed();
  [[nodiscard]] Result<void> write();

  Teacher teacher_;
  DistillOptions options_;
  std::vector<uint64_t> counts_;  // of each token of the encoder; empty: nothing was counted
  std::vector<uint32_t> kept_;    // their ids in the encoder, in order
  infer::TokenBatches texts_;     // a text of each kept token
  std::vector<float> row_;
  AlignedBuffer vectors_;  // of the kept tokens, by the encoder
  std::optional<kernels::PrincipalAxes> axes_;
  std::vector<uint8_t> file_;
};

}  // namespace ambry::distill
