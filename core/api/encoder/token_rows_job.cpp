#include "api/encoder/token_rows_job.h"

#include <algorithm>
#include <utility>

#include "api/call/options.h"
#include "infer/check_outputs.h"

namespace ambry::api {
namespace {

// Characters of UTF-8.
size_t length_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

text::Encoding encode_plain(const text::Tokenizer& tokenizer, std::string_view text) {
  return tokenizer.encode(text, {.add_special = false, .max_length = {}});
}

}  // namespace

Result<TokenRowsJob> TokenRowsJob::begin(const EncoderModel& model, std::string_view options) {
  const EncoderRuntime& runtime = *model.runtime();
  const model::HeadConfig* head = runtime.config.token_head();
  if (head == nullptr || head->task == model::HeadTask::Sparse) {
    return make_error(ErrorCode::Unsupported, "model",
                      "this encoder has no head for the tokens of a text");
  }
  const uint32_t longest = std::min(runtime.config.max_seq_length, runtime.encoder.max_positions());
  AMBRY_TRY(const io::Json json, io::parse_json(options, 0, "options"));
  Settings settings;
  AMBRY_TRY(settings.list, read_text(json, "list", "texts"));
  AMBRY_TRY(const std::string rows, read_text(json, "rows", "all"));
  if (rows != "all" && rows != "masks") {
    return bad_option("rows", {"must be all or masks, not ", rows});
  }
  settings.masks_only = rows == "masks";
  constexpr uint64_t kAbsent = UINT64_MAX;
  AMBRY_TRY(const uint64_t overlap, read_count(json, "overlap", kAbsent));
  if (overlap != kAbsent) settings.overlap = overlap;
  AMBRY_TRY(const uint64_t window, read_count(json, "window", longest));
  if (window > longest) {
    return make_error(ErrorCode::LimitExceeded, "options.window",
                      {"a window of ", window, " tokens, but the model takes at most ", longest});
  }
  settings.window = static_cast<size_t>(window);
  return TokenRowsJob(model, std::move(settings));
}

TokenRowsJob::TokenRowsJob(const EncoderModel& model, Settings settings)
    : runtime_(model.runtime()),
      settings_(std::move(settings)),
      n_outputs_(runtime_->config.head_outputs()),
      unknown_(model.model().tokenizer->unk_id),
      is_word_piece_(model.model().tokenizer->kind == model::TokenizerKind::WordPiece) {}

Result<void> TokenRowsJob::start() {
  for (size_t input = 0; input < texts().size(); ++input) AMBRY_RETURN_IF_ERROR(cut(input));
  uint64_t n_rows = 0;
  for (const uint32_t count : row_counts_) {
    first_row_.push_back(static_cast<size_t>(n_rows));
    n_rows += count;
  }
  AMBRY_TRY(rows_, AlignedBuffer::allocate(n_rows * n_outputs_ * sizeof(float)));
  tokens_.plan();
  return {};
}

Result<const text::TokenTemplate*> TokenRowsJob::template_for(bool pair) {
  std::optional<text::TokenTemplate>& kept = templates_[pair ? 1 : 0];
  if (!kept) {
    AMBRY_TRY(text::TokenTemplate made, text::TokenTemplate::of(*runtime_->tokenizer, pair));
    kept = std::move(made);
  }
  return &*kept;
}

// The tokens of a text that two windows of `room` tokens have in common.
Result<size_t> TokenRowsJob::overlap_of(size_t room) const {
  if (!settings_.overlap) return room / 4;
  if (*settings_.overlap < room) return static_cast<size_t>(*settings_.overlap);
  return bad_option("overlap", {"must be below the ", room, " tokens of the text in a window, not ",
                                *settings_.overlap});
}

// Cuts an input into windows. The first text of a pair is part of each.
Result<void> TokenRowsJob::cut(size_t input) {
  const std::string* const context = second(input);
  const bool pair = context != nullptr;
  AMBRY_TRY(const text::TokenTemplate* around, template_for(pair));
  text::Encoding first;
  if (pair) first = encode_plain(*runtime_->tokenizer, texts()[input]);
  const text::Encoding last = encode_plain(*runtime_->tokenizer, pair ? *context : texts()[input]);
  const size_t taken = around->n_added() + first.ids.size();
  if (taken >= settings_.window) {
    return make_error(ErrorCode::LimitExceeded, {settings_.list, "[", input, "]"},
                      {"what stands before the text has ", taken, " tokens, and a window has ",
                       settings_.window, ", which leaves no room for the text"});
  }
  const size_t room = settings_.window - taken;
  AMBRY_TRY(const size_t overlap, overlap_of(room));
  text::Encoding window;
  for (size_t begin = 0;; begin += room - overlap) {
    const size_t end = std::min(begin + room, last.ids.size());
    const auto places = around->put_around(pair ? &first : nullptr, last, begin, end, window);
    add_window(input, window, places);
    if (end == last.ids.size()) return {};
  }
}

void TokenRowsJob::add_window(size_t input, const text::Encoding& encoding,
                              const text::TokenTemplate::Places& places) {
  const std::string_view first = texts()[input];
  const std::string* const context = second(input);
  first_token_.push_back(window_tokens_.size());
  uint32_t n_masks = 0;
  for (size_t i = 0; i < encoding.ids.size(); ++i) {
    const uint32_t id = encoding.ids[i];
    const text::TextSpan& span = encoding.spans[i];
    WindowToken token{id, span.begin.utf16, span.end.utf16, 0};
    if (i >= places.first && i < places.first_end) {
      token.flags = flags_of(id, span, first);
    } else if (i >= places.second && i < places.second_end) {
      token.flags = flags_of(id, span, *context) | WindowToken::Second;
    } else {
      token.flags = WindowToken::Special;
    }
    if ((token.flags & WindowToken::Mask) != 0) ++n_masks;
    window_tokens_.push_back(token);
  }
  const auto n_tokens = static_cast<uint32_t>(encoding.ids.size());
  window_inputs_.push_back(static_cast<uint32_t>(input));
  window_lengths_.push_back(n_tokens);
  row_counts_.push_back(settings_.masks_only ? n_masks : n_tokens);
  // A model that does not tell the texts apart takes no types, whatever its tokenizer says.
  tokens_.add(encoding, runtime_->encoder.token_types() > 1);
}

// Subword by the rule of Transformers' pipeline for token classification.
uint32_t TokenRowsJob::flags_of(uint32_t id, const text::TextSpan& span,
                                std::string_view text) const {
  const model::HeadConfig& head = *runtime_->config.head;
  if (head.task == model::HeadTask::FillMask && id == head.mask_id) return WindowToken::Mask;
  if (unknown_ == id) return 0;
  const size_t begin = span.begin.byte;
  const std::string_view spelled = text.substr(begin, span.end.byte - begin);
  // The part of a word has more characters in the vocabulary, which are those of its prefix.
  bool goes_on = false;
  if (is_word_piece_) {
    goes_on = length_of(runtime_->tokenizer->token(id)) != length_of(spelled);
  } else {
    const bool space_at = !spelled.empty() && spelled.front() == ' ';
    const bool space_before = begin > 0 && text[begin - 1] == ' ';
    goes_on = begin > 0 && !space_before && !space_at;
  }
  return goes_on ? WindowToken::Subword : 0;
}

Result<bool> TokenRowsJob::step() {
  return tokens_.step(runtime_->encoder, false,
                      [this](uint32_t window, std::span<const float> hidden) {
                        return write_rows(window, hidden);
                      });
}

size_t TokenRowsJob::done_texts() const {
  if (tokens_.size() == 0) return texts().size();
  return tokens_.done_texts() * texts().size() / tokens_.size();
}

Result<void> TokenRowsJob::write_rows(uint32_t window, std::span<const float> hidden) {
  const size_t width = runtime_->encoder.hidden_size();
  std::vector<float> kept;
  if (settings_.masks_only) {
    for (size_t i = 0; i < window_lengths_[window]; ++i) {
      if ((window_tokens_[first_token_[window] + i].flags & WindowToken::Mask) == 0) continue;
      const std::span<const float> row = hidden.subspan(i * width, width);
      kept.insert(kept.end(), row.begin(), row.end());
    }
    hidden = kept;
  }
  if (hidden.empty()) return {};
  AMBRY_TRY(const AlignedBuffer made, runtime_->encoder.token_logits(hidden));
  const std::span<const float> logits = made.as<float>();
  AMBRY_RETURN_IF_ERROR(
      infer::check_outputs(logits, {settings_.list, "[", window_inputs_[window], "]"}));
  std::ranges::copy(logits, rows_.as<float>().subspan(first_row_[window] * n_outputs_).begin());
  return {};
}

}  // namespace ambry::api
