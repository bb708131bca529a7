#include "formats/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/concat.h"
#include "formats/alt/alt_layout.h"
#include "formats/alt/alt_parse.h"
#include "formats/alt/alt_write.h"
#include "formats/amb/amb_layout.h"
#include "formats/amb/amb_parse.h"
#include "formats/amb/amb_write.h"
#include "formats/embd/embd_layout.h"
#include "formats/embd/embd_parse.h"
#include "formats/embd/embd_write.h"
#include "formats/fasttext/fasttext_layout.h"
#include "formats/fasttext/fasttext_parse.h"
#include "formats/finalfusion/finalfusion_layout.h"
#include "formats/finalfusion/finalfusion_parse.h"
#include "formats/finalfusion/finalfusion_write.h"
#include "formats/foreign.h"
#include "formats/gguf/gguf_decoder.h"
#include "formats/gguf/gguf_parse.h"
#include "formats/gguf/gguf_write.h"
#include "formats/gguf/metadata/gguf_layout.h"
#include "formats/onnx/onnx_format.h"
#include "formats/onnx/onnx_parse.h"
#include "formats/pytorch/pytorch_parse.h"
#include "formats/pytorch/stream.h"
#include "formats/safetensors/safetensors_parse.h"
#include "formats/safetensors/safetensors_write.h"
#include "formats/tinyruntime/tinyruntime_parse.h"
#include "formats/tinyruntime/tinyruntime_write.h"

namespace ambry::formats {
namespace {

// tinyRuntime has no magic, so it is asked when all others have said no.
constexpr auto kFormats = std::to_array<Format>({
    {.facts = {.id = "alt",
               .label = "ALT",
               .file = "an ALT model",
               .extensions = {".alt"},
               .magics = {alt::kMagicV1, alt::kMagicSwapped, alt::kMagicV2}},
     .runs = Runs::Decoder,
     .parse = alt::parse,
     .check = alt::check,
     .lay_out = alt::lay_out},
    {.facts = {.id = "amb",
               .label = "AMB",
               .file = "an AMB model",
               .extensions = {".amb"},
               .magics = {amb::kMagic}},
     .runs = Runs::Decoder,
     .parse = amb::parse,
     .check = amb::check,
     .lay_out = amb::lay_out,
     .states_checksums = true},
    {.facts = {.id = "embd",
               .label = "EMBD",
               .file = "an EMBD model",
               .extensions = {".weights"},
               .magics = {embd::kMagic}},
     .runs = Runs::Encoder,
     .parse = embd::parse,
     .check = embd::check,
     .lay_out = embd::lay_out,
     .states_size = true,
     .states_checksums = true},
    {.facts = {.id = "fasttext",
               .label = "fastText",
               .file = "a fastText model",
               .extensions = {".bin", ".ftz"},
               .magics = {fasttext::kMagic}},
     .runs = Runs::TextClassifier,
     .parse = fasttext::parse,
     .check = fasttext::check},
    {.facts = {.id = "finalfusion",
               .label = "finalfusion",
               .file = "a finalfusion file",
               .extensions = {".fifu"},
               .magics = {finalfusion::kMagic}},
     .runs = Runs::Words,
     .parse = finalfusion::parse,
     .check = finalfusion::check,
     .lay_out = finalfusion::lay_out},
    {.facts = {.id = "gguf",
               .label = "GGUF",
               .file = "a GGUF file",
               .extensions = {".gguf"},
               .magics = {gguf::kMagic}},
     .runs = Runs::Decoder,
     .parse = gguf::parse,
     .check = gguf::check,
     .lay_out = gguf::lay_out,
     .to_run = gguf::to_run,
     .has_parts = true},
    {.facts = {.id = "onnx", .label = "ONNX", .file = "an ONNX model", .extensions = {".onnx"}},
     .probe = onnx::probe,
     .parse = onnx::parse,
     .check = onnx::check},
    {.facts = {.id = "pytorch",
               .label = "PyTorch",
               .file = "a PyTorch checkpoint",
               .extensions = {".pt", ".pth"},
               .magics = {pytorch::kStreamMagic}},
     .probe = pytorch::probe,
     .parse = pytorch::parse,
     .check = pytorch::check,
     .states_checksums = true},
    {.facts = {.id = "safetensors",
               .label = "safetensors",
               .file = "a safetensors file",
               .extensions = {".safetensors"}},
     .probe = safetensors::probe,
     .parse = safetensors::parse,
     .check = safetensors::check,
     .lay_out = safetensors::lay_out},
    {.facts = {.id = "tinyruntime",
               .label = "tinyRuntime",
               .file = "a tinyRuntime network",
               .extensions = {".bin"}},
     .runs = Runs::ImageClassifier,
     .probe = tinyruntime::probe,
     .parse = tinyruntime::parse,
     .check = tinyruntime::check,
     .lay_out = tinyruntime::lay_out},
});

// Made while compiling, and without the writers: a program that only runs models links no parser of
// another format and no writer.
template <Runs runs>
constexpr auto kFormatsThatRun = [] {
  constexpr auto n = std::ranges::count(kFormats, runs, &Format::runs);
  std::array<Format, static_cast<size_t>(n)> found{};
  size_t i = 0;
  for (const Format& row : kFormats) {
    if (row.runs == runs) found[i++] = row;
  }
  for (Format& row : found) row.lay_out = nullptr;
  return found;
}();

// Sentence encoders and language models have tokenizers.
constexpr auto kTokenFormats = [] {
  auto rows = kFormats;
  for (Format& row : rows) {
    if (row.runs != Runs::Encoder && row.runs != Runs::Decoder) row.parse = nullptr;
    row.check = nullptr;
    row.lay_out = nullptr;
    row.to_run = nullptr;
  }
  return rows;
}();

Result<model::Model> not_read_here(const io::Source& /*source*/, io::Diagnostics& /*diagnostics*/,
                                   const model::ReadOptions& /*options*/) {
  return error_at(ErrorCode::Unsupported, 0, "file", "this module reads ONNX files only");
}

// ONNX, and what it is converted to. The others are known by their first bytes.
constexpr auto kOnnxFormats = [] {
  auto rows = kFormats;
  for (Format& row : rows) {
    const std::string_view id = row.facts.id;
    if (id == "onnx" || id == "alt" || id == "amb" || id == "embd" || id == "tinyruntime") continue;
    row.parse = not_read_here;
    row.check = nullptr;
    row.lay_out = nullptr;
    row.to_run = nullptr;
  }
  return rows;
}();

// By Runs.
constexpr auto kKindNames = std::to_array<std::string_view>(
    {"", "encoder", "generator", "words", "imageClassifier", "textClassifier", "reranker",
     "tokenClassifier", "questionAnswering", "fillMask", "sparseEncoder"});
static_assert(kKindNames.size() == static_cast<size_t>(Runs::SparseEncoder) + 1);

struct Magic {
  std::string_view bytes;
  std::string_view file;
  bool runs = false;
};
consteval size_t count_magics() {
  size_t n = 0;
  for (const Format& row : kFormats) {
    for (const auto& bytes : row.facts.magics) n += bytes.empty() ? 0U : 1U;
  }
  return n;
}
// The magics of all formats, for programs that run models. This links no parser.
constexpr auto kMagics = [] {
  std::array<Magic, count_magics()> found{};
  size_t i = 0;
  for (const Format& row : kFormats) {
    for (const auto& bytes : row.facts.magics) {
      if (!bytes.empty()) found[i++] = {bytes, row.facts.file, row.runs != Runs::Nothing};
    }
  }
  return found;
}();

// The one of the candidates that says yes; nullptr when none does.
Result<const Format*> probe_all(const io::Source& source, std::span<const Format> candidates) {
  if (source.size() == 0) return error_at(ErrorCode::Truncated, 0, "file", "the file is empty");
  for (const Format& format : candidates) {
    AMBRY_TRY(const bool yes, probe(format, source));
    if (yes && !source.part_ends().empty() && !format.has_parts) {
      return make_error(ErrorCode::Unsupported, "file",
                        {format.facts.file, ", which is one file; it cannot be given in parts"});
    }
    if (yes && !format.states_size && !source.size_known()) return io::Source::need_size();
    if (yes) return &format;
  }
  return nullptr;
}

Failure unknown(std::span<const Format> candidates, const std::string& looks_like) {
  const auto known = comma_list(candidates, [](const Format& format) { return format.facts.id; });
  const std::string end = looks_like.empty() ? ")" : "); this is " + looks_like;
  return error_at(ErrorCode::BadMagic, 0, "file",
                  {"not a model file that is known here (", known, end});
}

std::string describe_other_format(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (!head.starts_with(magic.bytes)) continue;
    return concat({magic.file, magic.runs ? "" : ", which cannot be run"});
  }
  return {};
}

Result<std::string_view> read_head(const io::Source& source, uint64_t size) {
  AMBRY_TRY(const Bytes head, source.view(0, std::min(source.size(), size), "file"));
  return as_text(head);
}

}  // namespace

std::string_view kind_name(Runs runs) { return kKindNames[static_cast<size_t>(runs)]; }

Runs find_kind(std::string_view name) {
  const auto found = std::ranges::find(kKindNames, name);
  return found == kKindNames.end() ? Runs::Nothing : static_cast<Runs>(found - kKindNames.begin());
}

[[gnu::weak]] std::span<const Format> formats() { return kFormats; }
std::span<const Format> encoder_formats() { return kFormatsThatRun<Runs::Encoder>; }
std::span<const Format> decoder_formats() { return kFormatsThatRun<Runs::Decoder>; }
std::span<const Format> word_formats() { return kFormatsThatRun<Runs::Words>; }
std::span<const Format> image_classifier_formats() {
  return kFormatsThatRun<Runs::ImageClassifier>;
}
std::span<const Format> text_classifier_formats() { return kFormatsThatRun<Runs::TextClassifier>; }
std::span<const Format> token_formats() { return kTokenFormats; }
std::span<const Format> onnx_formats() { return kOnnxFormats; }

Result<bool> probe(const Format& format, const io::Source& source) {
  if (format.probe != nullptr) return format.probe(source);
  for (const std::string_view magic : format.facts.magics) {
    if (magic.empty()) break;
    AMBRY_TRY(const bool yes, source.starts_with(magic));
    if (yes) return true;
  }
  return false;
}

const Format* find_format(std::string_view id) {
  const auto found =
      std::ranges::find(formats(), id, [](const Format& format) { return format.facts.id; });
  return found == formats().end() ? nullptr : &*found;
}

Result<const Format*> recognise(const io::Source& source) {
  return recognise_any(source, formats());
}

Result<const Format*> recognise_any(const io::Source& source, std::span<const Format> all) {
  AMBRY_TRY(const Format* found, probe_all(source, all));
  if (found != nullptr) return found;
  AMBRY_TRY(const auto head, read_head(source, kForeignHead));
  return unknown(all, describe_foreign(head, source.size()));
}

Result<const Format*> recognise(const io::Source& source, std::span<const Format> candidates) {
  AMBRY_TRY(const Format* found, probe_all(source, candidates));
  if (found != nullptr) return found;
  AMBRY_TRY(const auto head, read_head(source, 64));
  const std::string other = describe_other_format(head);
  return unknown(candidates, other.empty() ? describe_usual_mistake(head) : other);
}

}  // namespace ambry::formats
