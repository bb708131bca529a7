#include "distill/distillation.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/order.h"
#include "distill/static_file.h"
#include "infer/encoder/sentence_row.h"

namespace ambry::distill {
namespace {

// How much of the progress is embedding, in thousandths.
constexpr size_t kEmbedPart = 800;
// Jacobi rotations of covariances take about so many sweeps.
constexpr size_t kUsualSweeps = 12;

bool is_unused(std::string_view token) {
  constexpr std::string_view kPrefix = "[unused";
  if (!token.starts_with(kPrefix) || !token.ends_with(']')) return false;
  const std::string_view number = token.substr(kPrefix.size(), token.size() - kPrefix.size() - 1);
  return !number.empty() &&
         std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

// Letters and signs without which words of other pieces would be unknown.
bool is_letter(std::string_view token, std::string_view prefix) {
  if (token.starts_with(prefix)) token.remove_prefix(prefix.size());
  return token.size() == 1;
}

}  // namespace

Result<Distillation> Distillation::begin(Teacher teacher, DistillOptions options) {
  const model::TokenizerKind kind = teacher.vocabulary.kind;
  if (kind != model::TokenizerKind::WordPiece && options.vocab_size != 0) {
    return make_error(ErrorCode::Unsupported, "options.vocabSize",
                      {"only WordPiece tokenizers run with fewer tokens, and this encoder's is ",
                       model::tokenizer_kind_name(kind), "; leave the option out"});
  }
  if (options.dim < 1 || options.dim > UINT16_MAX) {
    return make_error(ErrorCode::BadValue, "options.dim", "must be at least 1");
  }
  if (!(options.sif >= 0 && options.sif < 1)) {
    return make_error(ErrorCode::BadValue, "options.sif", "must be a number from 0 to 1");
  }
  if (teacher.pooling == infer::Pooling::None) {
    return make_error(ErrorCode::Unsupported, "model", "this encoder gives no vector for a text");
  }
  return Distillation(std::move(teacher), std::move(options));
}

void Distillation::count(std::string_view text) {
  const text::Tokenizer& tokenizer = *teacher_.tokenizer;
  if (counts_.empty()) counts_.resize(tokenizer.size());
  const text::EncodeOptions whole{.add_special = false, .max_length = std::nullopt};
  for (const uint32_t id : tokenizer.encode(text, whole).ids) ++counts_[id];
}

void Distillation::choose_tokens() {
  const model::TokenizerData& data = teacher_.vocabulary;
  if (data.kind != model::TokenizerKind::WordPiece) {
    kept_.resize(teacher_.tokenizer->size());
    std::iota(kept_.begin(), kept_.end(), 0U);
    return;
  }
  const std::vector<uint32_t> ends = ends_of_text();
  std::vector<uint32_t> candidates;
  for (uint32_t id = 0; id < data.vocabulary.size(); ++id) {
    const bool around = std::ranges::find(ends, id) != ends.end() || data.cls_id == id ||
                        data.sep_id == id || data.pad_id == id || data.mask_id == id;
    if (!around && !is_unused(data.vocabulary[id])) candidates.push_back(id);
  }
  const size_t wanted = options_.vocab_size;
  if (wanted == 0 || wanted >= candidates.size()) {
    kept_ = std::move(candidates);
    return;
  }
  const auto is_needed = [&](uint32_t id) {
    return data.unk_id == id || is_letter(data.vocabulary[id], data.continuing_subword_prefix);
  };
  sort_items(candidates, [&](uint32_t a, uint32_t b) {
    if (is_needed(a) != is_needed(b)) return is_needed(a);
    return !counts_.empty() && counts_[a] > counts_[b];
  });
  candidates.resize(wanted);
  sort_items(candidates, [](uint32_t a, uint32_t b) { return a < b; });
  kept_ = std::move(candidates);
}

std::vector<uint32_t> Distillation::ends_of_text() const {
  return teacher_.tokenizer->encode("", {}).ids;
}

Result<void> Distillation::start() {
  choose_tokens();
  if (kept_.size() < 2) {
    return make_error(ErrorCode::BadValue, "options.vocabSize",
                      "the vocabulary has no tokens to distill");
  }
  const std::vector<uint32_t> around = ends_of_text();
  const auto n_before = static_cast<std::ptrdiff_t>(around.size() / 2);
  std::vector<uint32_t> ids;
  std::vector<size_t> ends;
  for (const uint32_t id : kept_) {
    ids.insert(ids.end(), around.begin(), around.begin() + n_before);
    ids.push_back(id);
    ids.insert(ids.end(), around.begin() + n_before, around.end());
    ends.push_back(ids.size());
  }
  AMBRY_TRY(vectors_, AlignedBuffer::allocate(uint64_t{kept_.size()} * width() * sizeof(float)));
  texts_.take(std::move(ids), std::move(ends));
  texts_.plan();
  return {};
}

// Runs a batch of tokens. Returns true after the last one.
Result<bool> Distillation::embed() {
  return texts_.step(
      *teacher_.encoder, /*first_only=*/false,
      [this](uint32_t token, std::span<const float> hidden) -> Result<void> {
        const auto row = vectors_.as<float>().subspan(size_t{token} * width(), width());
        infer::sentence_row(*teacher_.encoder, teacher_.pooling, hidden, 0, row_, row);
        return {};
      });
}

Result<bool> Distillation::step() {
  if (!axes_) {
    AMBRY_TRY(const bool embedded, embed());
    if (embedded) AMBRY_TRY(axes_, kernels::PrincipalAxes::begin(vectors_.as<float>(), width()));
    return false;
  }
  if (axes_->step()) return false;
  AMBRY_RETURN_IF_ERROR(write());
  return true;
}

uint32_t Distillation::progress() const {
  if (!file_.empty()) return 1000;
  if (!texts_.done()) return static_cast<uint32_t>(kEmbedPart * texts_.done_texts() / kept_.size());
  const size_t sweeps = axes_ ? std::min(axes_->sweeps(), kUsualSweeps) : 0;
  return static_cast<uint32_t>(kEmbedPart + (999 - kEmbedPart) * sweeps / kUsualSweeps);
}

// By Zipf's law the token of rank r has the frequency 1 / (r + 2), as Model2Vec has it. Counted
// texts replace it as far as they go: the law stands for as many tokens more as there are kinds.
std::vector<double> Distillation::frequencies() const {
  std::vector<double> zipf(kept_.size());
  double sum = 0;
  for (size_t i = 0; i < zipf.size(); ++i) {
    zipf[i] = 1.0 / static_cast<double>(i + 2);
    sum += zipf[i];
  }
  for (double& value : zipf) value /= sum;
  if (counts_.empty()) return zipf;
  double counted = 0;
  for (const uint32_t id : kept_) counted += static_cast<double>(counts_[id]);
  const auto prior = static_cast<double>(kept_.size());
  for (size_t i = 0; i < zipf.size(); ++i) {
    zipf[i] = (static_cast<double>(counts_[kept_[i]]) + prior * zipf[i]) / (counted + prior);
  }
  return zipf;
}

Result<void> Distillation::write() {
  const uint32_t dim = std::min(options_.dim, width());
  const std::vector<double> axes = axes_->axes(dim);
  const std::vector<double> shares = frequencies();
  AMBRY_TRY(AlignedBuffer rows,
            AlignedBuffer::allocate(uint64_t{kept_.size()} * dim * sizeof(float)));
  const std::span<const float> vectors = vectors_.as<float>();
  for (size_t i = 0; i < kept_.size(); ++i) {
    const std::span<float> row = rows.as<float>().subspan(i * dim, dim);
    kernels::project_on_axes(axes, axes_->mean(), vectors.subspan(i * width(), width()), row);
    const double weight = options_.sif == 0 ? 1 : options_.sif / (options_.sif + shares[i]);
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) * weight);
  }
  AMBRY_TRY(file_, static_file(teacher_.vocabulary, kept_, rows.as<float>(), dim, options_));
  axes_.reset();
  vectors_ = AlignedBuffer();
  return {};
}

}  // namespace ambry::distill
