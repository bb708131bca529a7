#include "api/files/convert/target_warnings.h"

#include <utility>

#include "api/tokenizer/tokenizer_trial.h"
#include "formats/registry.h"
#include "model/decoder/decoder_config.h"

namespace ambry::api {
namespace {

Result<void> check_config(const model::Model& target) {
  io::Diagnostics ignored;
  AMBRY_TRY(const auto config, model::decoder_config(target, ignored));
  return {};
}

// Offsets count in the target, which is not written yet.
void add_warning(Failure problem, std::vector<Error>& warnings) {
  problem->byte_offset = kNoOffset;
  problem->message += "; the result will not generate text";
  warnings.push_back(std::move(problem));
}

}  // namespace

void warn_of_target(model::Model& target, std::vector<Error>& warnings) {
  const formats::Format* format = formats::find_format(target.format);
  // A file of a format with `to_run` may also hold another kind of model.
  if (format == nullptr || format->runs != formats::Runs::Decoder || format->to_run) return;
  if (auto config = check_config(target); !config) add_warning(config.take_error(), warnings);
  if (auto tokenizer = check_tokenizer(target); !tokenizer)
    add_warning(tokenizer.take_error(), warnings);
}

}  // namespace ambry::api
