// Loads models from files in memory.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "api/loading/fill_sink.h"
#include "api/model/loader.h"

namespace ambry::api::testing {

// Finishes a loader that has all its bytes.
template <class Model>
Result<Model> finish(Loader& loader) {
  AMBRY_TRY(const std::unique_ptr<OpenedModel> opened, loader.finish());
  return std::move(*as<Model>(*opened));
}

template <class Model>
Result<Model> load_model(const std::vector<uint8_t>& file, std::string_view options = "{}") {
  const io::MemorySource source(file);
  AMBRY_TRY(const std::unique_ptr<Loader> loader, Model::load(source, options));
  AMBRY_RETURN_IF_ERROR(fill_sink(*loader, file));
  return finish<Model>(*loader);
}

}  // namespace ambry::api::testing
