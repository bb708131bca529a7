#include "api/distill/distill_job.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "api/distill/static_file.h"
#include "base/order.h"

namespace ambry::api {
namespace {

// Of the progress, how much embedding is.
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

Result<DistillJob> DistillJob::begin(const EncoderSession& session, std::string_view text) {
  AMBRY_TRY(DistillOptions options, DistillOptions::read(text));
  const model::TokenizerKind kind = session.model().tokenizer->kind;
  if (kind != model::TokenizerKind::WordPiece && options.vocab_size != 0) {
    return make_error(ErrorCode::Unsupported, "options.vocabSize",
                      {"only WordPiece tokenizers run with fewer tokens, and this encoder's is ",
                       model::tokenizer_kind_name(kind), "; leave the option out"});
  }
  return DistillJob(session, std::move(options));
}

void DistillJob::count(std::string_view text) {
  const text::Tokenizer& tokenizer = session_.tokenizer().get();
  if (counts_.empty()) counts_.resize(tokenizer.size());
  const text::EncodeOptions whole{.add_special = false, .max_length = std::nullopt};
  for (const uint32_t id : tokenizer.encode(text, whole).ids) ++counts_[id];
}

void DistillJob::choose_tokens() {
  const model::TokenizerData& data = *session_.model().tokenizer;
  if (data.kind != model::TokenizerKind::WordPiece) {
    kept_.resize(session_.tokenizer().get().size());
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

std::vector<uint32_t> DistillJob::ends_of_text() const {
  return session_.tokenizer().get().encode("", {}).ids;
}

Result<void> DistillJob::start() {
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
  AMBRY_TRY(EmbedJob embed, session_.begin_embed(R"({"normalize":false,"prompt":""})"));
  embed_ = std::move(embed);
  return embed_->start_tokens(std::move(ids), std::move(ends));
}

Result<bool> DistillJob::step() {
  if (embed_) {
    AMBRY_TRY(const bool embedded, embed_->step());
    if (!embedded) return false;
    AMBRY_TRY(axes_, kernels::PrincipalAxes::begin(embed_->result(), embed_->dim()));
    n_vectors_dim_ = embed_->dim();
    AMBRY_TRY(vectors_, AlignedBuffer::allocate(embed_->result().size_bytes()));
    std::ranges::copy(embed_->result(), vectors_.as<float>().begin());
    embed_.reset();
    return false;
  }
  if (axes_->step()) return false;
  AMBRY_RETURN_IF_ERROR(write());
  return true;
}

uint32_t DistillJob::progress() const {
  if (embed_) return static_cast<uint32_t>(kEmbedPart * embed_->done_texts() / kept_.size());
  if (!file_.empty()) return 1000;
  const size_t sweeps = axes_ ? std::min(axes_->sweeps(), kUsualSweeps) : 0;
  return static_cast<uint32_t>(kEmbedPart + (999 - kEmbedPart) * sweeps / kUsualSweeps);
}

// By Zipf's law the token of rank r has the frequency 1 / (r + 2), as Model2Vec has it. Counted
// texts replace it as far as they go: the law stands for as many tokens more as there are kinds.
std::vector<double> DistillJob::frequencies() const {
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

Result<void> DistillJob::write() {
  const uint32_t width = n_vectors_dim_;
  const uint32_t dim = std::min(options_.dim, width);
  const std::vector<double> axes = axes_->axes(dim);
  const std::vector<double> shares = frequencies();
  AMBRY_TRY(AlignedBuffer rows,
            AlignedBuffer::allocate(uint64_t{kept_.size()} * dim * sizeof(float)));
  const std::span<const float> vectors = vectors_.as<float>();
  for (size_t i = 0; i < kept_.size(); ++i) {
    const std::span<float> row = rows.as<float>().subspan(i * dim, dim);
    kernels::project_on_axes(axes, axes_->mean(), vectors.subspan(i * width, width), row);
    const double weight = options_.sif == 0 ? 1 : options_.sif / (options_.sif + shares[i]);
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) * weight);
  }
  AMBRY_TRY(file_,
            static_file(*session_.model().tokenizer, kept_, rows.as<float>(), dim, options_));
  axes_.reset();
  vectors_ = AlignedBuffer();
  return {};
}

}  // namespace ambry::api
