#include "text/tokenizer/post_processing.h"

#include <cstdint>

namespace ambry::text {
namespace {

using Kind = model::TemplatePart::Kind;

size_t count_special(const model::Template& parts) {
  size_t n = 0;
  for (const model::TemplatePart& part : parts) n += part.ids.size();
  return n;
}

void append(Encoding& out, const Encoding& text, size_t n, uint32_t type_id) {
  const auto count = static_cast<std::ptrdiff_t>(n);
  out.ids.insert(out.ids.end(), text.ids.begin(), text.ids.begin() + count);
  out.spans.insert(out.spans.end(), text.spans.begin(), text.spans.begin() + count);
  out.type_ids.resize(out.ids.size(), type_id);
}

}  // namespace

TextLengths kept_lengths(const TextLengths& full, const model::Template& parts,
                         const EncodeOptions& options) {
  if (!options.max_length) return full;
  const size_t taken = options.add_special ? count_special(parts) : 0;
  const size_t room = *options.max_length > taken ? *options.max_length - taken : 0;
  if (full.first + full.second <= room) return full;
  const size_t half = room / 2;
  if (full.first <= half) return {full.first, room - full.first};
  if (full.second <= half) return {room - full.second, full.second};
  return full.first > full.second ? TextLengths{room - half, half} : TextLengths{half, room - half};
}

Encoding fill_template(const model::Template& parts, const Encoding& first, const Encoding& second,
                       const TextLengths& kept, bool add_special) {
  Encoding out;
  out.full_length = first.ids.size() + second.ids.size() + (add_special ? count_special(parts) : 0);
  for (const model::TemplatePart& part : parts) {
    if (part.kind == Kind::First) append(out, first, kept.first, part.type_id);
    if (part.kind == Kind::Second) append(out, second, kept.second, part.type_id);
    if (!add_special) continue;
    for (const uint32_t id : part.ids) out.push(id, part.type_id, {});
  }
  return out;
}

}  // namespace ambry::text
