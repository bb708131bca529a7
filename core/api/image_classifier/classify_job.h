// One classification, layer by layer, so that the caller can time layers and stop in between. Call
// tensor() or picture() and write there, then start(), then step() until it returns true, then
// result().
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/image_classifier/network_input.h"
#include "base/result.h"
#include "infer/cnn/activations.h"
#include "infer/cnn/network.h"
#include "infer/cnn/trace.h"
#include "model/cnn/cnn_plan.h"

namespace ambry::api {

struct ClassifyOptions {
  size_t k = 5;
  float threshold = 0;
  infer::CnnMode mode = infer::CnnMode::Exact;
  bool trace = false;
  bool activations = false;

  // BadValue with the path `options.…`.
  [[nodiscard]] static Result<ClassifyOptions> read(std::string_view json);
};

class ClassifyJob {
 public:
  // Without a plan, the graph is derived from the table for the size of the input.
  ClassifyJob(std::shared_ptr<const infer::CnnWeights> weights, std::optional<model::CnnPlan> plan,
              const ClassifyOptions& options)
      : weights_(std::move(weights)), plan_(std::move(plan)), options_(options) {}

  // The memory for the input; use one of the two (network_input.h).
  [[nodiscard]] Result<std::span<float>> tensor(uint64_t n_values);
  [[nodiscard]] Result<MutableBytes> picture(uint64_t width, uint64_t height);

  // BadValue with the path `input…` or `picture` for input that the network cannot take.
  [[nodiscard]] Result<void> start();
  // JSON [{op, index, shape: [channels, height, width]}] for each step. Call after start().
  [[nodiscard]] std::string layers() const;
  // Runs one step. Returns true after the last one.
  [[nodiscard]] Result<bool> step();

  // JSON {logits, labels: [{label, index, score}], trace?, activations?}, with the largest score
  // first and equal ones by index. Scores are probabilities. Where the plan has no labels, a label
  // is the index as text. `trace` is a list of {op, index?, shape?, dtype, crc32, first, scale?,
  // zeroPoint?} in the order of execution. DQ8 codes also have {count, group, scaleCrc32,
  // zeroPointCrc32?}. `activations` is a list of {op, index, shape, channels} in the order of
  // execution, the input first; activation_values() has the values of these channels.
  [[nodiscard]] Result<std::string> result() const;
  // Empty without the option `activations`. Valid until the next step.
  [[nodiscard]] std::span<const float> activation_values() const;

 private:
  [[nodiscard]] NetworkFacts facts() const { return {weights_->table, plan_}; }

  std::shared_ptr<const infer::CnnWeights> weights_;
  std::optional<model::CnnPlan> plan_;
  ClassifyOptions options_;
  NetworkInput input_;
  // Pointers, because the run and its observers must stay in place when this object moves.
  std::unique_ptr<infer::CnnNetwork> network_;
  std::unique_ptr<infer::CnnTrace> trace_;
  std::unique_ptr<infer::CnnActivations> activations_;
  std::optional<infer::CnnRun> run_;
};

}  // namespace ambry::api
