#include "formats/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "formats/alt/parse.h"
#include "formats/alt/write.h"
#include "formats/amb/parse.h"
#include "formats/amb/write.h"
#include "formats/embd/parse.h"
#include "formats/embd/write.h"
#include "formats/finalfusion/parse.h"
#include "formats/finalfusion/write.h"
#include "formats/foreign.h"
#include "formats/gguf/parse.h"
#include "formats/gguf/write.h"
#include "formats/pytorch/parse.h"
#include "formats/safetensors/parse.h"
#include "formats/safetensors/write.h"
#include "formats/tinyruntime/parse.h"
#include "formats/tinyruntime/write.h"

namespace ambry::formats {
namespace {

constexpr Format kAlt{"alt", Runs::Decoder, alt::probe, alt::parse, alt::check, alt::lay_out};
constexpr Format kAmb{"amb", Runs::Decoder, amb::probe, amb::parse, amb::check, amb::lay_out};
constexpr Format kEmbd{"embd",      Runs::Encoder, embd::probe, embd::parse,
                       embd::check, embd::lay_out, true};
constexpr Format kFinalfusion{"finalfusion",      Runs::Words,        finalfusion::probe,
                              finalfusion::parse, finalfusion::check, finalfusion::lay_out};
constexpr Format kGguf{"gguf", Runs::Nothing, gguf::probe, gguf::parse, gguf::check, gguf::lay_out};
constexpr Format kPytorch{"pytorch",      Runs::Nothing,  pytorch::probe,
                          pytorch::parse, pytorch::check, nullptr};
constexpr Format kSafetensors{"safetensors",      Runs::Nothing,      safetensors::probe,
                              safetensors::parse, safetensors::check, safetensors::lay_out};
constexpr Format kTinyRuntime{"tinyruntime",      Runs::Classifier,   tinyruntime::probe,
                              tinyruntime::parse, tinyruntime::check, tinyruntime::lay_out};

// tinyRuntime has no magic, so it is asked when all others have said no.
constexpr std::array kFormats = {kAlt,  kAmb,     kEmbd,        kFinalfusion,
                                 kGguf, kPytorch, kSafetensors, kTinyRuntime};
// Without the writer, so that who only runs models does not link it.
constexpr std::array kEncoderFormats = {
    Format{"embd", Runs::Encoder, embd::probe, embd::parse, embd::check, nullptr, true}};
constexpr std::array kDecoderFormats = {
    Format{"alt", Runs::Decoder, alt::probe, alt::parse, alt::check, nullptr},
    Format{"amb", Runs::Decoder, amb::probe, amb::parse, amb::check, nullptr}};
constexpr std::array kWordFormats = {Format{"finalfusion", Runs::Words, finalfusion::probe,
                                            finalfusion::parse, finalfusion::check, nullptr}};
constexpr std::array kClassifierFormats = {Format{"tinyruntime", Runs::Classifier,
                                                  tinyruntime::probe, tinyruntime::parse,
                                                  tinyruntime::check, nullptr}};

// The one of the candidates that says yes; nullptr when none does.
Result<const Format*> probe_all(const io::Source& source, std::span<const Format> candidates) {
  if (source.size() == 0) return error_at(ErrorCode::Truncated, 0, "file", "the file is empty");
  for (const Format& format : candidates) {
    AMBRY_TRY(const bool yes, format.probe(source));
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

Result<std::string_view> read_head(const io::Source& source, uint64_t size) {
  AMBRY_TRY(const Bytes head, source.view(0, std::min(source.size(), size), "file"));
  return as_text(head);
}

}  // namespace

std::span<const Format> formats() { return kFormats; }
std::span<const Format> encoder_formats() { return kEncoderFormats; }
std::span<const Format> decoder_formats() { return kDecoderFormats; }
std::span<const Format> word_formats() { return kWordFormats; }
std::span<const Format> classifier_formats() { return kClassifierFormats; }

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
  return unknown(candidates, describe_usual_mistake(head));
}

}  // namespace ambry::formats
