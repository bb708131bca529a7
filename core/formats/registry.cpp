#include "formats/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "formats/alt/parse.h"
#include "formats/alt/write.h"
#include "formats/embd/parse.h"
#include "formats/embd/write.h"
#include "formats/finalfusion/parse.h"
#include "formats/finalfusion/write.h"
#include "formats/gguf/parse.h"
#include "formats/safetensors/parse.h"
#include "formats/tinyruntime/parse.h"
#include "formats/tinyruntime/write.h"

namespace ambry::formats {
namespace {

constexpr Format kAlt{"alt", alt::probe, alt::parse, alt::check, alt::lay_out};
constexpr Format kEmbd{"embd", embd::probe, embd::parse, embd::check, embd::lay_out, true};
constexpr Format kFinalfusion{"finalfusion", finalfusion::probe, finalfusion::parse,
                              finalfusion::check, finalfusion::lay_out};
constexpr Format kGguf{"gguf", gguf::probe, gguf::parse, gguf::check, nullptr};
constexpr Format kSafetensors{"safetensors", safetensors::probe, safetensors::parse,
                              safetensors::check, nullptr};
constexpr Format kTinyRuntime{"tinyruntime", tinyruntime::probe, tinyruntime::parse,
                              tinyruntime::check, tinyruntime::lay_out};

// tinyRuntime has no magic, so it is asked when all others have said no.
constexpr std::array kFormats = {kAlt, kEmbd, kFinalfusion, kGguf, kSafetensors, kTinyRuntime};
// Without the writer, so that who only runs models does not link it.
constexpr std::array kEncoderFormats = {
    Format{"embd", embd::probe, embd::parse, embd::check, nullptr, true}};

struct KnownBeginning {
  std::string_view bytes;
  std::string_view name;
};

using namespace std::string_view_literals;

// What people drop by mistake, by its first bytes.
constexpr std::array kBeginnings = {
    KnownBeginning{"PK\x03\x04"sv,
                   "a ZIP archive (a PyTorch checkpoint, perhaps: needed is model.safetensors)"},
    KnownBeginning{"ggml"sv, "an old GGML file"},
    KnownBeginning{"\x89HDF\r\n\x1A\n"sv,
                   "an HDF5 file (Keras or TensorFlow: needed is model.safetensors)"},
    KnownBeginning{"\x1F\x8B"sv, "a gzip file: unpack it first"},
    KnownBeginning{"BZh"sv, "a bzip2 file: unpack it first"},
    KnownBeginning{"\xFD"
                   "7zXZ"sv,
                   "an xz file: unpack it first"},
    KnownBeginning{"\x28\xB5\x2F\xFD"sv, "a Zstandard file: unpack it first"},
    KnownBeginning{"\x93NUMPY"sv, "a NumPy array"},
    KnownBeginning{"AMBEE"sv, "an AMB model, which this version does not read"},
    KnownBeginning{"AMBRYIDX"sv, "a search index, not a model"},
    KnownBeginning{"version https://git-lfs"sv,
                   "a Git LFS pointer: the model itself was not downloaded"},
    KnownBeginning{"\x80\x02"sv,
                   "a Python pickle (a PyTorch checkpoint: needed is model.safetensors)"},
    KnownBeginning{"\x80\x03"sv, "a Python pickle"},
    KnownBeginning{"\x80\x04"sv, "a Python pickle"},
    KnownBeginning{"\x08\x03\x12"sv, "an ONNX model"},
    KnownBeginning{"\x08\x04\x12"sv, "an ONNX model"},
    KnownBeginning{"\x08\x05\x12"sv, "an ONNX model"},
    KnownBeginning{"\x08\x06\x12"sv, "an ONNX model"},
    KnownBeginning{"\x08\x07\x12"sv, "an ONNX model"},
    KnownBeginning{"\x08\x08\x12"sv, "an ONNX model"},
    KnownBeginning{"\x08\x09\x12"sv, "an ONNX model"},
    KnownBeginning{"\x0A\x0E\x0A\x05<unk>"sv, "a SentencePiece model"},
    KnownBeginning{"\0asm"sv, "a WebAssembly module"},
};

bool starts_like_html(std::string_view text) {
  std::string lower(text.substr(0, 16));
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return lower.starts_with("<!doctype") || lower.starts_with("<html") || lower.starts_with("<head");
}

std::string describe_beginning(std::string_view head) {
  for (const KnownBeginning& known : kBeginnings) {
    if (!head.starts_with(known.bytes)) continue;
    return std::string(known.name);
  }
  // A header's length in 8 bytes, then the header as JSON.
  if (head.size() > 8 && head[8] == '{' && head[7] == '\0') {
    return "a safetensors file: convert its directory first";
  }
  const size_t first = head.find_first_not_of(" \t\r\n");
  const std::string_view trimmed = first == std::string_view::npos ? "" : head.substr(first);
  if (starts_like_html(trimmed)) {
    return "an HTML page: the address leads to a web page, not to the file";
  }
  if (trimmed.starts_with('{') || trimmed.starts_with('[')) return "JSON text";
  if (trimmed.starts_with("<?xml")) return "XML text";
  return {};
}

}  // namespace

std::span<const Format> formats() { return kFormats; }
std::span<const Format> encoder_formats() { return kEncoderFormats; }

const Format* find_format(std::string_view id) {
  const auto found = std::ranges::find(kFormats, id, &Format::id);
  return found == kFormats.end() ? nullptr : &*found;
}

Result<const Format*> recognise(const io::Source& source) { return recognise(source, kFormats); }

Result<const Format*> recognise(const io::Source& source, std::span<const Format> candidates) {
  if (source.size() == 0) return error_at(ErrorCode::Truncated, 0, "file", "the file is empty");
  for (const Format& format : candidates) {
    AMBRY_TRY(const bool yes, format.probe(source));
    if (yes && !format.states_size && !source.size_known()) return io::Source::need_size();
    if (yes) return &format;
  }
  AMBRY_TRY(const Bytes head, source.view(0, std::min<uint64_t>(source.size(), 64), "file"));
  const std::string looks_like = describe_beginning(as_text(head));
  std::string message = "not a model file that is known here (";
  for (const Format& format : candidates) {
    if (&format != candidates.data()) message += ", ";
    message += format.id;
  }
  message += looks_like.empty() ? ")" : "); this is " + looks_like;
  return error_at(ErrorCode::BadMagic, 0, "file", message);
}

}  // namespace ambry::formats
