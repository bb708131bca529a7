#include "model/tokenizer/end_tokens.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ambry::model {
namespace {

// Ends of turns, messages and texts, and what follows a file in models that fill in code.
constexpr auto kEndTexts = std::to_array<std::string_view>(
    {"<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|calls|>", "<|flush|>",
     "<end_of_turn>", "<turn|>", "<|tool_response>", "<|endoftext|>", "<|end_of_text|>",
     // DeepSeek's <|end_of_sentence|> with U+FF5C and U+2581
     "<\xEF\xBD\x9C"
     "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>",
     "</s>", "<eos>", "[EOS]", "<|eom_id|>", "<EOT>", "_<EOT>", "\xE2\x96\x81<EOT>", "[EOT]",
     "[e~[", "<end_of_utterance>", "<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]",
     "<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>", "<|file_sep|>"});
constexpr size_t kNone = kEndTexts.size();

constexpr size_t index_of(std::string_view text) {
  size_t i = 0;
  while (i < kNone && kEndTexts[i] != text) ++i;
  return i;
}

// The types of tokens that are no part of ordinary texts, in SentencePiece's numbering.
constexpr uint8_t kControl = 3;
constexpr uint8_t kUserDefined = 4;

// The id of each text. A repeated text belongs to its last id.
using Known = std::array<std::optional<uint32_t>, kNone>;

Known known_ends(const TokenizerData& data, const std::vector<AddedToken>& added) {
  Known known;
  const auto note = [&](std::string_view text, uint32_t id) {
    if (const size_t i = index_of(text); i != kNone) known[i] = id;
  };
  const size_t n_typed = std::min(data.types.size(), data.vocabulary.size());
  for (size_t i = 0; i < n_typed; ++i) {
    if (data.types[i] != kControl && data.types[i] != kUserDefined) continue;
    note(data.vocabulary[i], data.ids.empty() ? static_cast<uint32_t>(i) : data.ids[i]);
  }
  for (const AddedToken& token : added) note(token.content, token.id);
  return known;
}

// Models with channels end a message with <|end|> and go on. Models with <|tool_response> have a
// </s> that ends nothing.
void leave_out_inner_ends(Known& known) {
  const auto has = [&](std::string_view text) { return known[index_of(text)].has_value(); };
  const bool channels = (has("<|return|>") && (has("<|call|>") || has("<|calls|>"))) ||
                        (has("<|flush|>") && (has("<|call|>") || has("<|calls|>")));
  if (channels) known[index_of("<|end|>")].reset();
  if (has("<|tool_response>")) known[index_of("</s>")].reset();
}

void add_once(uint32_t id, std::vector<uint32_t>& ids) {
  if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
}

}  // namespace

bool is_end_text(std::string_view text) { return index_of(text) != kNone; }

bool is_end_of_any_type(std::string_view text) { return is_end_text(text) && text != "</s>"; }

std::vector<uint32_t> stated_ends(const TokenizerData& data) {
  if (!data.eos_ids.empty() || !data.eos_id) return data.eos_ids;
  return {*data.eos_id};
}

std::vector<uint32_t> ends_by_text(const TokenizerData& data,
                                   const std::vector<AddedToken>& added) {
  Known known = known_ends(data, added);
  leave_out_inner_ends(known);
  std::vector<uint32_t> ids;
  for (const auto& id : known) {
    if (id) ids.push_back(*id);
  }
  return ids;
}

std::vector<uint32_t> end_ids(const TokenizerData& data, const std::vector<AddedToken>& added) {
  std::vector<uint32_t> ids = stated_ends(data);
  for (const uint32_t id : ends_by_text(data, added)) add_once(id, ids);
  return ids;
}

std::vector<uint32_t> end_ids(const TokenizerData& data) {
  return end_ids(data, data.added_tokens);
}

void set_stated_ends(const std::vector<uint32_t>& ids, TokenizerData& data) {
  std::vector<uint32_t> ends;
  if (data.eos_id) ends.push_back(*data.eos_id);
  for (const uint32_t id : ids) add_once(id, ends);
  data.eos_ids.clear();
  if (ends.size() > 1 || !data.eos_id) data.eos_ids = std::move(ends);
}

}  // namespace ambry::model
