#include "model/tokenizer/post_processor.h"

#include <utility>

namespace ambry::model {
namespace {

using Kind = TemplatePart::Kind;

}  // namespace

PostProcessor surround(std::vector<uint32_t> before, std::vector<uint32_t> after) {
  PostProcessor post;
  if (!before.empty()) post.single.push_back({Kind::Special, 0, std::move(before)});
  post.single.push_back({Kind::First, 0, {}});
  if (!after.empty()) post.single.push_back({Kind::Special, 0, std::move(after)});
  return post;
}

PostProcessor bert_post_processor(uint32_t cls, uint32_t sep) {
  PostProcessor post = surround({cls}, {sep});
  post.pair = post.single;
  post.pair.push_back({Kind::Second, 1, {}});
  post.pair.push_back({Kind::Special, 1, {sep}});
  return post;
}

PostProcessor roberta_post_processor(uint32_t cls, uint32_t sep) {
  PostProcessor post = surround({cls}, {sep});
  post.pair = post.single;
  post.pair.push_back({Kind::Special, 0, {sep}});
  post.pair.push_back({Kind::Second, 0, {}});
  post.pair.push_back({Kind::Special, 0, {sep}});
  return post;
}

std::optional<TextEnds> text_ends(const PostProcessor& post) {
  TextEnds ends;
  bool after = false;
  for (const TemplatePart& part : post.single) {
    if (part.type_id != 0) return std::nullopt;
    if (part.kind != Kind::Special) {
      after = true;
      continue;
    }
    std::optional<uint32_t>& end = after ? ends.after : ends.before;
    if (end || part.ids.size() != 1) return std::nullopt;
    end = part.ids[0];
  }
  return ends;
}

}  // namespace ambry::model
