// Guesses that a file is one of word vectors. None of these has a magic, so that only a convincing
// beginning is taken for one; whoever knows better says so.
#pragma once

#include "base/result.h"
#include "formats/wordvec/header.h"
#include "io/source.h"

namespace ambry::formats::wordvec {

[[nodiscard]] Result<bool> probe(Form form, const io::Source& source);

template <Form kForm>
[[nodiscard]] Result<bool> probe(const io::Source& source) {
  return probe(kForm, source);
}

}  // namespace ambry::formats::wordvec
