#include "text/bpe/byte_level_bpe.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "text/bpe/byte_alphabet.h"
#include "text/unicode/nfc.h"
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
constexpr std::array<NamedSplitters, 12> kNamed = {
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
     {"three_digits", 1, {split_three_digits}}}};
// Each splitter is one level of recursion.
constexpr size_t kMaxSplitters = 16;

std::string composed(std::string_view text, bool nfc) {
  if (!nfc || Nfc::is_composed(text)) return std::string(text);
  return Nfc::instance().compose(text).text();
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
    ByteAlphabet::instance().append_bytes(tokenizer_.token(id), bytes_);
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
  const bool composes = names == "qwen2" || names == "gptneox";
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
  settings.nfc = data.nfc.value_or(composes);
  settings.add_prefix_space = data.add_prefix_space.value_or(false);
  return settings;
}

Result<std::unique_ptr<Tokenizer>> ByteLevelBpe::create(model::TokenizerData data) {
  AMBRY_TRY(Settings settings, settings_of(data));
  AMBRY_TRY(SpecialTokens special_tokens, SpecialTokens::of(data));
  BpeOptions options;
  options.ignore_merges = data.ignore_merges;
  options.byte_fallback = data.byte_fallback.value_or(false);
  options.unk = data.unk_id;
  options.fuse_unk = data.fuse_unk.value_or(false);
  AMBRY_TRY(BpeModel model, BpeModel::create(data, std::move(options)));
  AMBRY_CHECK(resolve_ids(data.added_tokens, model.pieces()));
  std::vector<std::string> contents;
  contents.reserve(data.added_tokens.size());
  for (const model::AddedToken& token : data.added_tokens) {
    contents.push_back(composed(token.content, settings.nfc));
  }
  AddedTokens added(std::move(data.added_tokens), std::move(contents));
  return std::unique_ptr<Tokenizer>(new ByteLevelBpe(std::move(model), std::move(settings),
                                                     std::move(added), std::move(special_tokens)));
}

std::unique_ptr<TokenDecoder> ByteLevelBpe::decoder(bool skip_special) const {
  return std::make_unique<ByteLevelDecoder>(*this, skip_special);
}

std::optional<AlignedText> ByteLevelBpe::normalize(std::string_view text) const {
  if (!settings_.nfc || Nfc::is_composed(text)) return std::nullopt;
  return Nfc::instance().compose(text);
}

void ByteLevelBpe::encode_segment(std::string_view text, bool /*first*/,
                                  std::vector<SegmentToken>& out) const {
  if (!settings_.add_prefix_space || text.starts_with(' ')) {
    return encode_words(text, 0, text.size(), 0, out);
  }
  const std::string spaced = std::string(" ").append(text);
  const size_t n_before = out.size();
  encode_words(spaced, 0, spaced.size(), 0, out);
  for (size_t i = n_before; i < out.size(); ++i) {
    if (out[i].begin > 0) --out[i].begin;
    if (out[i].end > 0) --out[i].end;
  }
}

// The recursion is as deep as there are splitters.
void ByteLevelBpe::encode_words(std::string_view text, size_t begin, size_t end, size_t splitter,
                                std::vector<SegmentToken>& out) const {
  if (splitter == settings_.splitters.size()) {
    return encode_word(text.substr(begin, end - begin), static_cast<uint32_t>(begin), out);
  }
  const std::string_view part = text.substr(0, end);
  while (begin < end) {
    const size_t word_end = settings_.splitters[splitter](part, begin);
    encode_words(text, begin, word_end, splitter + 1, out);
    begin = word_end;
  }
}

void ByteLevelBpe::encode_word(std::string_view word, uint32_t begin,
                               std::vector<SegmentToken>& out) const {
  std::span<const BpePart> parts = cache_.find(word);
  if (parts.empty()) {
    parts_.clear();
    model_.encode_bytes(word, scratch_, parts_);
    cache_.store(word, parts_);
    parts = parts_;
  }
  for (const BpePart& part : parts) {
    out.push_back({part.id, begin, begin + part.n_bytes});
    begin += part.n_bytes;
  }
}

}  // namespace ambry::text
