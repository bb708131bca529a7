#include "api/model/opened_model.h"

namespace ambry::api {

Result<const text::Tokenizer*> OpenedModel::tokenizer() const {
  return make_error(ErrorCode::Unsupported, "tokenizer", "this model has no tokenizer");
}

}  // namespace ambry::api
