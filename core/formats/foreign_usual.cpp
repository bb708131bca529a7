#include <algorithm>
#include <array>

#include "formats/foreign.h"
#include "io/ascii.h"
#include "io/lfs_pointer.h"

namespace ambry::formats {
namespace {

using namespace std::string_view_literals;

struct UsualBeginning {
  std::string_view bytes;
  std::string_view name;
};

constexpr std::array kUsualBeginnings = {
    UsualBeginning{io::kLfsPointer, io::kLfsPointerName},
    UsualBeginning{"PK\x03\x04"sv,
                   "a ZIP archive (a PyTorch checkpoint, perhaps: needed is model.safetensors)"},
    UsualBeginning{"\x1F\x8B"sv, "a gzip file: unpack it first"},
    UsualBeginning{"AMBRYIDX"sv, "a search index, not a model"},
};

bool starts_like_html(std::string_view text) {
  std::string lower(text.substr(0, 16));
  std::ranges::transform(lower, lower.begin(), io::to_lower);
  return lower.starts_with("<!doctype html") || lower.starts_with("<html") ||
         lower.starts_with("<head");
}

}  // namespace

std::string describe_usual_mistake(std::string_view head) {
  for (const UsualBeginning& known : kUsualBeginnings) {
    if (head.starts_with(known.bytes)) return std::string(known.name);
  }
  // The header's length in 8 bytes, then the header as JSON.
  if (head.size() > 8 && head[8] == '{' && head[7] == '\0') {
    return "a safetensors file: open its directory, which has config.json";
  }
  const size_t first = head.find_first_not_of(" \t\r\n");
  const std::string_view trimmed = first == std::string_view::npos ? "" : head.substr(first);
  if (starts_like_html(trimmed)) {
    return "an HTML page: the address leads to a web page, not to the file";
  }
  return starts_like_json(head) ? "JSON text" : "";
}

bool starts_like_json(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

}  // namespace ambry::formats
