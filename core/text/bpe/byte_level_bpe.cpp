#include "text/bpe/byte_level_bpe.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "model/tokenizer/bpe/byte_alphabet.h"
#include "model/tokenizer/tokenizer_options.h"
#include "text/bpe/text_changes.h"
#include "text/unicode/letters.h"
#include "text/unicode/utf8_stream.h"

namespace ambry::text {
namespace {

// The word splitters that AMB has names for (core/formats/amb/README.md#tokenizer-options). Other
// combinations are names joined by `+`: "digits+gpt2".
struct NamedSplitters {
  std::string_view name;
  size_t n_splitters;
  std::array<WordSplitter, 4> splitters;
};
constexpr std::array<NamedSplitters, 42> kNamed = {
    {{"gpt2", 1, {split_gpt2}},
     {"llama3", 1, {split_llama3}},
     {"qwen2", 1, {split_qwen2}},
     {"gptneox", 1, {split_gpt2}},
     {"falcon", 4, {split_punctuation_runs, split_gpt2, split_spelled_digits, split_three_digits}},
     {"none", 0, {}},
     {"punctuation_runs", 1, {split_punctuation_runs}},
     {"punctuation", 1, {split_punctuation}},
     {"digit_runs", 1, {split_digit_runs}},
     {"digits", 1, {split_digits}},
     {"spelled_digit_runs", 1, {split_spelled_digits}},
     {"three_digits", 1, {split_three_digits}},
     {"o200k", 1, {split_o200k}},
     {"cl100k", 1, {split_cl100k}},
     {"tekken", 1, {split_tekken}},
     {"qwen35", 1, {split_qwen35}},
     {"seed_coder", 1, {split_seed_coder}},
     {"ufakzeka", 1, {split_ufakzeka}},
     {"line_feed_runs", 1, {split_line_feed_runs}},
     {"bloom", 1, {split_bloom}},
     {"clip", 1, {split_clip}},
     {"line_ends", 1, {split_line_ends}},
     {"spaced_letters", 1, {split_spaced_letters}},
     {"spaced_punctuation", 1, {split_spaced_punctuation}},
     {"last_spaces", 1, {split_last_spaces}},
     {"three_numbers", 1, {split_three_numbers}},
     {"deepseek_letters", 1, {split_deepseek_letters}},
     {"deepseek_punctuation", 1, {split_deepseek_punctuation}},
     {"deepseek_cjk", 1, {split_deepseek_cjk}},
     {"deepseek3_cjk", 1, {split_deepseek3_cjk}},
     {"deepseek3", 1, {split_deepseek3}},
     {"ggml_default",
      4,
      {split_ggml_punctuation, split_gpt2, split_number_runs, split_three_digits}},
     {"number_runs", 1, {split_number_runs}},
     {"thousands", 1, {split_thousands}},
     {"whole_thousands", 1, {split_whole_thousands}},
     {"number_thousands", 1, {split_number_thousands}},
     {"afmoe_scripts", 1, {split_afmoe_scripts}},
     {"youtu_scripts", 1, {split_youtu_scripts}},
     {"youtu", 1, {split_youtu}},
     {"spark", 1, {split_spark}},
     {"exaone_moe", 1, {split_exaone_moe}},
     {"ggml_punctuation", 1, {split_ggml_punctuation}}}};
// Each splitter is one level of recursion.
constexpr size_t kMaxSplitters = 16;

// Only the white space between CLIP's words is left out.
bool is_left_out(WordSplitter splitter, std::string_view word) {
  return splitter == split_clip &&
         Letters::instance().kind(decode_utf8(word, 0).code_point) == letter_data::kSpace;
}

// Makes text from tokens in GPT-2's byte alphabet. Added tokens may have other characters and then
// stand for themselves.
class ByteLevelDecoder final : public TokenDecoder {
 public:
  ByteLevelDecoder(const Tokenizer& tokenizer, bool skip_special)
      : tokenizer_(tokenizer), skip_special_(skip_special) {}

  void push(uint32_t id, std::string& out) override {
    if (skip_special_ && tokenizer_.is_special(id)) return;
    bytes_.clear();
    model::ByteAlphabet::instance().append_bytes(tokenizer_.token(id), bytes_);
    stream_.push(bytes_, out);
  }
  void finish(std::string& out) override { stream_.finish(out); }

 private:
  const Tokenizer& tokenizer_;
  bool skip_special_;
  Utf8Stream stream_{Utf8Stream::IllFormed::Subpart};
  std::string bytes_;
};

}  // namespace

ByteLevelBpe::ByteLevelBpe(BpeModel model, Settings settings, AddedTokens added,
                           SpecialTokens special_tokens)
    : SegmentTokenizer(std::move(added), std::move(special_tokens)),
      model_(std::move(model)),
      settings_(std::move(settings)) {}

Result<ByteLevelBpe::Settings> ByteLevelBpe::settings_of(const model::TokenizerData& data) {
  Settings settings;
  std::string_view names = data.pretokenizer.empty() ? kNamed[0].name : data.pretokenizer;
  for (bool more = true; more;) {
    const std::string_view name = names.substr(0, names.find('+'));
    more = name.size() < names.size();
    names.remove_prefix(name.size() + (more ? 1 : 0));
    const auto* known = std::ranges::find(kNamed, name, &NamedSplitters::name);
    if (known == kNamed.end() || settings.splitters.size() > kMaxSplitters) {
      return make_error(ErrorCode::Unsupported, "tokenizer.pretokenizer",
                        {"the pre-tokenizer \"", data.pretokenizer, "\" is not supported"});
    }
    settings.splitters.insert(settings.splitters.end(), known->splitters.begin(),
                              known->splitters.begin() + known->n_splitters);
  }
  settings.normalizer = model::text_changes_of(data);
  settings.add_prefix_space = data.add_prefix_space.value_or(false);
  return settings;
}

Result<std::unique_ptr<Tokenizer>> ByteLevelBpe::create(model::TokenizerData data) {
  AMBRY_TRY(Settings settings, settings_of(data));
  BpeOptions options;
  options.ignore_merges = data.ignore_merges;
  options.byte_fallback = data.byte_fallback.value_or(false);
  options.unk = data.unk_id;
  options.fuse_unk = data.fuse_unk.value_or(false);
  options.end_of_word = data.end_of_word_suffix;
  AMBRY_TRY(BpeModel model, BpeModel::create(data, std::move(options)));
  AMBRY_RETURN_IF_ERROR(resolve_ids(data.added_tokens, model.pieces()));
  AMBRY_TRY(SpecialTokens special_tokens, SpecialTokens::of(data));
  std::vector<std::string> contents;
  contents.reserve(data.added_tokens.size());
  for (const model::AddedToken& token : data.added_tokens) {
    contents.push_back(changed(token.content, settings.normalizer).text());
  }
  AddedTokens added(std::move(data.added_tokens), std::move(contents));
  return std::unique_ptr<Tokenizer>(new ByteLevelBpe(std::move(model), std::move(settings),
                                                     std::move(added), std::move(special_tokens)));
}

std::unique_ptr<TokenDecoder> ByteLevelBpe::decoder(bool skip_special) const {
  return std::make_unique<ByteLevelDecoder>(*this, skip_special);
}

std::optional<std::string> ByteLevelBpe::text_bytes(uint32_t id) const {
  if (is_special(id)) return std::nullopt;
  std::string bytes;
  model::ByteAlphabet::instance().append_bytes(token(id), bytes);
  return bytes;
}

std::optional<AlignedText> ByteLevelBpe::normalize(std::string_view text) const {
  if (is_unchanged(text, settings_.normalizer)) return std::nullopt;
  return changed(text, settings_.normalizer);
}

void ByteLevelBpe::encode_segment(std::string_view text, bool /*first*/,
                                  std::vector<SegmentToken>& out) const {
  if (!lock_.try_lock()) {
    Scratch own;
    return encode_spaced(text, own, out);
  }
  scratch_.cache = &cache_;
  encode_spaced(text, scratch_, out);
  lock_.unlock();
}

void ByteLevelBpe::encode_spaced(std::string_view text, Scratch& scratch,
                                 std::vector<SegmentToken>& out) const {
  if (!settings_.add_prefix_space || text.starts_with(' ')) {
    return encode_words(text, 0, text.size(), 0, scratch, out);
  }
  const std::string spaced = std::string(" ").append(text);
  const size_t n_before = out.size();
  encode_words(spaced, 0, spaced.size(), 0, scratch, out);
  for (size_t i = n_before; i < out.size(); ++i) {
    if (out[i].begin > 0) --out[i].begin;
    if (out[i].end > 0) --out[i].end;
  }
}

// The recursion is as deep as there are splitters.
void ByteLevelBpe::encode_words(std::string_view text, size_t begin, size_t end, size_t splitter,
                                Scratch& scratch, std::vector<SegmentToken>& out) const {
  if (splitter == settings_.splitters.size()) {
    return encode_word(text.substr(begin, end - begin), static_cast<uint32_t>(begin), scratch, out);
  }
  const std::string_view part = text.substr(0, end);
  while (begin < end) {
    const WordSplitter split = settings_.splitters[splitter];
    const size_t word_end = split(part, begin);
    if (!is_left_out(split, part.substr(begin, word_end - begin)))
      encode_words(text, begin, word_end, splitter + 1, scratch, out);
    begin = word_end;
  }
}

void ByteLevelBpe::encode_word(std::string_view word, uint32_t begin, Scratch& scratch,
                               std::vector<SegmentToken>& out) const {
  std::span<const model::BpePart> parts;
  if (scratch.cache != nullptr) parts = scratch.cache->find(word);
  if (parts.empty()) {
    scratch.parts.clear();
    model_.encode_bytes(word, scratch.word, scratch.parts);
    if (scratch.cache != nullptr) scratch.cache->store(word, scratch.parts);
    parts = scratch.parts;
  }
  // Bytes of a spelling, which is longer than the word, may become tokens of their own.
  const auto end = static_cast<uint32_t>(begin + word.size());
  for (const model::BpePart& part : parts) {
    const uint32_t part_end = std::min(begin + part.n_bytes, end);
    out.push_back({part.id, begin, part_end});
    begin = part_end;
  }
  if (!parts.empty()) out.back().ends_word = true;
}

}  // namespace ambry::text
