#include "api/encoder/embed_job.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "api/call/options.h"
#include "infer/encoder/batch_plan.h"
#include "infer/scratch_buffer.h"
#include "io/json/json.h"

namespace ambry::api {
namespace {

using io::Json;

// Several times as much as a batch needs.
constexpr uint64_t kStackBytes = uint64_t{256} * 1024;

// The text of the model's prompt with that name, or `prompt` itself when there is none.
std::string prompt_text(const model::EncoderConfig& config, const std::string& prompt) {
  const auto named =
      std::ranges::find(config.prompts, prompt, &std::pair<std::string, std::string>::first);
  return named == config.prompts.end() ? prompt : named->second;
}

Result<uint32_t> read_dim(const Json& options, uint32_t hidden_size) {
  const Json* value = options.find("dim");
  if (value == nullptr || value->is_null()) return hidden_size;
  if (!value->is_uint() || value->uint() < 1 || value->uint() > hidden_size) {
    return bad_option("dim", {"must be an integer from 1 to ", hidden_size});
  }
  return static_cast<uint32_t>(value->uint());
}

}  // namespace

Result<EmbedJob> EmbedJob::begin(std::shared_ptr<EncoderRuntime> runtime,
                                 std::string_view options) {
  AMBRY_TRY(Options read, read_options(runtime->config, options));
  return EmbedJob(std::move(runtime), std::move(read));
}

Result<EmbedJob::Options> EmbedJob::read_options(const model::EncoderConfig& config,
                                                 std::string_view text) {
  AMBRY_TRY(const Json json, io::parse_json(text, 0, "options"));
  Options options;
  AMBRY_TRY(const std::string pooling, read_text(json, "pooling", config.pooling));
  const auto known = infer::pooling_by_name(pooling);
  if (!known) return bad_option("pooling", {"unknown pooling: ", pooling});
  options.pooling = *known;

  // Token vectors are not normalized by default. For sentences, the model's setting is the default.
  const bool habit = config.normalize && options.pooling != infer::Pooling::None;
  AMBRY_TRY(options.normalize, read_bool(json, "normalize", habit));
  AMBRY_TRY(const std::string truncate, read_text(json, "truncate", "end"));
  if (truncate != "end" && truncate != "error") {
    return bad_option("truncate", {"must be end or error, not ", truncate});
  }
  options.refuse_long = truncate == "error";
  AMBRY_TRY(options.dim, read_dim(json, config.hidden_size));
  AMBRY_TRY(const std::string prompt, read_text(json, "prompt", config.default_prompt_name));
  options.prompt = prompt_text(config, prompt);
  return options;
}

Result<void> EmbedJob::start() {
  AMBRY_CHECK(tokenize_all());
  AMBRY_CHECK(lay_out_rows());
  plan(infer::kDefaultBatchTokens);
  texts_.clear();
  texts_.shrink_to_fit();
  return {};
}

void EmbedJob::plan(uint32_t max_tokens) {
  std::vector<uint32_t> lengths(id_ends_.size());
  for (uint32_t text = 0; text < lengths.size(); ++text) {
    lengths[text] = static_cast<uint32_t>(ids_of(text).size());
  }
  batches_ = infer::plan_batches(lengths, max_tokens);
}

Result<void> EmbedJob::tokenize_all() {
  const text::WordPiece& word_piece = runtime_->tokenizer.word_piece();
  const uint32_t longest =
      std::min(runtime_->config.max_seq_length, runtime_->encoder.max_positions());
  if (!runtime_->config.include_prompt && !options_.prompt.empty()) {
    // sentence-transformers counts the prompt's tokens with [CLS] but without [SEP].
    n_prompt_rows_ = word_piece.encode(options_.prompt).ids.size() - 1;
  }
  for (size_t i = 0; i < texts_.size(); ++i) {
    const text::Encoding encoding = word_piece.encode(options_.prompt + texts_[i],
                                                      {.add_special = true, .max_length = longest});
    if (options_.refuse_long && encoding.truncated()) {
      return make_error(ErrorCode::LimitExceeded, {"texts[", i, "]"},
                        {"the text has ", encoding.full_length,
                         " tokens, but the model takes at most ", longest});
    }
    ids_.insert(ids_.end(), encoding.ids.begin(), encoding.ids.end());
    id_ends_.push_back(ids_.size());
  }
  return {};
}

Result<void> EmbedJob::lay_out_rows() {
  uint64_t n_rows = 0;
  for (uint32_t text = 0; text < id_ends_.size(); ++text) {
    const bool every_token = options_.pooling == infer::Pooling::None;
    const auto rows = every_token ? static_cast<uint32_t>(ids_of(text).size()) : 1U;
    first_row_.push_back(static_cast<size_t>(n_rows));
    row_counts_.push_back(rows);
    n_rows += rows;
  }
  AMBRY_TRY(rows_, AlignedBuffer::allocate(n_rows * options_.dim * sizeof(float)));
  return {};
}

std::span<const uint32_t> EmbedJob::ids_of(uint32_t text) const {
  const size_t begin = text == 0 ? 0 : id_ends_[text - 1];
  return std::span(ids_).subspan(begin, id_ends_[text] - begin);
}

Result<bool> EmbedJob::step() {
  if (next_batch_ == batches_.size()) return true;
  // The encoder keeps its own memory between jobs.
  infer::EncoderScratch& scratch = runtime_->encoder.scratch();
  AMBRY_CHECK(prepare(lanes_[0], scratch, next_batch_));
  AMBRY_TRY(const size_t n_texts, run(lanes_[0], scratch, next_batch_));
  done_texts_ += n_texts;
  return ++next_batch_ == batches_.size();
}

Result<Bytes> EmbedJob::open_lanes(size_t n) {
  plan(infer::kWorkerBatchTokens);
  AMBRY_TRY(stacks_, AlignedBuffer::allocate(uint64_t{n} * kStackBytes));
  lanes_.resize(std::max(lanes_.size(), n));
  for (Lane& lane : lanes_) {
    for (size_t batch = 0; batch < batches_.size(); ++batch) {
      AMBRY_CHECK(prepare(lane, lane.scratch, batch));
    }
  }
  return Bytes(stacks_.bytes());
}

void EmbedJob::take_texts(Lane& lane, size_t batch) const {
  lane.n_tokens = 0;
  lane.sequences.clear();  // keeps the memory
  for (const uint32_t text : batches_[batch]) {
    lane.sequences.push_back({ids_of(text), {}});
    lane.n_tokens += ids_of(text).size();
  }
}

Result<void> EmbedJob::prepare(Lane& lane, infer::EncoderScratch& scratch, size_t batch) {
  take_texts(lane, batch);
  const size_t hidden_size = runtime_->encoder.hidden_size();
  lane.row.resize(hidden_size);
  AMBRY_CHECK(infer::reserve_floats(lane.hidden, uint64_t{lane.n_tokens} * hidden_size));
  return runtime_->encoder.reserve(lane.sequences, scratch);
}

Result<size_t> EmbedJob::run_batch(size_t lane, size_t batch) {
  take_texts(lanes_[lane], batch);
  return run(lanes_[lane], lanes_[lane].scratch, batch);
}

Result<size_t> EmbedJob::run(Lane& lane, infer::EncoderScratch& scratch, size_t batch) {
  const size_t hidden_size = runtime_->encoder.hidden_size();
  const std::span<float> hidden = lane.hidden.as<float>().first(lane.n_tokens * hidden_size);
  AMBRY_CHECK(runtime_->encoder.run(lane.sequences, hidden, scratch));
  size_t first = 0;
  for (const uint32_t text : batches_[batch]) {
    const size_t n_values = ids_of(text).size() * hidden_size;
    write_rows(text, hidden.subspan(first, n_values), lane.row);
    first += n_values;
  }
  return batches_[batch].size();
}

void EmbedJob::write_rows(uint32_t text, std::span<const float> hidden, std::span<float> row) {
  const size_t hidden_size = row.size();
  std::span<float> out = rows_.as<float>().subspan(first_row_[text] * options_.dim);
  for (uint32_t i = 0; i < row_counts_[text]; ++i) {
    if (options_.pooling == infer::Pooling::None) {
      std::ranges::copy(hidden.subspan(i * hidden_size, hidden_size), row.begin());
    } else {
      infer::pool(options_.pooling, hidden, n_prompt_rows_, row);
    }
    const std::span<float> target = out.subspan(size_t{i} * options_.dim, options_.dim);
    std::ranges::copy(row.first(options_.dim), target.begin());
    if (options_.normalize) infer::normalize(target);
  }
}

}  // namespace ambry::api
