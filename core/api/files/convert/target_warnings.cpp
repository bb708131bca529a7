#include "api/files/convert/target_warnings.h"

#include <algorithm>
#include <utility>

#include "api/tokenizer/json_tokenizer.h"
#include "formats/registry.h"
#include "model/decoder/decoder_config.h"
#include "text/tokenizer/make_tokenizer.h"

namespace ambry::api {
namespace {

Result<void> try_tokenizer(model::Model& target) {
  if (!target.tokenizer) {
    return make_error(ErrorCode::NotFound, "tokenizer", "the source has no tokenizer");
  }
  AMBRY_CHECK(resolve_custom_tokenizer(target));
  AMBRY_TRY(const auto made, text::make_tokenizer(*target.tokenizer));
  return {};
}

Result<void> try_config(const model::Model& target) {
  io::Diagnostics ignored;
  AMBRY_TRY(const auto config, model::decoder_config(target, ignored));
  return {};
}

// Offsets count in the target, which is not written yet.
void add(Failure problem, std::vector<Error>& warnings) {
  problem->byte_offset = kNoOffset;
  problem->message += "; the result will not generate text";
  warnings.push_back(std::move(problem));
}

}  // namespace

void warn_of_target(model::Model& target, std::vector<Error>& warnings) {
  const formats::Format* format = formats::find_format(target.format);
  if (format == nullptr || format->runs != formats::Runs::Decoder) return;
  if (auto config = try_config(target); !config) add(config.take_error(), warnings);
  if (auto tokenizer = try_tokenizer(target); !tokenizer) add(tokenizer.take_error(), warnings);
}

}  // namespace ambry::api
