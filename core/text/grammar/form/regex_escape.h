// Escapes of regular expressions, such as \d, \n and é.
#pragma once

#include "base/result.h"
#include "text/grammar/form/code_point_set.h"
#include "text/grammar/form/form_reader.h"

namespace ambry::text {

struct RegexEscape {
  CodePointSet set;
  bool is_class = false;  // \d and the like, which cannot begin or end a range
};

// Reads what comes after \. In a class, \b is a backspace.
[[nodiscard]] Result<RegexEscape> read_regex_escape(FormReader& reader, bool in_class);

}  // namespace ambry::text
