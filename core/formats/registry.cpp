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
#include "formats/pytorch/pytorch_parse.h"
#include "formats/pytorch/stream.h"
#include "formats/safetensors/safetensors_parse.h"
#include "formats/safetensors/safetensors_write.h"
#include "formats/tinyruntime/tinyruntime_parse.h"
#include "formats/tinyruntime/tinyruntime_write.h"

namespace ambry::formats {
namespace {

// tinyRuntime has no magic, so it is asked when all others have said no.
constexpr std::array kFormats = {
    Format{{.id = "alt",
            .label = "ALT",
            .file = "an ALT model",
            .extensions = {".alt"},
            .magics = {alt::kMagicV1, alt::kMagicSwapped, alt::kMagicV2}},
           Runs::Decoder,
           nullptr,
           alt::parse,
           alt::check,
           alt::lay_out},
    Format{{.id = "amb",
            .label = "AMB",
            .file = "an AMB model",
            .extensions = {".amb"},
            .magics = {amb::kMagic}},
           Runs::Decoder,
           nullptr,
           amb::parse,
           amb::check,
           amb::lay_out,
           /*to_run=*/nullptr,
           /*states_size=*/false,
           /*states_checksums=*/true},
    Format{{.id = "embd",
            .label = "EMBD",
            .file = "an EMBD model",
            .extensions = {".weights"},
            .magics = {embd::kMagic}},
           Runs::Encoder,
           nullptr,
           embd::parse,
           embd::check,
           embd::lay_out,
           /*to_run=*/nullptr,
           /*states_size=*/true,
           /*states_checksums=*/true},
    Format{{.id = "fasttext",
            .label = "fastText",
            .file = "a fastText model",
            .extensions = {".bin", ".ftz"},
            .magics = {fasttext::kMagic}},
           Runs::TextClassifier,
           nullptr,
           fasttext::parse,
           fasttext::check,
           nullptr},
    Format{{.id = "finalfusion",
            .label = "finalfusion",
            .file = "a finalfusion file",
            .extensions = {".fifu"},
            .magics = {finalfusion::kMagic}},
           Runs::Words,
           nullptr,
           finalfusion::parse,
           finalfusion::check,
           finalfusion::lay_out},
    Format{{.id = "gguf",
            .label = "GGUF",
            .file = "a GGUF file",
            .extensions = {".gguf"},
            .magics = {gguf::kMagic}},
           Runs::Decoder,
           nullptr,
           gguf::parse,
           gguf::check,
           gguf::lay_out,
           gguf::to_run,
           /*states_size=*/false,
           /*states_checksums=*/false,
           /*has_parts=*/true},
    Format{{.id = "pytorch",
            .label = "PyTorch",
            .file = "a PyTorch checkpoint",
            .extensions = {".pt", ".pth"},
            .magics = {pytorch::kStreamMagic}},
           Runs::Nothing,
           pytorch::probe,
           pytorch::parse,
           pytorch::check,
           nullptr,
           /*to_run=*/nullptr,
           /*states_size=*/false,
           /*states_checksums=*/true},
    Format{{.id = "safetensors",
            .label = "safetensors",
            .file = "a safetensors file",
            .extensions = {".safetensors"}},
           Runs::Nothing,
           safetensors::probe,
           safetensors::parse,
           safetensors::check,
           safetensors::lay_out},
    Format{{.id = "tinyruntime",
            .label = "tinyRuntime",
            .file = "a tinyRuntime network",
            .extensions = {".bin"}},
           Runs::Classifier,
           tinyruntime::probe,
           tinyruntime::parse,
           tinyruntime::check,
           tinyruntime::lay_out}};

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

struct Magic {
  std::string_view bytes;
  std::string_view file;
  bool runs = false;
};
consteval size_t count_magics() {
  size_t n = 0;
  for (const Format& row : kFormats) {
    for (const auto& bytes : row.magics) n += bytes.empty() ? 0U : 1U;
  }
  return n;
}
// The magics of all formats, for programs that run models. This links no parser.
constexpr auto kMagics = [] {
  std::array<Magic, count_magics()> found{};
  size_t i = 0;
  for (const Format& row : kFormats) {
    for (const auto& bytes : row.magics) {
      if (!bytes.empty()) found[i++] = {bytes, row.file, row.runs != Runs::Nothing};
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
                        {format.file, ", which is one file; it cannot be given in parts"});
    }
    if (yes && !format.states_size && !source.size_known()) return io::Source::need_size();
    if (yes) return &format;
  }
  return nullptr;
}

Failure unknown(std::span<const Format> candidates, const std::string& looks_like) {
  std::string message = "not a model file that is known here (";
  for (const Format& format : candidates) {
    if (&format != candidates.data()) message += ", ";
    message += format.id;
  }
  message += looks_like.empty() ? ")" : "); this is " + looks_like;
  return error_at(ErrorCode::BadMagic, 0, "file", message);
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

std::string_view kind_name(Runs runs) {
  switch (runs) {
    case Runs::Encoder:
      return "encoder";
    case Runs::Decoder:
      return "generator";
    case Runs::Words:
      return "words";
    case Runs::Classifier:
      return "classifier";
    case Runs::TextClassifier:
      return "textClassifier";
    case Runs::Reranker:
      return "reranker";
    case Runs::Nothing:
      break;
  }
  return {};
}

Runs find_kind(std::string_view name) {
  using enum Runs;
  constexpr std::array kKinds = {Encoder, Decoder, Words, Classifier, TextClassifier, Reranker};
  const auto* found = std::ranges::find(kKinds, name, kind_name);
  return found == kKinds.end() ? Nothing : *found;
}

std::span<const Format> formats() { return kFormats; }
std::span<const Format> encoder_formats() { return kFormatsThatRun<Runs::Encoder>; }
std::span<const Format> decoder_formats() { return kFormatsThatRun<Runs::Decoder>; }
std::span<const Format> word_formats() { return kFormatsThatRun<Runs::Words>; }
std::span<const Format> classifier_formats() { return kFormatsThatRun<Runs::Classifier>; }
std::span<const Format> text_classifier_formats() { return kFormatsThatRun<Runs::TextClassifier>; }

Result<bool> probe(const Format& format, const io::Source& source) {
  if (format.probe != nullptr) return format.probe(source);
  for (const std::string_view magic : format.magics) {
    if (magic.empty()) break;
    AMBRY_TRY(const bool yes, source.starts_with(magic));
    if (yes) return true;
  }
  return false;
}

const Format* find_format(std::string_view id) {
  const auto found = std::ranges::find(kFormats, id, &Format::id);
  return found == kFormats.end() ? nullptr : &*found;
}

Result<const Format*> recognise(const io::Source& source) {
  AMBRY_TRY(const Format* found, probe_all(source, kFormats));
  if (found != nullptr) return found;
  AMBRY_TRY(const auto head, read_head(source, kForeignHead));
  return unknown(kFormats, describe_foreign(head, source.size()));
}

Result<const Format*> recognise(const io::Source& source, std::span<const Format> candidates) {
  AMBRY_TRY(const Format* found, probe_all(source, candidates));
  if (found != nullptr) return found;
  AMBRY_TRY(const auto head, read_head(source, 64));
  const std::string other = describe_other_format(head);
  return unknown(candidates, other.empty() ? describe_usual_mistake(head) : other);
}

}  // namespace ambry::formats
