#include "formats/opening_rows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/embd/embd_layout.h"
#include "formats/fasttext/fasttext_layout.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/gguf/names/encoder_names.h"
#include "formats/pytorch/pytorch_parse.h"
#include "formats/pytorch/stream.h"
#include "model/encoder/architectures/architectures.h"
#include "model/encoder/late_interaction.h"
#include "model/encoder/token_head.h"
#include "model/static_encoder/static_config.h"
#include "model/tokenizer/tokenizer_kind.h"

namespace ambry::formats {
namespace {

// By Code.
constexpr auto kCodeNames =
    std::to_array<std::string_view>({"", "encoder-small", "encoder", "static-small", "static"});
static_assert(kCodeNames.size() == static_cast<size_t>(Code::Static) + 1);

// A little-endian integer of `n_bytes`.
std::string integer(uint64_t value, int n_bytes) {
  std::string bytes;
  for (int i = 0; i < n_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

// A text of GGUF with its length.
std::string gguf_text(std::string_view text) { return integer(text.size(), 8).append(text); }

// An entry of GGUF's metadata with a text.
std::string gguf_entry(std::string_view key, std::string_view value) {
  const auto type = static_cast<uint32_t>(gguf::ValueType::String);
  return gguf_text(key) + integer(type, 4) + gguf_text(value);
}

// An entry of EMBD's metadata.
std::string embd_entry(std::string_view key, std::string_view value) {
  return integer(key.size(), 2).append(integer(value.size(), 2)).append(key).append(value);
}

Mark of(std::string bytes, std::optional<uint32_t> at = std::nullopt) {
  Mark mark;
  mark.bytes.push_back(std::move(bytes));
  mark.at = at;
  return mark;
}
Mark begins_with(std::string_view magic) { return of(std::string(magic), 0); }

OpeningRow gguf_encoder_row() {
  OpeningRow row;
  row.runs = Runs::Encoder;
  row.converts = true;
  row.marks.push_back(begins_with(gguf::kMagic));
  Mark& names = row.marks.emplace_back();
  for (const std::string_view name : gguf::gguf_encoder_names()) {
    names.bytes.push_back(gguf_entry(gguf::kArchitectureKey, name));
  }
  return row;
}

// Models without labels are word vectors.
OpeningRow fasttext_words_row() {
  OpeningRow row;
  row.runs = Runs::Words;
  row.converts = true;
  row.marks.push_back(begins_with(fasttext::kMagic));
  Mark& unsupervised = row.marks.emplace_back();
  unsupervised.at = fasttext::kModelAt;
  for (uint32_t model = 1; model < fasttext::kSupervised; ++model) {
    unsupervised.bytes.push_back(integer(model, 4));
  }
  return row;
}

// Which code an encoder needs is told by the first keys of its metadata (embd/README.md#code-keys).
void add_encoder_rows(std::vector<OpeningRow>& rows) {
  const auto add = [&](std::vector<Mark> marks, Code code) {
    marks.insert(marks.begin(), begins_with(embd::kMagic));
    rows.push_back({.marks = std::move(marks), .runs = Runs::Encoder, .code = code});
  };
  const Mark is_static = of(embd_entry(model::kArchitectureKey, model::kStaticArchitecture));
  const auto word_piece = model::tokenizer_kind_name(model::TokenizerKind::WordPiece);
  Mark no_word_piece = of(embd_entry(model::kTokenizerKindKey, word_piece));
  no_word_piece.is_there = false;
  Mark not_bert;
  not_bert.is_there = false;
  for (const model::EncoderArchitecture* architecture : model::kBertFamily) {
    not_bert.bytes.push_back(embd_entry(model::kArchitectureKey, architecture->name));
  }
  add({is_static, of(model::kTokenizerKindKey), no_word_piece}, Code::Static);
  add({is_static}, Code::StaticSmall);
  add({of(model::kTokenizerKindKey), no_word_piece}, Code::Encoder);
  add({of(model::kArchitectureKey), not_bert}, Code::Encoder);
  add({of(model::kLateInteraction)}, Code::Encoder);
  add({of(model::kTokenHead)}, Code::Encoder);
  add({}, Code::EncoderSmall);
}

// The formats by their magics.
void add_format_rows(std::vector<OpeningRow>& rows) {
  for (const Format& format : formats()) {
    Mark magics;
    magics.at = 0;
    for (const std::string_view magic : format.facts.magics) {
      if (!magic.empty()) magics.bytes.emplace_back(magic);
    }
    if (format.runs == Runs::Encoder || format.runs == Runs::Nothing || magics.bytes.empty()) {
      continue;
    }
    const bool has_words = format.runs == Runs::TextClassifier;
    rows.push_back({.marks = {std::move(magics)},
                    .runs = format.runs,
                    .also = has_words ? Runs::Words : Runs::Nothing});
  }
}

// Weights of any kind of model. The length of a safetensors header ends with two zeros.
void add_weights_rows(std::vector<OpeningRow>& rows) {
  using namespace std::string_literals;
  rows.push_back({.marks = {of("\0\0{"s, 6)}, .converts = true});
  rows.push_back(
      {.marks = {Mark{
           {std::string(pytorch::kZipMagic), std::string(pytorch::kStreamMagic)}, 0, true}},
       .converts = true});
}

}  // namespace

std::string_view code_name(Code code) { return kCodeNames[static_cast<size_t>(code)]; }

bool Mark::fits(std::string_view head) const {
  const bool found = std::ranges::any_of(bytes, [&](const std::string& wanted) {
    if (!at) return head.find(wanted) != std::string_view::npos;
    return head.size() >= *at && head.substr(*at).starts_with(wanted);
  });
  return found == is_there;
}

const OpeningRow* find_row(std::span<const OpeningRow> rows, std::string_view head) {
  const auto row = std::ranges::find_if(rows, [&](const OpeningRow& known) {
    return std::ranges::all_of(known.marks, [&](const Mark& mark) { return mark.fits(head); });
  });
  return row == rows.end() ? nullptr : &*row;
}

std::span<const OpeningRow> other_kind_rows() {
  static const std::array rows = {gguf_encoder_row(), fasttext_words_row()};
  return rows;
}

std::span<const OpeningRow> opening_rows() {
  static const std::vector<OpeningRow> rows = [] {
    const auto others = other_kind_rows();
    std::vector<OpeningRow> all(others.begin(), others.end());
    add_encoder_rows(all);
    add_format_rows(all);
    add_weights_rows(all);
    return all;
  }();
  return rows;
}

}  // namespace ambry::formats
