// Which experts the tokens of a block take in one layer, and with which weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/decoder/config/expert_config.h"

namespace ambry::infer {

// A token's row of a block, and the weight of what an expert gives for it.
struct ExpertRow {
  size_t row;
  float weight;
};

// Experts are taken one after another, by their index, so the sum over a token's experts has the
// same order however many tokens a block has and whatever is in memory.
class ExpertChoice {
 public:
  void begin(const model::ExpertConfig& config);
  // Chooses the experts of a row. `logits` are what the router gives, one for each expert. Of equal
  // scores the one of the lower index counts first. `bias` and `scales`, factors of the weights,
  // may be empty.
  void choose(size_t row, std::span<const float> logits, std::span<const float> bias,
              std::span<const float> scales = {});
  void clear() { begun_ = false; }

  // From begin() until all experts were taken.
  [[nodiscard]] bool begun() const { return begun_; }
  // Whether there are more experts to take, of which next() is the first.
  [[nodiscard]] bool more() const { return begun_ && next_ < rows_.size(); }
  [[nodiscard]] uint32_t next() const { return static_cast<uint32_t>(next_); }
  [[nodiscard]] std::span<const ExpertRow> rows() const { return rows_[next_]; }
  void advance();
  // The experts that some row takes, by rising index.
  [[nodiscard]] std::vector<uint32_t> taken() const;
  // Goes to the first expert that is taken, once all rows have chosen.
  void start();

 private:
  model::ExpertConfig config_;
  std::vector<std::vector<ExpertRow>> rows_;  // by expert
  std::vector<double> scores_;
  size_t next_ = 0;
  bool begun_ = false;
};

}  // namespace ambry::infer
