#include "model/tokenizer/post_processor_json.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "model/metadata/metadata_value.h"

namespace ambry::model {
namespace {

using io::Json;
using Kind = TemplatePart::Kind;

// Far above any real template, so that a small file cannot ask for much memory.
constexpr size_t kMaxSpecial = 1024;

Failure bad(const Json& at, const Text& path, const Text& message,
            ErrorCode code = ErrorCode::BadValue) {
  return error_at(code, at.byte_offset(), path, message);
}

Result<uint32_t> read_id(const Json& id, const Text& path) {
  if (id.is_uint() && id.uint() < UINT32_MAX) return static_cast<uint32_t>(id.uint());
  return bad(id, path, "expected a token id");
}

// Collects the steps of nested Sequences that add tokens. ByteLevel only changes offsets.
Result<void> collect(const Json& post, const std::string& path, std::vector<const Json*>& adding) {
  const auto type = metadata_text(post, "type");
  if (!type) return bad(post, path, "a post-processor without a type");
  if (*type == "ByteLevel") return {};
  if (*type == "TemplateProcessing" || *type == "BertProcessing" || *type == "RobertaProcessing") {
    adding.push_back(&post);
    return {};
  }
  if (*type != "Sequence") {
    return bad(post, path, {"the post-processor ", *type, " is not supported"},
               ErrorCode::Unsupported);
  }
  const Json* steps = post.find("processors");
  if (steps == nullptr || !steps->is_array()) {
    return bad(post, {path, ".processors"}, "expected a list of post-processors");
  }
  for (const Json& step : steps->items()) AMBRY_RETURN_IF_ERROR(collect(step, path, adding));
  return {};
}

// `["[SEP]", 102]`
Result<uint32_t> read_named_id(const Json& post, const std::string& post_path, const char* key) {
  const std::string path = concat({post_path, ".", key});
  const Json* token = post.find(key);
  const bool pair = token != nullptr && token->is_array() && token->items().size() == 2;
  if (!pair) return bad(post, path, "expected a token and its id");
  return read_id(token->items()[1], path);
}

class TemplateReader {
 public:
  TemplateReader(const Json& post, const std::string& path) : post_(post), path_(path) {}

  Result<PostProcessor> read() {
    PostProcessor made;
    AMBRY_TRY(made.single, read_template("single"));
    if (post_.find("pair") == nullptr) return made;
    AMBRY_TRY(made.pair, read_template("pair"));
    return made;
  }

 private:
  Result<Template> read_template(const char* key) {
    const std::string path = concat({path_, ".", key});
    const Json* list = post_.find(key);
    if (list == nullptr || !list->is_array()) {
      return bad(list != nullptr ? *list : post_, path, "expected a list of template parts");
    }
    Template parts;
    for (const Json& item : list->items()) {
      AMBRY_TRY(TemplatePart part, read_part(item, path));
      parts.push_back(std::move(part));
    }
    AMBRY_RETURN_IF_ERROR(check(*list, path, parts));
    return parts;
  }

  Result<TemplatePart> read_part(const Json& item, const std::string& path) {
    TemplatePart part;
    const Json* sequence = item.find("Sequence");
    const Json* body = sequence != nullptr ? sequence : item.find("SpecialToken");
    const auto name = body != nullptr ? metadata_text(*body, "id") : std::nullopt;
    if (!name) return bad(item, path, "expected a Sequence or a SpecialToken with an id");
    if (const Json* type_id = body->find("type_id")) {
      AMBRY_TRY(part.type_id, read_id(*type_id, concat({path, ".type_id"})));
    }
    if (sequence == nullptr) {
      part.kind = Kind::Special;
      AMBRY_RETURN_IF_ERROR(read_ids(*body, *name, part.ids));
    } else if (*name == "A" || *name == "B") {
      part.kind = *name == "A" ? Kind::First : Kind::Second;
    } else {
      return bad(*body, path, {"the sequence ", *name, " is not A or B"});
    }
    return part;
  }

  Result<void> read_ids(const Json& place, std::string_view name, std::vector<uint32_t>& ids) {
    const std::string path = concat({path_, ".special_tokens.", name});
    const Json* tokens = post_.find("special_tokens");
    const Json* token = tokens != nullptr ? tokens->find(name) : nullptr;
    const Json* list = token != nullptr ? token->find("ids") : nullptr;
    if (list == nullptr || !list->is_array()) {
      return bad(place, path, "the template uses this token, but its ids are missing");
    }
    n_special_ += list->items().size();
    if (n_special_ > kMaxSpecial) {
      return bad(place, path, {"the templates add more than ", kMaxSpecial, " special tokens"},
                 ErrorCode::LimitExceeded);
    }
    for (const Json& item : list->items()) {
      AMBRY_TRY(const uint32_t id, read_id(item, path));
      ids.push_back(id);
    }
    return {};
  }

  // The library drops a text that its template lacks, and panics where there is no such text.
  static Result<void> check(const Json& list, const std::string& path, const Template& parts) {
    const auto n = [&](Kind kind) { return std::ranges::count(parts, kind, &TemplatePart::kind); };
    if (n(Kind::First) == 1 && n(Kind::Second) == (path.ends_with("pair") ? 1 : 0)) return {};
    return bad(list, path,
               "a template must have A once, and B once if it is for pairs; other templates are "
               "not supported",
               ErrorCode::Unsupported);
  }

  const Json& post_;
  const std::string& path_;
  size_t n_special_ = 0;
};

PostProcessor plain_post_processor() {
  PostProcessor post = surround({}, {});
  post.pair = post.single;
  post.pair.push_back({Kind::Second, 1, {}});
  return post;
}

// The ids joined by commas.
std::string name_of(const std::vector<uint32_t>& ids) {
  std::string name;
  for (const uint32_t id : ids) name += (name.empty() ? "" : ",") + std::to_string(id);
  return name;
}

Json template_json(const Template& parts, Json& special_tokens) {
  Json list = Json::array();
  for (const TemplatePart& part : parts) {
    const bool special = part.kind == Kind::Special;
    const std::string id =
        special ? name_of(part.ids) : std::string(part.kind == Kind::First ? "A" : "B");
    Json body = Json::object();
    body.set("id", id);
    body.set("type_id", part.type_id);
    list.append(Json::object()).set(special ? "SpecialToken" : "Sequence", std::move(body));
    if (!special) continue;
    Json ids = Json::array();
    for (const uint32_t one : part.ids) ids.append(one);
    special_tokens.set(id, Json::object()).set("ids", std::move(ids));
  }
  return list;
}

}  // namespace

Result<PostProcessor> read_post_processor(const Json& root, std::string_view file) {
  const Json* post = root.find("post_processor");
  if (post == nullptr || post->is_null()) return plain_post_processor();
  const std::string path = concat({file, ".post_processor"});
  std::vector<const Json*> adding;
  AMBRY_RETURN_IF_ERROR(collect(*post, path, adding));
  if (adding.empty()) return plain_post_processor();
  if (adding.size() > 1) {
    return bad(*adding[1], path, "a Sequence in which two steps add tokens is not supported",
               ErrorCode::Unsupported);
  }
  if (metadata_text(*adding[0], "type") == "TemplateProcessing") {
    return TemplateReader(*adding[0], path).read();
  }
  AMBRY_TRY(const uint32_t cls, read_named_id(*adding[0], path, "cls"));
  AMBRY_TRY(const uint32_t sep, read_named_id(*adding[0], path, "sep"));
  const bool bert = metadata_text(*adding[0], "type") == "BertProcessing";
  return bert ? bert_post_processor(cls, sep) : roberta_post_processor(cls, sep);
}

Json post_processor_json(const PostProcessor& post) {
  Json json = Json::object();
  json.set("type", "TemplateProcessing");
  Json special_tokens = Json::object();
  json.set("single", template_json(post.single, special_tokens));
  if (!post.pair.empty()) json.set("pair", template_json(post.pair, special_tokens));
  json.set("special_tokens", std::move(special_tokens));
  return json;
}

}  // namespace ambry::model
