#include "generate/scoring/activation_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "generate/run/prompt.h"

namespace ambry::generate {
namespace {

using infer::PassStep;

// The cost of attention grows with the square of the window, but larger windows do not improve the
// statistics.
constexpr uint64_t kDefaultWindow = 512;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

Result<size_t> window_size(const Generator& generator, std::optional<uint64_t> window) {
  const uint64_t context = generator.decoder.context();
  const uint64_t size = window.value_or(std::min(context, kDefaultWindow));
  if (size >= 1 && size <= context) return static_cast<size_t>(size);
  return make_error(ErrorCode::BadValue, "options.window",
                    {"must be an integer from 1 to ", context});
}

// Cuts a text into windows. Each starts with the text's first token if that is BOS.
void cut(const std::vector<uint32_t>& ids, std::optional<uint32_t> bos, size_t size,
         std::vector<std::vector<uint32_t>>& windows) {
  const bool begins = bos == ids.front() && size > 1;
  for (size_t at = 0; at < ids.size();) {
    std::vector<uint32_t>& window = windows.emplace_back();
    if (begins && at > 0) window.push_back(*bos);
    const size_t n = std::min(size - window.size(), ids.size() - at);
    const auto from = ids.begin() + static_cast<std::ptrdiff_t>(at);
    window.insert(window.end(), from, from + static_cast<std::ptrdiff_t>(n));
    at += n;
  }
}

}  // namespace

ActivationRun::ActivationRun(const std::shared_ptr<Generator>& generator,
                             std::vector<Window> windows)
    : sums_(std::make_unique<infer::ActivationSums>(generator->decoder.config())),
      run_(generator),
      windows_(std::move(windows)) {
  run_.observe(*sums_);
  for (const Window& window : windows_) total_ += window.size();
}

Result<ActivationRun> ActivationRun::begin(const std::shared_ptr<Generator>& generator,
                                           std::span<const std::string> texts,
                                           std::optional<uint64_t> window) {
  AMBRY_TRY(const size_t size, window_size(*generator, window));
  if (generator->tokenizer == nullptr) {
    return make_error(ErrorCode::Unsupported, "calibration",
                      "the model has no supported tokenizer, so it cannot read texts");
  }
  std::vector<Window> windows;
  for (const std::string& text : texts) {
    if (is_blank(text)) continue;
    AMBRY_TRY(const std::vector<uint32_t> ids, prompt_ids(*generator, {.text = text}));
    cut(ids, generator->tokenizer->bos(), size, windows);
  }
  if (windows.empty()) return make_error(ErrorCode::BadValue, "calibration", "there is no text");
  ActivationRun run(generator, std::move(windows));
  AMBRY_RETURN_IF_ERROR(run.begin_window());
  return run;
}

Result<void> ActivationRun::begin_window() {
  run_.reset();
  return run_.begin(windows_[window_], infer::Logits::Last);
}

Result<PassProgress> ActivationRun::step() {
  PassProgress report;
  if (window_ < windows_.size()) {
    AMBRY_TRY(report.step, run_.work());
    if (report.step.kind == PassStep::Kind::Done) {
      passed_ += windows_[window_].size();
      if (++window_ < windows_.size()) AMBRY_RETURN_IF_ERROR(begin_window());
    }
  }
  report.done = window_ == windows_.size();
  report.loaded = passed_ + (report.done ? 0 : run_.done_tokens());
  report.total = total_;
  return report;
}

}  // namespace ambry::generate
