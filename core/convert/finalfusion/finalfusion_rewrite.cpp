#include "convert/finalfusion/finalfusion_rewrite.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "convert/finalfusion/explicit_ngrams_job.h"
#include "convert/finalfusion/quantize_vectors_job.h"
#include "convert/finalfusion/reconstruct_job.h"
#include "convert/plan/identify.h"
#include "convert/plan/rewrite.h"
#include "convert/plan/source_model.h"
#include "convert/tensor/tensor_job.h"
#include "convert/words/words_job.h"
#include "formats/finalfusion/finalfusion_layout.h"

namespace ambry::convert {
namespace {

using kernels::QuantizerKind;

struct NamedKind {
  std::string_view type;
  QuantizerKind kind;
};
constexpr std::array<NamedKind, 3> kQuantizerKinds = {
    {{"pq", QuantizerKind::Plain},
     {"opq", QuantizerKind::Optimized},
     {"gaussian_opq", QuantizerKind::GaussianOptimized}}};

// Reads the source. The caller must check whether its vectors are dense or quantized.
Result<SourceModel> read_vectors(const SourceFiles& sources, const Options& options) {
  AMBRY_TRY(const std::string_view from, identify(sources, options));
  if (from != "finalfusion") {
    return make_error(ErrorCode::Unsupported, "options.to",
                      {"only finalfusion files can be quantized; convert the ", from,
                       " file to finalfusion first"});
  }
  if (options.dtype || !options.metadata.empty()) {
    return make_error(ErrorCode::Unsupported, "options",
                      "only the vectors and their n-grams can be changed");
  }
  return read_source(sources, from);
}

bool is_dense(const SourceModel& source) {
  return find_tensor(source.model, formats::finalfusion::kStorage) != nullptr;
}

}  // namespace

Result<std::unique_ptr<Job>> begin_product_quantization(const SourceFiles& sources,
                                                        const Options& options) {
  AMBRY_TRY(SourceModel source, read_vectors(sources, options));
  if (!is_dense(source)) {
    return make_error(ErrorCode::Unsupported, "storage",
                      "the vectors are already quantized; reconstruct them first");
  }
  VectorOptions vectors = options.quantize->vectors;
  vectors.training.kind =
      std::ranges::find(kQuantizerKinds, options.quantize->type, &NamedKind::type)->kind;
  return begin_quantizing(std::move(source), vectors);
}

Result<std::unique_ptr<Job>> begin_finalfusion_rewrite(const SourceFiles& sources,
                                                       const Options& options) {
  if (options.select) return begin_from_finalfusion(sources, options);
  if (!options.reconstruct && !options.explicit_ngrams) {
    AMBRY_TRY(Plan plan, plan_rewrite(sources, options));
    return start(std::move(plan));
  }
  AMBRY_TRY(SourceModel source, read_vectors(sources, options));
  if (options.explicit_ngrams) return begin_explicit(std::move(source));
  if (is_dense(source)) {
    return make_error(ErrorCode::Unsupported, "storage",
                      "the vectors are not quantized, so there is nothing to reconstruct");
  }
  return begin_reconstruction(std::move(source));
}

}  // namespace ambry::convert
