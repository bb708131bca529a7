#include "api/decoder/prompt_json.h"

#include <string>
#include <utility>

#include "api/call/options.h"
#include "api/tokenizer/token_lists.h"

namespace ambry::api {

using io::Json;

Result<generate::Prompt> read_prompt(const Json& json, std::string_view text,
                                     const generate::Generator& generator, std::string_view path) {
  generate::Prompt prompt{.text = text};
  const Json* given = json.find("ids");
  if (given != nullptr && !given->is_null()) {
    AMBRY_TRY(prompt.ids, read_ids(*given, generator.decoder.n_vocab(), path));
    return prompt;
  }
  AMBRY_TRY(prompt.special, read_bool(json, "special", true));
  return prompt;
}

// A value that is no list has no items, which a generation refuses.
Result<std::vector<generate::ListedPrompt>> read_prompts(const Json& list,
                                                         const generate::Generator& generator) {
  std::vector<generate::ListedPrompt> prompts;
  const size_t n_prompts = list.is_array() ? list.items().size() : 0;
  for (size_t i = 0; i < n_prompts; ++i) {
    const Json& entry = list.items()[i];
    const std::string path = concat({"prompts[", i, "]"});
    if (!entry.is_object()) return make_error(ErrorCode::BadValue, path, "must be an object");
    const Json* text = entry.find("text");
    const bool has_text = text != nullptr && text->is_string();
    generate::ListedPrompt& listed = prompts.emplace_back();
    AMBRY_TRY(listed.prompt, read_prompt(entry, has_text ? std::string_view(text->string()) : "",
                                         generator, path));
    if (const Json* seed = entry.find("seed"); seed != nullptr && !seed->is_null()) {
      AMBRY_TRY(listed.seed, read_count(entry, "seed", 0));
    }
  }
  return prompts;
}

}  // namespace ambry::api
