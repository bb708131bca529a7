#include "api/encoder/sparse_job.h"

#include <algorithm>

#include "api/call/options.h"
#include "api/encoder/embed_options_json.h"
#include "base/order.h"
#include "infer/check_outputs.h"
#include "text/tokenizer/beginning.h"

namespace ambry::api {
namespace {

// Queries whose weights are fixed, in a step.
constexpr size_t kQueriesOfStep = 256;

// What stands before a text of this role: the prompt of that name, or the one that always does.
std::string prompt_for(const model::EncoderConfig& config, const std::string& role) {
  for (const std::string& name : {role, config.default_prompt_name}) {
    const auto found =
        std::ranges::find(config.prompts, name, &std::pair<std::string, std::string>::first);
    if (found != config.prompts.end()) return found->second;
  }
  return {};
}

// Tokens whose weights do not count where each token has the weight of its own word: those that the
// tokenizer adds to a text, padding, and the one for unknown words.
std::vector<uint32_t> no_words(const EncoderModel& model) {
  const model::TokenizerData& data = *model.model().tokenizer;
  std::vector<uint32_t> ids =
      model.runtime()->tokenizer->encode("", {.add_special = true, .max_length = {}}).ids;
  for (const auto& id : {data.pad_id, data.unk_id, data.cls_id, data.sep_id}) {
    if (id) ids.push_back(*id);
  }
  return ids;
}

}  // namespace

Result<SparseJob> SparseJob::begin(const EncoderModel& model, std::string_view options) {
  const model::EncoderConfig& config = model.runtime()->config;
  const model::HeadConfig* head = config.token_head();
  if (head == nullptr || head->task != model::HeadTask::Sparse) {
    return make_error(ErrorCode::Unsupported, "model",
                      "this model is no sparse encoder, so it gives no weights of words");
  }
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  Settings settings;
  AMBRY_TRY(settings.list, read_text(json, "list", "texts"));
  AMBRY_TRY(settings.refuse_long, read_truncate(json));
  AMBRY_TRY(const std::string role, read_text(json, "as", "document"));
  if (role != "query" && role != "document") {
    return bad_option("as", {"must be query or document, not ", role});
  }
  AMBRY_TRY(const uint64_t most, read_count(json, "k", SIZE_MAX));
  if (most == 0) return bad_option("k", "must be at least 1");
  settings.most = static_cast<size_t>(std::min<uint64_t>(most, SIZE_MAX));
  settings.fixed = role == "query" && head->sparse.n_query_weights > 0;
  settings.prompt = prompt_for(config, role);
  return SparseJob(model, std::move(settings));
}

SparseJob::SparseJob(const EncoderModel& model, Settings settings)
    : runtime_(model.runtime()), settings_(std::move(settings)) {
  if (runtime_->config.head->sparse.own_words) left_out_ = no_words(model);
}

Result<text::Encoding> SparseJob::encode(size_t text) const {
  const text::Tokenizer& tokenizer = *runtime_->tokenizer;
  const uint32_t longest =
      std::min(runtime_->config.max_seq_length, runtime_->encoder.max_positions());
  const std::string whole = settings_.prompt + texts()[text];
  // No special tokens stand around a query whose weights are fixed.
  text::Encoding encoding =
      tokenizer.encode(text::beginning_of(tokenizer, whole, longest),
                       text::EncodeOptions{.add_special = !settings_.fixed, .max_length = longest});
  if (settings_.refuse_long && encoding.truncated()) {
    return text::too_long({settings_.list, "[", text, "]"}, encoding.full_length, longest);
  }
  return encoding;
}

Result<void> SparseJob::start() {
  expect(texts().size());
  if (settings_.fixed) return {};
  const bool types = runtime_->encoder.token_types() > 1;
  for (size_t i = 0; i < texts().size(); ++i) {
    AMBRY_TRY(const text::Encoding encoding, encode(i));
    tokens_.add(encoding, types);
  }
  tokens_.plan();
  return {};
}

Result<bool> SparseJob::step() {
  bool done = false;
  if (settings_.fixed) {
    const size_t end = std::min(done_texts_ + kQueriesOfStep, texts().size());
    for (; done_texts_ < end; ++done_texts_) {
      AMBRY_RETURN_IF_ERROR(add_query(static_cast<uint32_t>(done_texts_)));
    }
    done = end == texts().size();
  } else {
    AMBRY_TRY(done, tokens_.step(runtime_->encoder, false,
                                 [this](uint32_t text, std::span<const float> hidden) {
                                   return add_text(text, tokens_.ids(text), hidden);
                                 }));
    done_texts_ = tokens_.done_texts();
  }
  if (done) join();
  return done;
}

Result<void> SparseJob::check(uint32_t text, std::span<const float> numbers) const {
  return infer::check_outputs(numbers, {settings_.list, "[", text, "]"});
}

Result<void> SparseJob::add_text(uint32_t text, std::span<const uint32_t> ids,
                                 std::span<const float> hidden) {
  AMBRY_RETURN_IF_ERROR(check(text, hidden));
  AMBRY_TRY(const AlignedBuffer made, runtime_->encoder.sparse_weights(hidden));
  const std::span<const float> weights = made.as<float>();
  AMBRY_RETURN_IF_ERROR(check(text, weights));
  if (!runtime_->config.head->sparse.own_words) {
    add_weights(text, weights);
    return {};
  }
  // The weight of a word is the largest of its tokens.
  std::vector<Word> words;
  for (size_t i = 0; i < weights.size(); ++i) {
    const uint32_t id = ids[i];
    if (weights[i] == 0 || std::ranges::find(left_out_, id) != left_out_.end()) continue;
    const auto known = std::ranges::find(words, id, &Word::id);
    if (known == words.end()) {
      words.push_back({id, weights[i]});
    } else {
      known->weight = std::max(known->weight, weights[i]);
    }
  }
  keep(text, std::move(words));
  return {};
}

Result<void> SparseJob::add_query(uint32_t text) {
  AMBRY_TRY(const text::Encoding encoding, encode(text));
  const std::span<const float> fixed = runtime_->encoder.query_weights();
  std::vector<Word> words;
  for (const uint32_t id : encoding.ids) {
    const float weight = id < fixed.size() ? fixed[id] : 0;
    AMBRY_RETURN_IF_ERROR(check(text, {&weight, 1}));
    const bool is_new = std::ranges::find(words, id, &Word::id) == words.end();
    if (weight != 0 && is_new) words.push_back({id, weight});
  }
  keep(text, std::move(words));
  return {};
}

void SparseJob::add_weights(uint32_t text, std::span<const float> by_id) {
  std::vector<Word> words;
  for (uint32_t id = 0; id < by_id.size(); ++id) {
    if (by_id[id] > 0) words.push_back({id, by_id[id]});
  }
  keep(text, std::move(words));
}

void SparseJob::keep(uint32_t text, std::vector<Word> words) {
  sort_items(words, [](const Word& a, const Word& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
  });
  if (words.size() > settings_.most) words.resize(settings_.most);
  words.shrink_to_fit();
  words_[text] = std::move(words);
}

std::string SparseJob::words() const {
  io::Json list = io::Json::array();
  for (const uint32_t id : ids_) list.append(runtime_->tokenizer->token(id));
  return list.dump();
}

// Puts the words of all texts one after another.
void SparseJob::join() {
  for (const std::vector<Word>& words : words_) {
    counts_.push_back(static_cast<uint32_t>(words.size()));
    for (const Word& word : words) {
      ids_.push_back(word.id);
      weights_.push_back(word.weight);
    }
  }
  words_.clear();
}

}  // namespace ambry::api
