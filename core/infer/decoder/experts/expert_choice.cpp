#include "infer/decoder/experts/expert_choice.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ambry::infer {
namespace {

// Where all scores are tiny, their sum must not make the weights infinite.
constexpr double kLeastSum = 1e-20;

void scores_of(std::span<const float> logits, bool sigmoid, std::vector<double>& scores) {
  scores.resize(logits.size());
  const auto largest = static_cast<double>(*std::ranges::max_element(logits));
  double sum = 0;
  for (size_t i = 0; i < logits.size(); ++i) {
    const auto logit = static_cast<double>(logits[i]);
    scores[i] = sigmoid ? 1 / (1 + std::exp(-logit)) : std::exp(logit - largest);
    sum += scores[i];
  }
  if (sigmoid) return;
  for (double& score : scores) score /= sum;
}

}  // namespace

void ExpertChoice::begin(const model::ExpertConfig& config) {
  config_ = config;
  rows_.resize(config.count);
  for (auto& rows : rows_) rows.clear();
  begun_ = true;
}

void ExpertChoice::choose(size_t row, std::span<const float> logits, std::span<const float> bias,
                          std::span<const float> scales) {
  scores_of(logits, config_.sigmoid, scores_);
  const auto rank = [&](size_t i) {
    return bias.empty() ? scores_[i] : scores_[i] + static_cast<double>(bias[i]);
  };
  // Scores may be NaN, so they are not sorted.
  std::vector<size_t> chosen;
  while (chosen.size() < config_.used) {
    std::optional<size_t> best;
    for (size_t i = 0; i < scores_.size(); ++i) {
      if (std::ranges::find(chosen, i) != chosen.end()) continue;
      if (!best || rank(i) > rank(*best)) best = i;
    }
    chosen.push_back(*best);
  }
  double sum = 0;
  for (const size_t i : chosen) sum += scores_[i];
  const double factor = config_.scale / (config_.normalize ? std::max(sum, kLeastSum) : 1);
  for (const size_t i : chosen) {
    const double own = scales.empty() ? 1 : static_cast<double>(scales[i]);
    rows_[i].push_back({row, static_cast<float>(scores_[i] * factor * own)});
  }
}

std::vector<uint32_t> ExpertChoice::taken() const {
  std::vector<uint32_t> experts;
  for (uint32_t i = 0; i < rows_.size(); ++i) {
    if (!rows_[i].empty()) experts.push_back(i);
  }
  return experts;
}

void ExpertChoice::start() {
  next_ = 0;
  while (more() && rows_[next_].empty()) ++next_;
}

void ExpertChoice::advance() {
  ++next_;
  while (more() && rows_[next_].empty()) ++next_;
}

}  // namespace ambry::infer
