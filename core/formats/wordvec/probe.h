// Guesses whether a file has word vectors. None of these formats has a magic, so only a convincing
// start is accepted. The caller may state the format instead.
#pragma once

#include "base/result.h"
#include "formats/wordvec/wordvec_header.h"
#include "io/source.h"

namespace ambry::formats::wordvec {

[[nodiscard]] Result<bool> probe(Form form, const io::Source& source);

template <Form kForm>
[[nodiscard]] Result<bool> probe(const io::Source& source) {
  return probe(kForm, source);
}

}  // namespace ambry::formats::wordvec
