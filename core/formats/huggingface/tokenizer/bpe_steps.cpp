#include "formats/huggingface/tokenizer/bpe_steps.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "model/metadata/metadata_value.h"
#include "model/tokenizer/deepseek_classes.h"
#include "model/tokenizer/files/split_patterns.h"

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr const char* kNormalizer = "tokenizer.json.normalizer";
constexpr const char* kPreTokenizer = "tokenizer.json.pre_tokenizer";
constexpr const char* kDecoder = "tokenizer.json.decoder";
constexpr const char* kModel = "tokenizer.json.model";

std::string_view text_of(const Json& part, std::string_view key) {
  return model::metadata_text(part, key).value_or("");
}

std::string_view pattern_of(const Json& part, std::string_view kind) {
  const Json* pattern = part.find("pattern");
  return pattern != nullptr && pattern->is_object() ? text_of(*pattern, kind) : "";
}

Failure refuse(const Json& part, const char* path, std::string_view where) {
  return error_at(ErrorCode::Unsupported, part.byte_offset(), path,
                  {type_of(&part).empty() ? "a component without a type" : type_of(&part),
                   " with these settings is not supported ", where});
}

// Returns the component, or the parts of a Sequence. A Sequence in a Sequence is one part.
std::vector<const Json*> parts_of(const Json& root, std::string_view component) {
  const Json* part = root.find(component);
  if (part == nullptr || part->is_null()) return {};
  const Json* list = part->find(component == "normalizer" ? "normalizers"
                                : component == "decoder"  ? "decoders"
                                                          : "pretokenizers");
  if (type_of(part) != "Sequence" || list == nullptr || !list->is_array()) return {part};
  std::vector<const Json*> parts;
  for (const Json& item : list->items()) parts.push_back(&item);
  return parts;
}

constexpr std::string_view kDeepseek3 =
    "[!\"#$%&'()*+,\\-./"
    ":;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+";
constexpr std::string_view kClip =
    R"re(<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)re";
// The library's own file leaves out the special tokens, which are added tokens.
constexpr std::string_view kClipPlain = kClip.substr(kClip.find('\''));

struct KnownClass {
  std::string_view before;  // what the expression has before the class
  std::u32string_view ranges;
  std::string_view name;
};
constexpr std::array<KnownClass, 4> kClasses = {
    {{"\\s?", model::kDeepseekLetters, "deepseek_letters"},
     {"\\s?", model::kDeepseekPunctuation, "deepseek_punctuation"},
     {"", model::kDeepseekCjk, "deepseek_cjk"},
     {"", model::kDeepseek3Cjk, "deepseek3_cjk"}}};

std::string expression_of(const KnownClass& known) {
  std::string regex = concat({known.before, "["});
  for (const char32_t c : known.ranges) append_utf8(regex, c);
  return regex + "]+";
}

// AMB's name of an expression. When it covers every text, isolating its matches and keeping only
// them give the same.
std::optional<std::string_view> split_name(const Json& part) {
  const std::string_view regex = pattern_of(part, "Regex");
  const bool kept = has_flag(part, "invert", false) && text_of(part, "behavior") == "Removed";
  const bool isolated = !has_flag(part, "invert", false) && text_of(part, "behavior") == "Isolated";
  if (kept && (regex == kClip || regex == kClipPlain)) return "clip";
  const model::SplitPattern* known = model::find_split_pattern(regex);
  if (known != nullptr && (isolated || (kept && known->covers))) return known->name;
  if (!isolated) return std::nullopt;
  if (regex == kDeepseek3) return "deepseek3";
  for (const KnownClass& each : kClasses) {
    if (regex == expression_of(each)) return each.name;
  }
  return std::nullopt;
}

// AMB's name for a step. Returns nothing for an unknown step. After `spelled`, texts are in GPT-2's
// byte alphabet.
std::optional<std::string_view> step_name(const Json& part, bool spelled) {
  const std::string_view type = type_of(&part);
  if (type == "Split") {
    const bool isolated =
        !has_flag(part, "invert", false) && text_of(part, "behavior") == "Isolated";
    if (isolated && pattern_of(part, "Regex") == "[0-9][0-9][0-9]") return "three_digits";
    return spelled ? std::nullopt : split_name(part);
  }
  if (type == "Digits") {
    const bool each = has_flag(part, "individual_digits", false);
    if (spelled) return each ? std::nullopt : std::optional("spelled_digit_runs");
    return each ? "digits" : "digit_runs";
  }
  if (type == "Punctuation" && !spelled) {
    const auto behavior = model::metadata_text(part, "behavior").value_or("Isolated");
    if (behavior == "Contiguous") return "punctuation_runs";
    if (behavior == "Isolated") return "punctuation";
  }
  return std::nullopt;
}

std::optional<std::string_view> change_name(const Json& part) {
  const std::string_view type = type_of(&part);
  if (type == "NFC") return "nfc";
  if (type == "NFD") return "nfd";
  if (type == "NFKC") return "nfkc";
  if (type == "NFKD") return "nfkd";
  if (type == "Lowercase") return "lowercase";
  if (type == "Replace" && pattern_of(part, "Regex") == "\\s+" && text_of(part, "content") == " ")
    return "collapse_spaces";
  return std::nullopt;
}

void join(std::string& names, std::string_view name) {
  if (!names.empty()) names += '+';
  names += name;
}

constexpr std::string_view kFalconsSteps = "punctuation_runs+gpt2+spelled_digit_runs+three_digits";

Result<ByteLevelSteps> read_words(const Json& root) {
  ByteLevelSteps steps;
  bool spelled = false;
  for (const Json* part : parts_of(root, "pre_tokenizer")) {
    if (type_of(part) != "ByteLevel") {
      const auto name = step_name(*part, spelled);
      if (!name) return refuse(*part, kPreTokenizer, "beside ByteLevel");
      join(steps.pretokenizer, *name);
      continue;
    }
    // The space would be added before each part of the text.
    steps.add_prefix_space = has_flag(*part, "add_prefix_space", true);
    const bool spaces = !steps.pretokenizer.empty() && steps.add_prefix_space;
    if (spelled || spaces) return refuse(*part, kPreTokenizer, "after other steps");
    spelled = true;
    if (has_flag(*part, "use_regex", true)) join(steps.pretokenizer, "gpt2");
  }
  if (steps.pretokenizer.empty()) steps.pretokenizer = "none";
  if (steps.pretokenizer == kFalconsSteps) steps.pretokenizer = "falcon";
  return steps;
}

// Whether the decoder is one of these lists of types, with the settings that all files have.
Result<void> check_piece_decoder(const Json& root, bool dummy_prefix) {
  const std::vector<const Json*> parts = parts_of(root, "decoder");
  const Json none;
  const Json& first = parts.empty() ? none : *parts.front();
  const auto is_mark = [](const Json& part) {
    return type_of(&part) == "Replace" && pattern_of(part, "String") == kSpaceMark &&
           text_of(part, "content") == " ";
  };
  const auto number = [](const Json& part, const char* key) {
    const Json* value = part.find(key);
    return value != nullptr && value->is_uint() ? value->uint() : UINT64_MAX;
  };
  const bool usual = parts.size() >= 3 && is_mark(*parts[0]) &&
                     type_of(parts[1]) == "ByteFallback" && type_of(parts[2]) == "Fuse";
  const bool strips = usual && parts.size() == 4 && type_of(parts[3]) == "Strip" &&
                      text_of(*parts[3], "content") == " " && number(*parts[3], "start") == 1 &&
                      number(*parts[3], "stop") == 0;
  if (dummy_prefix ? strips : usual && parts.size() == 3) return {};
  return refuse(first, kDecoder, "after BPE over pieces");
}

Result<PieceStyle> read_marks(const Json& root) {
  PieceStyle style;
  bool marks = false;
  for (const Json* part : parts_of(root, "normalizer")) {
    const bool prepends = !marks && type_of(part) == "Prepend" && !style.dummy_prefix &&
                          text_of(*part, "prepend") == kSpaceMark;
    const bool replaces = !marks && type_of(part) == "Replace" &&
                          text_of(*part, "content") == kSpaceMark &&
                          pattern_of(*part, "String") == " ";
    if (!prepends && !replaces) return refuse(*part, kNormalizer, "before BPE over pieces");
    style.dummy_prefix |= prepends;
    marks |= replaces;
  }
  // Without a prefix, all segments are alike, and the rules are still Hugging Face's.
  style.legacy = true;
  if (marks || style.dummy_prefix) {
    if (!marks) return refuse(*root.find("normalizer"), kNormalizer, "without Replace");
    style.by_normalizer = true;
    for (const Json* part : parts_of(root, "pre_tokenizer")) {
      // There are no spaces any more.
      const bool idle = type_of(part) == "Split" && pattern_of(*part, "String") == " " &&
                        !has_flag(*part, "invert", false);
      if (!idle) return refuse(*part, kPreTokenizer, "after marked spaces");
    }
    return style;
  }
  const std::vector<const Json*> parts = parts_of(root, "pre_tokenizer");
  if (parts.size() != 1 || type_of(parts[0]) != "Metaspace" ||
      model::metadata_text(*parts[0], "replacement").value_or(kSpaceMark) != kSpaceMark) {
    if (!parts.empty()) return refuse(*parts[0], kPreTokenizer, "before BPE over pieces");
    return error_at(ErrorCode::Unsupported, root.byte_offset(), kPreTokenizer,
                    "BPE without ByteLevel or Metaspace is not supported");
  }
  const bool adds = has_flag(*parts[0], "add_prefix_space", true);
  const auto scheme =
      model::metadata_text(*parts[0], "prepend_scheme").value_or(adds ? "always" : "never");
  if (scheme != "first" && scheme != "never") {
    return error_at(ErrorCode::Unsupported, parts[0]->byte_offset(), kPreTokenizer,
                    {"Metaspace with the prepend_scheme ", scheme, " is not supported before BPE"});
  }
  style.dummy_prefix = scheme == "first";
  if (style.dummy_prefix) style.legacy = false;
  style.splits = has_flag(*parts[0], "split", true);
  return style;
}

}  // namespace

std::string_view type_of(const Json* part) {
  if (part == nullptr || !part->is_object()) return {};
  const Json* type = part->find("type");
  return type != nullptr && type->is_string() ? std::string_view(type->string())
                                              : std::string_view();
}

bool has_flag(const Json& part, std::string_view key, bool fallback) {
  const Json* value = part.find(key);
  return value != nullptr && value->is_bool() ? value->boolean() : fallback;
}

bool has_byte_level(const Json& root) {
  return std::ranges::any_of(parts_of(root, "pre_tokenizer"),
                             [](const Json* part) { return type_of(part) == "ByteLevel"; });
}

Result<void> check_bpe_options(const Json& bpe) {
  const auto refused = [&](std::string_view key, std::string_view message) -> Result<void> {
    return error_at(ErrorCode::Unsupported, bpe.byte_offset(), concat({kModel, ".", key}),
                    {message});
  };
  const Json* dropout = bpe.find("dropout");
  if (dropout != nullptr && dropout->is_number() && dropout->number() > 0)
    return refused("dropout", "random merges are not supported");
  if (!text_of(bpe, "continuing_subword_prefix").empty())
    return refused("continuing_subword_prefix", "a prefix within words is not supported");
  return {};
}

Result<ByteLevelSteps> read_byte_level(const Json& root, bool decodes) {
  AMBRY_TRY(ByteLevelSteps steps, read_words(root));
  std::string changes;
  for (const Json* part : parts_of(root, "normalizer")) {
    const auto name = change_name(*part);
    if (!name) return refuse(*part, kNormalizer, "before ByteLevel");
    join(changes, *name);
  }
  if (!changes.empty()) steps.normalizer = changes;
  if (steps.pretokenizer == "gpt2" && changes == "nfc") steps.pretokenizer = "gptneox";
  const Json* decoder = root.find("decoder");
  if (decodes && type_of(decoder) != "ByteLevel") {
    return refuse(decoder != nullptr ? *decoder : root, kDecoder, "after ByteLevel");
  }
  const Json& bpe = *root.find("model");
  if (has_flag(bpe, "byte_fallback", false) && !text_of(bpe, "end_of_word_suffix").empty()) {
    return error_at(ErrorCode::Unsupported, bpe.byte_offset(), kModel,
                    "byte_fallback together with end_of_word_suffix is not supported");
  }
  return steps;
}

Result<PieceStyle> read_piece_style(const Json& root, bool decodes) {
  AMBRY_TRY(PieceStyle style, read_marks(root));
  const Json& bpe = *root.find("model");
  if (!text_of(bpe, "end_of_word_suffix").empty() || has_flag(bpe, "ignore_merges", false)) {
    return error_at(ErrorCode::Unsupported, bpe.byte_offset(), kModel,
                    "ignore_merges and end_of_word_suffix are supported with ByteLevel only");
  }
  if (decodes) AMBRY_RETURN_IF_ERROR(check_piece_decoder(root, style.dummy_prefix));
  return style;
}

}  // namespace ambry::formats::huggingface
