#include "io/diagnostics.h"

#include <utility>

namespace ambry::io {

void Diagnostics::error(Failure problem) { errors.push_back(std::move(*problem)); }

void Diagnostics::warn(Failure problem) { warnings.push_back(std::move(*problem)); }

void Diagnostics::tolerate(Failure problem) {
  bear(strictness == Strictness::Strict, std::move(problem));
}

void Diagnostics::recover(Failure problem) {
  bear(validates || strictness == Strictness::Strict, std::move(problem));
}

void Diagnostics::bear(bool as_error, Failure problem) {
  if (as_error) ++n_bearable;
  (as_error ? errors : warnings).push_back(std::move(*problem));
}

}  // namespace ambry::io
