#include "io/diagnostics.h"

#include <utility>

namespace ambry::io {

void Diagnostics::error(Failure problem) { errors.push_back(std::move(*problem)); }

void Diagnostics::warn(Failure problem) { warnings.push_back(std::move(*problem)); }

void Diagnostics::tolerate(Failure problem) {
  if (strictness == Strictness::Strict) ++n_strict_only;
  (strictness == Strictness::Strict ? errors : warnings).push_back(std::move(*problem));
}

}  // namespace ambry::io
