#include "model/tokenizer/files/tiktoken_encodings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/concat.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/files/ranked_vocabulary.h"

namespace ambry::model {
namespace {

using io::Json;

// Special tokens stand in the order of their ids. `@5` after one is its id; otherwise it is one
// more than the id before. `{2-5}` stands for a token with each of these numbers.
struct Row {
  std::string_view name;
  uint32_t n_ranks;
  std::string_view pretokenizer;
  std::string_view special;
  std::string_view bos;  // added before texts
  std::string_view eos;
};

// cl100k_base is split as it was when its models were made. Newer versions of tiktoken take white
// space at the end of a text as one word, with its line ends. The first one of several with the
// same ranks is assumed. The facts are those of tiktoken
// (tiktoken_ext/openai_public.py), of Meta (llama3 and llama-models, tokenizer.py) and of Qwen
// (tokenization_qwen.py).
constexpr std::string_view kEnd = "<|endoftext|>";
constexpr std::string_view kMetasBegin = "<|begin_of_text|>";
constexpr std::string_view kMetasEnd = "<|end_of_text|>";
constexpr auto kRows = std::to_array<Row>(
    {{"r50k_base", 50'256, "gpt2", "<|endoftext|>@50256", "", kEnd},
     {"p50k_base", 50'281, "gpt2", "<|endoftext|>@50256", "", kEnd},
     {"p50k_edit", 50'281, "gpt2",
      "<|endoftext|>@50256 <|fim_prefix|>@50281 <|fim_middle|> <|fim_suffix|>", "", kEnd},
     {"cl100k_base", 100'256, "llama3",
      "<|endoftext|>@100257 <|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|endofprompt|>@100276",
      "", kEnd},
     {"o200k_base", 199'998, "o200k", "<|endoftext|>@199999 <|endofprompt|>@200018", "", kEnd},
     {"o200k_harmony", 199'998, "o200k",
      "<|startoftext|>@199998 <|endoftext|> <|reserved_{200000-200001}|> <|return|> <|constrain|> "
      "<|reserved_{200004-200004}|> <|channel|> <|start|> <|end|> <|message|> "
      "<|reserved_{200009-200011}|> <|call|> <|reserved_{200013-200017}|> <|endofprompt|> "
      "<|reserved_{200019-201087}|>",
      "", kEnd},
     {"llama3", 128'000, "llama3",
      "<|begin_of_text|>@128000 <|end_of_text|> <|reserved_special_token_{0-3}|> "
      "<|start_header_id|> <|end_header_id|> <|reserved_special_token_{4-4}|> <|eot_id|> "
      "<|reserved_special_token_{5-250}|>",
      kMetasBegin, kMetasEnd},
     {"llama3.1", 128'000, "llama3",
      "<|begin_of_text|>@128000 <|end_of_text|> <|reserved_special_token_{0-1}|> "
      "<|finetune_right_pad_id|> <|step_id|> <|start_header_id|> <|end_header_id|> <|eom_id|> "
      "<|eot_id|> <|python_tag|> <|image|> <|reserved_special_token_{2-245}|>",
      kMetasBegin, kMetasEnd},
     {"llama4", 200'000, "o200k",
      "<|begin_of_text|>@200000 <|end_of_text|> <|fim_prefix|> <|fim_middle|> <|fim_suffix|> "
      "<|header_start|> <|header_end|> <|eom|> <|eot|> <|step|> "
      "<|text_post_train_reserved_special_token_{0-5}|> <|python_start|> <|python_end|> "
      "<|finetune_right_pad|> <|text_post_train_reserved_special_token_{8-68}|> <|image_start|> "
      "<|image_end|> <|vision_reserved_special_token_{0-1}|> <|tile_x_separator|> "
      "<|tile_y_separator|> <|vision_reserved_special_token_{2-5}|> <|image|> "
      "<|vision_reserved_special_token_{6-6}|> <|patch|> "
      "<|vision_reserved_special_token_{7-1047}|> <|reasoning_reserved_special_token_{0-7}|> "
      "<|reasoning_thinking_start|> <|reasoning_thinking_end|> <|reserved_special_token_{0-903}|>",
      kMetasBegin, kMetasEnd},
     {"qwen", 151'643, "qwen2", "<|endoftext|>@151643 <|im_start|> <|im_end|> <|extra_{0-204}|>",
      "", kEnd}});

uint32_t number_in(std::string_view digits) {
  uint32_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// Takes the text up to `end` off the front, and `end` itself.
std::string_view take_until(std::string_view& text, char end) {
  const size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

std::vector<AddedToken> special_tokens(std::string_view list) {
  std::vector<AddedToken> tokens;
  uint32_t id = 0;
  while (!list.empty()) {
    std::string_view id_text = take_until(list, ' ');
    std::string_view numbers = take_until(id_text, '@');
    if (!id_text.empty()) id = number_in(id_text);
    const bool repeats = numbers.find('{') != std::string_view::npos;
    const std::string_view before = take_until(numbers, '{');
    uint32_t number = number_in(take_until(numbers, '-'));
    const uint32_t last = repeats ? number_in(take_until(numbers, '}')) : number;
    for (; number <= last; ++number) {
      AddedToken& token = tokens.emplace_back();
      token.id = id++;
      token.content = repeats ? concat({before, number, numbers}) : std::string(before);
    }
  }
  return tokens;
}

TiktokenEncoding made_of(const Row& row) {
  TiktokenEncoding encoding;
  encoding.name = row.name;
  encoding.n_ranks = row.n_ranks;
  encoding.pretokenizer = row.pretokenizer;
  encoding.special = special_tokens(row.special);
  for (const AddedToken& token : encoding.special) {
    if (token.content == row.bos) encoding.bos_id = token.id;
    if (token.content == row.eos) encoding.eos_id = token.id;
  }
  return encoding;
}

std::string names() { return comma_list(kRows, &Row::name); }

Result<std::vector<AddedToken>> read_special(const Json& map, std::string_view path) {
  if (!map.is_object()) {
    return make_error(ErrorCode::BadValue, path, "must be an object of texts and their ids");
  }
  std::vector<AddedToken> tokens;
  for (const auto& [content, id] : map.members()) {
    if (content.empty() || !id.is_uint() || id.uint() >= 2 * uint64_t{kMaxRankedTokens}) {
      return make_error(ErrorCode::BadValue, {path, ".", content},
                        "must be a text that is not empty, with an integer of at least 0 as id");
    }
    AddedToken& token = tokens.emplace_back();
    token.content = content;
    token.id = static_cast<uint32_t>(id.uint());
  }
  return tokens;
}

Result<TiktokenEncoding> read_described(const Json& given, std::string_view path) {
  for (const auto& [key, value] : given.members()) {
    if (key == "pattern" || key == "specialTokens") continue;
    return make_error(ErrorCode::BadValue, {path, ".", key},
                      "is no part of an encoding; the parts are pattern and specialTokens");
  }
  const auto regex = metadata_text(given, "pattern");
  const std::string_view pretokenizer = split_name(regex.value_or(""));
  if (pretokenizer.empty()) {
    return make_error(ErrorCode::Unsupported, {path, ".pattern"},
                      {"must be the expression of a known encoding, as tiktoken writes it; those "
                       "of ",
                       names(), " and of tekken are known"});
  }
  TiktokenEncoding encoding;
  encoding.pretokenizer = pretokenizer;
  if (const Json* special = given.find("specialTokens")) {
    AMBRY_TRY(encoding.special, read_special(*special, concat({path, ".specialTokens"})));
  }
  return encoding;
}

}  // namespace

Result<TiktokenEncoding> read_tiktoken_encoding(const Json& given, std::string_view path) {
  if (given.is_object()) return read_described(given, path);
  const std::string_view name = given.is_string() ? std::string_view(given.string()) : "";
  const auto* row = std::ranges::find(kRows, name, &Row::name);
  if (row != kRows.end()) return made_of(*row);
  return make_error(ErrorCode::BadValue, path,
                    {"must be one of ", names(), ", or an object of pattern and specialTokens"});
}

Result<TiktokenEncoding> tiktoken_encoding_of(uint32_t n_ranks) {
  const auto* row = std::ranges::find(kRows, n_ranks, &Row::n_ranks);
  if (row == kRows.end()) {
    return make_error(ErrorCode::Unsupported, "encoding",
                      {"the ranks of this tiktoken vocabulary end at ", n_ranks - 1,
                       ", as those of no known encoding, and it does not say how it splits texts; "
                       "the option encoding says it: an object of pattern and specialTokens. "
                       "Known are ",
                       names()});
  }
  TiktokenEncoding encoding = made_of(*row);
  for (const Row& other : kRows) {
    if (other.n_ranks != n_ranks || other.name == row->name) continue;
    encoding.others = other.name;
  }
  return encoding;
}

}  // namespace ambry::model
