// Makes sparse vectors of texts with a sparse encoder: the weights of words of the vocabulary. The
// encoder runs one batch a step. Where queries have fixed weights, it does not run for them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/encoder/encoder_model.h"
#include "api/encoder/encoder_runtime.h"
#include "api/model/text_job.h"
#include "base/result.h"
#include "infer/encoder/token_batches.h"
#include "text/unicode/encoding.h"

namespace ambry::api {

class SparseJob final : public TextJob {
 public:
  // `options` is JSON {as: query | document, k, truncate: end | error, list}, all optional. `as` is
  // `document` if absent. `k` is how many words are kept at most, all if it is absent. `list` is
  // what errors call the texts, `texts` if absent. Unsupported for a model that is no sparse
  // encoder. BadValue at `options.k` for 0.
  [[nodiscard]] static Result<SparseJob> begin(const EncoderModel& model, std::string_view options);

  // Tokenizes all texts and plans the batches. LimitExceeded with the path `texts[i]` for a text
  // that is too long, if texts must not be cut.
  [[nodiscard]] Result<void> start() override;
  // Runs one batch. Returns true after the last one, when the rows are there. BadValue with the
  // path `texts[i]` for weights that are not finite.
  [[nodiscard]] Result<bool> step() override;

  [[nodiscard]] size_t done_texts() const override { return done_texts_; }
  // The weights of each text's words, the largest first. All are above 0, or unlike 0 where they
  // are fixed.
  [[nodiscard]] TextRows rows() const override { return {1, weights_, counts_}; }
  // For jobs that run together (together.h), instead of start() and step(): makes
  // room for so many texts, adds the words of one of them, and ends.
  void expect(size_t n_texts) { words_.resize(n_texts); }
  [[nodiscard]] Result<void> add_text(uint32_t text, std::span<const uint32_t> ids,
                                      std::span<const float> hidden);
  void join();

  // The words of the weights.
  [[nodiscard]] std::span<const uint32_t> ids() const { return ids_; }
  // The texts of these words as the tokenizer has them, such as `##ing`: a JSON list.
  [[nodiscard]] std::string words() const;

 private:
  struct Settings {
    std::string list;
    std::string prompt;
    size_t most = 0;
    bool refuse_long = false;
    bool fixed = false;  // the weights are those of a query
  };
  struct Word {
    uint32_t id;
    float weight;
  };

  SparseJob(const EncoderModel& model, Settings settings);

  [[nodiscard]] Result<text::Encoding> encode(size_t text) const;
  [[nodiscard]] Result<void> check(uint32_t text, std::span<const float> numbers) const;
  [[nodiscard]] Result<void> add_query(uint32_t text);
  void add_weights(uint32_t text, std::span<const float> by_id);
  void keep(uint32_t text, std::vector<Word> words);

  std::shared_ptr<const EncoderRuntime> runtime_;
  Settings settings_;
  std::vector<uint32_t> left_out_;  // tokens that stand for no word of a text, in order

  infer::TokenBatches tokens_;
  size_t done_texts_ = 0;
  std::vector<std::vector<Word>> words_;  // of each text
  std::vector<uint32_t> counts_;
  std::vector<uint32_t> ids_;
  std::vector<float> weights_;
};

}  // namespace ambry::api
