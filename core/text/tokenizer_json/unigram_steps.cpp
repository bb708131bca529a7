#include "text/tokenizer_json/unigram_steps.h"

#include <optional>
#include <utility>

#include "base/utf8.h"
#include "model/metadata/metadata_value.h"
#include "text/bpe/text_changes.h"
#include "text/sentencepiece/sentencepiece_normalizer.h"
#include "text/unicode/graphemes.h"
#include "text/unicode/marks.h"
#include "text/unicode/unicode.h"

namespace ambry::text {
namespace {

using io::Json;

constexpr const char* kNormalizerPath = "tokenizer.json.normalizer";
constexpr const char* kPreTokenizerPath = "tokenizer.json.pre_tokenizer";

std::string_view json_type(const Json& part) {
  return model::metadata_text(part, "type").value_or("null");
}

bool json_flag(const Json& part, std::string_view key, bool fallback) {
  const Json* value = part.find(key);
  return value != nullptr && value->is_bool() ? value->boolean() : fallback;
}

Failure unknown_step(const Json& step, const char* path) {
  return error_at(ErrorCode::Unsupported, step.byte_offset(), path,
                  {"the step ", json_type(step), " is not supported before a Unigram model"});
}

// Returns the step itself, or the steps of a Sequence.
std::vector<const Json*> steps_of(const Json* part, std::string_view list) {
  if (part == nullptr || part->is_null()) return {};
  const Json* items = json_type(*part) == "Sequence" ? part->find(list) : nullptr;
  if (items == nullptr || !items->is_array()) return {part};
  std::vector<const Json*> steps;
  for (const Json& item : items->items()) steps.push_back(&item);
  return steps;
}

bool is_space_at(std::string_view text, size_t at) {
  const char32_t c = decode_utf8(text, at).code_point;
  return (Unicode::instance().flags(c) & char_flags::kWhiteSpace) != 0;
}

// Copies the characters [begin, end) of `from`, each with its origin.
void copy(const AlignedText& from, size_t begin, size_t end, AlignedText& to) {
  const std::string_view text = from.text();
  for (size_t at = begin; at < end;) {
    const size_t next = at + decode_utf8(text, at).n_bytes;
    to.append(text.substr(at, next - at), from.origin(at, next));
    at = next;
  }
}

// Finds the next `wanted`, or the next run of two or more spaces when `wanted` is empty.
size_t find_run(std::string_view text, size_t from, std::string_view wanted, size_t& end) {
  const size_t at = text.find(wanted.empty() ? "  " : wanted, from);
  if (at == std::string_view::npos) return at;
  end = at + wanted.size();
  if (wanted.empty()) end = std::min(text.find_first_not_of(' ', at), text.size());
  return at;
}

AlignedText replace(const AlignedText& from, std::string_view wanted, std::string_view by) {
  AlignedText to;
  const std::string_view text = from.text();
  size_t done = 0;
  size_t end = 0;
  for (size_t at = 0; (at = find_run(text, done, wanted, end)) != std::string_view::npos;) {
    copy(from, done, at, to);
    to.append(by, from.origin(at, end));
    done = end;
  }
  copy(from, done, text.size(), to);
  return to;
}

AlignedText strip(const AlignedText& from, bool left, bool right) {
  const std::string_view text = from.text();
  size_t begin = 0;
  size_t end = 0;  // after the last character that is not a space
  for (size_t at = 0; at < text.size();) {
    const size_t next = at + decode_utf8(text, at).n_bytes;
    if (!is_space_at(text, at)) end = next;
    if (end == 0) begin = next;
    at = next;
  }
  AlignedText to;
  copy(from, left ? begin : 0, right ? std::max(end, left ? begin : 0) : text.size(), to);
  return to;
}

// Drops all combining marks.
AlignedText strip_accents(const AlignedText& from) {
  AlignedText to;
  const std::string_view text = from.text();
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint c = decode_utf8(text, at);
    const size_t next = at + c.n_bytes;
    if (!is_combining_mark(c.code_point)) {
      to.append(text.substr(at, c.n_bytes), from.origin(at, next));
    }
    at = next;
  }
  return to;
}

std::optional<model::TextChange> change_of(std::string_view type) {
  using model::TextChange;
  if (type == "NFC") return TextChange::Nfc;
  if (type == "NFD") return TextChange::Nfd;
  if (type == "NFKC") return TextChange::Nfkc;
  if (type == "NFKD") return TextChange::Nfkd;
  if (type == "Lowercase") return TextChange::Lowercase;
  return std::nullopt;
}

}  // namespace

Result<NormalizerSteps::Step> NormalizerSteps::read_step(const Json& json, Bytes charsmap) {
  Step step;
  const std::string_view type = json_type(json);
  if (type == "Precompiled") {
    AMBRY_TRY(step.charsmap, Charsmap::create(charsmap, kNormalizerPath));
    step.kind = Kind::Precompiled;
    return step;
  }
  if (type == "StripAccents") {
    step.kind = Kind::StripAccents;
    return step;
  }
  if (const auto change = change_of(type)) {
    step.kind = Kind::Change;
    step.change = *change;
    return step;
  }
  if (type == "Strip") {
    step.left = json_flag(json, "strip_left", false);
    step.right = json_flag(json, "strip_right", false);
    return step;
  }
  const Json* pattern = json.find("pattern");
  const auto content = model::metadata_text(json, "content");
  if (type != "Replace" || pattern == nullptr || !content)
    return unknown_step(json, kNormalizerPath);
  step.to = *content;
  step.kind = Kind::Replace;
  step.from = model::metadata_text(*pattern, "String").value_or("");
  if (!step.from.empty()) return step;
  if (model::metadata_text(*pattern, "Regex") != " {2,}")
    return unknown_step(json, kNormalizerPath);
  step.kind = Kind::ReplaceSpaceRuns;
  return step;
}

Result<NormalizerSteps> NormalizerSteps::read(const Json* normalizer, Bytes charsmap) {
  NormalizerSteps made;
  for (const Json* json : steps_of(normalizer, "normalizers")) {
    AMBRY_TRY(Step step, read_step(*json, charsmap));
    made.steps_.push_back(std::move(step));
  }
  return made;
}

AlignedText NormalizerSteps::apply(const Step& step, const AlignedText& text) {
  switch (step.kind) {
    case Kind::Replace:
    case Kind::ReplaceSpaceRuns:
      return replace(text, step.from, step.to);
    case Kind::Strip:
      return strip(text, step.left, step.right);
    case Kind::StripAccents:
      return strip_accents(text);
    case Kind::Change:
      return changed(text, step.change);
    case Kind::Precompiled:
      break;
  }
  AlignedText to;
  replace_by_graphemes(step.charsmap, text.text(),
                       [&](size_t begin, size_t end, std::string_view replacement) {
                         to.append(replacement, text.origin(begin, end));
                       });
  return to;
}

AlignedText NormalizerSteps::apply(std::string_view text) const {
  AlignedText made = align_to_itself(text);
  for (const Step& step : steps_) made = apply(step, made);
  return made;
}

Result<WordRules> WordRules::read(const Json* pre_tokenizer) {
  WordRules rules;
  bool marked = false;
  for (const Json* json : steps_of(pre_tokenizer, "pretokenizers")) {
    const std::string_view type = json_type(*json);
    const bool known =
        !marked && (type == "Metaspace" || type == "WhitespaceSplit") &&
        model::metadata_text(*json, "replacement").value_or(kSpaceMark) == kSpaceMark;
    if (!known) return unknown_step(*json, kPreTokenizerPath);
    rules.split_at_white_space |= type == "WhitespaceSplit";
    if (type == "WhitespaceSplit") continue;
    marked = true;
    const bool prefix = json_flag(*json, "add_prefix_space", true);
    const auto scheme =
        model::metadata_text(*json, "prepend_scheme").value_or(prefix ? "always" : "never");
    rules.prepend = scheme == "always"  ? Prepend::Always
                    : scheme == "first" ? Prepend::First
                                        : Prepend::Never;
    rules.split_at_marks = json_flag(*json, "split", true);
  }
  if (!marked) {
    return make_error(ErrorCode::Unsupported, kPreTokenizerPath,
                      "a Unigram model needs a Metaspace pre-tokenizer");
  }
  return rules;
}

std::vector<AlignedText> WordRules::words(std::string_view text, bool first) const {
  std::vector<AlignedText> words;
  bool open = false;   // whether the last word continues
  bool starts = true;  // whether the next character starts a run without white space
  const auto take = [&](std::string_view bytes, size_t begin, size_t end) {
    if (!open) words.emplace_back();
    open = true;
    words.back().append(bytes, {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
  };
  for (size_t at = 0, next = 0; at < text.size(); at = next) {
    next = at + decode_utf8(text, at).n_bytes;
    const std::string_view c = text.substr(at, next - at);
    if (split_at_white_space && is_space_at(text, at)) {
      open = false;
      starts = true;
      continue;
    }
    const bool mark = c == " " || c == kSpaceMark;
    const bool prefixed =
        prepend == Prepend::Always || (prepend == Prepend::First && first && at == 0);
    if (mark && split_at_marks) open = false;
    if (starts && !mark && prefixed) take(kSpaceMark, at, at);
    take(mark ? kSpaceMark : c, at, next);
    starts = false;
  }
  return words;
}

}  // namespace ambry::text
