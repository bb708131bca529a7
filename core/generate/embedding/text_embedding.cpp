#include "generate/embedding/text_embedding.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "generate/run/prompt.h"
#include "infer/decoder/embedding/dense_chain.h"
#include "text/tokenizer/beginning.h"

namespace ambry::generate {

using infer::PassStep;
using infer::Pooling;

uint64_t longest_text(const infer::Decoder& decoder) {
  const auto& embedding = decoder.config().embedding;
  if (!embedding || embedding->max_seq_len == 0) return decoder.context();
  return std::min<uint64_t>(embedding->max_seq_len, decoder.context());
}

Result<infer::EmbedDefaults> embed_defaults(const Generator& generator) {
  AMBRY_RETURN_IF_ERROR(need_tokenizer(generator));
  const model::DecoderConfig& config = generator.decoder.config();
  infer::EmbedDefaults defaults;
  defaults.token_size = config.n_embd;
  defaults.sentence_size = config.n_embd;
  if (!config.embedding) return defaults;
  const model::EmbeddingConfig& embedding = *config.embedding;
  defaults.pooling = embedding.pooling;
  defaults.normalize = embedding.normalize;
  defaults.prompts = embedding.prompts;
  defaults.default_prompt_name = embedding.default_prompt_name;
  defaults.sentence_size = embedding.embedding_size(config.n_embd);
  return defaults;
}

Result<TextEmbedding> TextEmbedding::begin(std::shared_ptr<Generator> generator,
                                           infer::EmbedOptions options) {
  AMBRY_RETURN_IF_ERROR(need_tokenizer(*generator));
  return TextEmbedding(std::move(generator), std::move(options));
}

Result<void> TextEmbedding::start() {
  n_prompt_rows_ = prompt_rows();
  for (size_t i = 0; i < texts_.size(); ++i) AMBRY_RETURN_IF_ERROR(tokenize(i));
  texts_ = {};
  return lay_out_rows();
}

// sentence-transformers counts the prompt's tokens with the special ones before it, without those
// after it.
size_t TextEmbedding::prompt_rows() const {
  const auto& embedding = decoder().config().embedding;
  if (!embedding || embedding->include_prompt || options_.prompt.empty()) return 0;
  const text::Tokenizer& tokenizer = *run_.generator().tokenizer;
  const auto ids = tokenizer.encode(options_.prompt, {.add_special = true, .max_length = {}}).ids;
  const bool ends = !ids.empty() && tokenizer.is_special(ids.back());
  return ids.size() - (ends ? 1 : 0);
}

Result<void> TextEmbedding::tokenize(size_t text) {
  const text::Tokenizer& tokenizer = *run_.generator().tokenizer;
  const uint64_t longest = longest_text(decoder());
  const std::string whole = options_.prompt + texts_[text];
  const std::string_view read = text::beginning_of(tokenizer, whole, static_cast<size_t>(longest));
  const text::Encoding encoding =
      tokenizer.encode(read, {.add_special = true, .max_length = static_cast<uint32_t>(longest)});
  if (options_.refuse_long && encoding.truncated()) {
    return text::too_long({"texts[", text, "]"}, encoding.full_length, longest);
  }
  if (encoding.ids.empty()) {
    return make_error(ErrorCode::BadValue, {"texts[", text, "]"},
                      "the text is empty and has no tokens, so it has no vector");
  }
  for (const uint32_t id : encoding.ids) {
    if (id < decoder().n_vocab()) continue;
    return make_error(ErrorCode::BadValue, {"texts[", text, "]"},
                      {"the tokenizer gives the id ", id, ", but the model's ids are below ",
                       decoder().n_vocab()});
  }
  ids_.insert(ids_.end(), encoding.ids.begin(), encoding.ids.end());
  id_ends_.push_back(ids_.size());
  return {};
}

Result<void> TextEmbedding::lay_out_rows() {
  uint64_t n_rows = 0;
  for (size_t text = 0; text < id_ends_.size(); ++text) {
    const bool every_token = options_.pooling == Pooling::None;
    row_counts_.push_back(every_token ? static_cast<uint32_t>(ids_of(text).size()) : 1U);
    n_rows += row_counts_.back();
  }
  const auto bytes = checked_mul(n_rows, uint64_t{options_.dim} * sizeof(float));
  if (!bytes) {
    return make_error(ErrorCode::Overflow, "texts", "the size of all vectors passes 64 bits");
  }
  AMBRY_TRY(rows_, AlignedBuffer::allocate(*bytes));
  return {};
}

std::span<const uint32_t> TextEmbedding::ids_of(size_t text) const {
  const size_t begin = text == 0 ? 0 : id_ends_[text - 1];
  return std::span(ids_).subspan(begin, id_ends_[text] - begin);
}

Result<void> TextEmbedding::begin_text() {
  if (in_text_) return {};
  run_.reset();
  const bool last_only = options_.pooling == Pooling::LastToken;
  in_text_ = true;
  return run_.begin(ids_of(done_texts_),
                    last_only ? infer::Logits::HiddenOfLast : infer::Logits::HiddenOfEach);
}

// A part of the pass of a text. Done when its rows are written.
Result<PassStep> TextEmbedding::work() {
  AMBRY_RETURN_IF_ERROR(begin_text());
  AMBRY_TRY(const PassStep step, run_.work());
  if (step.kind != PassStep::Kind::Done) return step;
  // The dense layers are in this part, which a model that is larger than memory has dropped.
  if (options_.pooling != Pooling::None && !decoder().is_ready(infer::kEmbeddingPart) &&
      !decoder().weights().dense.empty()) {
    return PassStep{PassStep::Kind::NeedsPart, infer::kEmbeddingPart};
  }
  write_rows();
  ++done_texts_;
  in_text_ = false;
  return step;
}

Result<PassProgress> TextEmbedding::step() {
  PassProgress report;
  if (done_texts_ < id_ends_.size()) AMBRY_TRY(report.step, work());
  report.done = done_texts_ == id_ends_.size();
  report.loaded = done_texts_;
  report.total = id_ends_.size();
  return report;
}

void TextEmbedding::write_rows() {
  const size_t width = decoder().config().n_embd;
  const std::span<const float> hidden = run_.hidden();
  const std::span<float> out = rows_.as<float>().subspan(done_rows_ * options_.dim);
  for (size_t i = 0; i < row_counts_[done_texts_]; ++i) {
    row_.resize(width);
    if (options_.pooling == Pooling::None) {
      std::ranges::copy(hidden.subspan(i * width, width), row_.begin());
    } else {
      // The last token has one row, which no prompt reaches.
      const bool last_only = options_.pooling == Pooling::LastToken;
      infer::pool(options_.pooling, hidden, last_only ? 0 : n_prompt_rows_, row_);
      infer::apply_dense_layers(decoder(), row_);
    }
    const std::span<float> target = out.subspan(i * options_.dim, options_.dim);
    std::copy_n(row_.begin(), options_.dim, target.begin());
    if (options_.normalize) infer::normalize(target);
  }
  done_rows_ += row_counts_[done_texts_];
}

}  // namespace ambry::generate
