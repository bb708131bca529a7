#include "api/decoder/activation_job.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/call/options.h"
#include "api/decoder/progress_document.h"
#include "api/decoder/prompt.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using infer::PassStep;
using io::Json;

// The cost of attention grows with the square of the window, but larger windows do not improve the
// statistics.
constexpr uint64_t kDefaultWindow = 512;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

Result<size_t> window_size(const generate::Generator& runtime, const Json& options) {
  const uint64_t context = runtime.decoder.context();
  AMBRY_TRY(const uint64_t size, read_count(options, "window", std::min(context, kDefaultWindow)));
  if (size >= 1 && size <= context) return static_cast<size_t>(size);
  return bad_option("window", {"must be an integer from 1 to ", context});
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

ActivationJob::ActivationJob(const std::shared_ptr<generate::Generator>& runtime,
                             std::vector<Window> windows)
    : sums_(std::make_unique<infer::ActivationSums>(runtime->decoder.config())),
      run_(runtime),
      windows_(std::move(windows)) {
  run_.observe(*sums_);
  for (const Window& window : windows_) total_ += window.size();
}

Result<ActivationJob> ActivationJob::begin(const std::shared_ptr<generate::Generator>& runtime,
                                           std::string_view options) {
  AMBRY_TRY(const Json json, io::parse_json(options, 0, "options"));
  AMBRY_TRY(const std::vector<std::string> texts, read_texts(json, "texts"));
  AMBRY_TRY(const size_t size, window_size(*runtime, json));
  if (runtime->tokenizer == nullptr) {
    return make_error(ErrorCode::Unsupported, "calibration",
                      "the model has no supported tokenizer, so it cannot read texts");
  }
  std::vector<Window> windows;
  for (const std::string& text : texts) {
    if (is_blank(text)) continue;
    AMBRY_TRY(const std::vector<uint32_t> ids, prompt_ids(*runtime, text, Json::object()));
    cut(ids, runtime->tokenizer->bos(), size, windows);
  }
  if (windows.empty()) return make_error(ErrorCode::BadValue, "calibration", "there is no text");
  ActivationJob job(runtime, std::move(windows));
  AMBRY_RETURN_IF_ERROR(job.begin_window());
  return job;
}

Result<void> ActivationJob::begin_window() {
  run_.reset();
  return run_.begin(windows_[window_], infer::Logits::Last);
}

Result<std::string> ActivationJob::step() {
  generate::PassProgress report;
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
  return progress_document(report).dump();
}

}  // namespace ambry::api
