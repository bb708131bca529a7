// What a model gives to a few tokens as the next ones after each of many prompts, for models that
// rank documents. Prompts that begin alike share the work. Call step() until it reports that it is
// done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "generate/run/decoder_run.h"
#include "generate/run/generator.h"

namespace ambry::generate {

// A prompt in parts, each made into tokens by itself. Of one that is too long the first tokens
// count, and after them those of `tail`: what follows the document.
struct PartedPrompt {
  std::vector<std::string> parts;
  std::vector<std::string> tail;
  std::vector<std::string> lead;  // what comes before the document, which is never cut
};

struct ScoreForm {
  // The tokens, or the outputs of the layer that ranks (model::DecoderConfig::rank_head). Empty for
  // a model with layers that rank after so many layers.
  std::vector<uint32_t> answers;
  uint32_t n_layers = 0;          // after so many; 0 for other models
  uint64_t max_length = 0;        // tokens of a prompt; 0: the context
  uint64_t max_head_length = 0;   // tokens before the tail; 0: no such limit
  size_t head_begin = 0;          // the first part that this limit counts
  uint32_t max_query_length = 0;  // tokens of the part with the query; 0: no such limit
  size_t query_part = 0;          // that part
  bool refuse_long = false;
  std::string list;  // what errors call the prompts
};

class PromptScores {
 public:
  // Makes the tokens of all prompts. Unsupported without a tokenizer; LimitExceeded with the path
  // `<list>[i]` for a prompt or a query that is too long if it must not be cut, and for a prompt
  // whose lead leaves no room for a document.
  [[nodiscard]] static Result<PromptScores> begin(std::shared_ptr<Generator> generator,
                                                  ScoreForm form,
                                                  const std::vector<PartedPrompt>& prompts);

  // Counts prompts. BadValue with the path `<list>[i]` for numbers that are not finite.
  [[nodiscard]] Result<PassProgress> step();
  // A row of numbers for each prompt.
  [[nodiscard]] std::span<const float> rows() const { return rows_; }
  [[nodiscard]] size_t width() const { return form_.n_layers > 0 ? 1 : form_.answers.size(); }

 private:
  PromptScores(std::shared_ptr<Generator> generator, ScoreForm form);

  [[nodiscard]] const infer::Decoder& decoder() const { return run_.generator().decoder; }
  [[nodiscard]] Failure fail(ErrorCode code, size_t prompt, const Text& message) const;
  // Whether a layer makes the score of a hidden state.
  [[nodiscard]] bool by_layer() const { return form_.n_layers > 0 || decoder().config().rank_head; }
  void encode(std::string_view part, std::vector<uint32_t>& ids) const;
  [[nodiscard]] std::vector<uint32_t> encode(const std::vector<std::string>& parts) const;
  // The tokens of the first parts of a prompt, with those of a long query cut.
  struct Beginning {
    std::vector<uint32_t> ids;
    size_t n_uncounted = 0;  // before ScoreForm::head_begin
  };
  [[nodiscard]] Result<Beginning> encode_beginning(size_t prompt,
                                                   const std::vector<std::string>& parts) const;
  [[nodiscard]] Result<void> add(size_t i, const PartedPrompt& prompt);
  [[nodiscard]] Result<infer::PassStep> work();
  [[nodiscard]] Result<void> begin_prompt();
  [[nodiscard]] Result<void> write_row();

  DecoderRun run_;
  ScoreForm form_;
  std::vector<std::vector<uint32_t>> prompts_;
  std::vector<float> rows_;
  std::vector<float> hidden_;
  size_t done_ = 0;
  bool in_prompt_ = false;  // whether the pass of the next prompt has begun
};

}  // namespace ambry::generate
