#include "base/result.h"

namespace ambry {

Failure::Failure(Error error) : error_(new Error(std::move(error))) {}

void Failure::Delete::operator()(Error* error) const { delete error; }

}  // namespace ambry
