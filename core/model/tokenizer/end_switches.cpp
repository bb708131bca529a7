#include "model/tokenizer/end_switches.h"

namespace ambry::model {
namespace {

using Kind = TemplatePart::Kind;

// Adds a text between its ends.
void append_text(Template& parts, Kind kind, uint32_t type_id, const TextEnds& ends) {
  if (ends.before) parts.push_back({Kind::Special, type_id, {*ends.before}});
  parts.push_back({kind, type_id, {}});
  if (ends.after) parts.push_back({Kind::Special, type_id, {*ends.after}});
}

}  // namespace

std::optional<PostProcessor> with_ends(const PostProcessor& post, const StatedEnds& stated) {
  const auto own = text_ends(post);
  if (!own) return post;
  const bool before = stated.add_bos.value_or(own->before.has_value());
  const bool after = stated.add_eos.value_or(own->after.has_value());
  if (before == own->before.has_value() && after == own->after.has_value()) return post;
  TextEnds ends;
  if (before) ends.before = own->before ? own->before : stated.bos_id;
  if (after) ends.after = own->after ? own->after : stated.eos_id;
  if (before != ends.before.has_value() || after != ends.after.has_value()) return std::nullopt;
  PostProcessor made;
  append_text(made.single, Kind::First, 0, ends);
  if (post.pair.empty()) return made;
  made.pair = made.single;
  append_text(made.pair, Kind::Second, 1, ends);
  return made;
}

}  // namespace ambry::model
