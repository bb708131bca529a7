#include "api/tokenizer/try_tokenizer.h"

#include "api/tokenizer/json_tokenizer.h"
#include "text/make_tokenizer.h"

namespace ambry::api {

Result<void> try_tokenizer(model::Model& model) {
  AMBRY_RETURN_IF_ERROR(resolve_custom_tokenizer(model, writes_text(model)));
  AMBRY_TRY(const auto made, text::make_tokenizer(*model.tokenizer));
  return writes_text(model) ? made->can_decode() : Result<void>();
}

}  // namespace ambry::api
