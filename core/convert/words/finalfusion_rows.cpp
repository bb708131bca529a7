#include "convert/words/finalfusion_rows.h"

#include <algorithm>

#include "convert/plan/source_model.h"
#include "formats/finalfusion/finalfusion_layout.h"

namespace ambry::convert {

namespace finalfusion = formats::finalfusion;

namespace {

Result<Codebook> read_codebook(const io::Source& source, const model::Model& model) {
  const model::TensorEntry& centroids = *find_tensor(model, finalfusion::kCentroids);
  Codebook book;
  book.n_groups = static_cast<uint32_t>(centroids.shape[0]);
  book.n_centroids = static_cast<uint32_t>(centroids.shape[1]);
  book.group = book.last_group = static_cast<uint32_t>(centroids.shape[2]);
  AMBRY_TRY(book.centroids, read_floats(source, centroids));
  if (const auto* projection = find_tensor(model, finalfusion::kProjection)) {
    AMBRY_TRY(book.projection, read_floats(source, *projection));
  }
  if (const auto* norms = find_tensor(model, finalfusion::kQuantizedNorms)) {
    AMBRY_TRY(book.norms, read_floats(source, *norms));
  }
  return book;
}

}  // namespace

Result<std::vector<float>> read_floats(const io::Source& source, const model::TensorEntry& tensor) {
  AMBRY_TRY(const Bytes bytes, source.view(tensor.offset, tensor.bytes, tensor.name));
  std::vector<float> values(bytes.size() / sizeof(float));
  std::ranges::copy(bytes, reinterpret_cast<uint8_t*>(values.data()));
  return values;
}

Result<RowStore> open_finalfusion_rows(const io::Source& source, const model::Model& model) {
  RowStore store;
  const model::TensorEntry* rows = find_tensor(model, finalfusion::kStorage);
  if (rows != nullptr) {
    store.dims = rows->shape[1];
  } else {
    rows = find_tensor(model, finalfusion::kCodes);
    AMBRY_TRY(store.codebook, read_codebook(source, model));
    store.dims = uint64_t{store.codebook->n_groups} * store.codebook->group;
  }
  store.offset = rows->offset;
  store.rows = rows->shape[0];
  return store;
}

}  // namespace ambry::convert
