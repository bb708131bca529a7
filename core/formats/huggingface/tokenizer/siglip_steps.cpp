#include "formats/huggingface/tokenizer/siglip_steps.h"

#include <array>
#include <string_view>
#include <utility>

namespace ambry::formats::huggingface {
namespace {

using io::Json;

constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
// The mark of a word, which texts do not spell, and white space besides the space (Python's \s).
constexpr auto kSpaces = std::to_array<std::string_view>(
    {"\u2581", "\t",     "\n",     "\v",     "\f",     "\r",     "\x1c",   "\x1d",
     "\x1e",   "\x1f",   "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002",
     "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
     "\u2028", "\u2029", "\u202f", "\u205f", "\u3000"});

void add_step(Json& steps, std::string_view type) {
  steps.append(Json::object()).set("type", type);
}

void add_replace(Json& steps, std::string_view kind, std::string_view from, std::string_view to) {
  Json& step = steps.append(Json::object());
  step.set("type", "Replace");
  step.set("pattern", Json::object()).set(kind, from);
  step.set("content", to);
}

}  // namespace

Json siglip_normalizer(bool map) {
  Json steps = Json::array();
  add_step(steps, "Lowercase");
  for (size_t i = 0; i < kPunctuation.size(); ++i) {
    add_replace(steps, "String", kPunctuation.substr(i, 1), "");
  }
  for (const std::string_view space : kSpaces) add_replace(steps, "String", space, " ");
  if (map) add_step(steps, "Precompiled");
  add_replace(steps, "Regex", " {2,}", " ");
  Json& strip = steps.append(Json::object());
  strip.set("type", "Strip");
  strip.set("strip_left", true);
  strip.set("strip_right", true);
  Json json = Json::object();
  json.set("type", "Sequence");
  json.set("normalizers", std::move(steps));
  return json;
}

}  // namespace ambry::formats::huggingface
