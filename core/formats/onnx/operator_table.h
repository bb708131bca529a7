// What ONNX and onnxruntime state about their operators. A row is a name and its versions:
// `Clip|6:1,1,1,1,max=f min=f|11:1,3,1,1`, each with the least and most inputs and outputs (`*`:
// any number), and the attributes with a letter for the type and `!` where they are required. `x`
// is a version that removes the operator, `?` stands for any attributes. A line that begins with a
// tab goes on the one before.
#pragma once

#include <cstdint>
#include <string_view>

namespace ambry::formats::onnx {

extern const int64_t kNewestOpset;  // of ai.onnx, in the table
extern const int64_t kNewestMlOpset;
extern const std::string_view kOnnxOperators;       // domain ai.onnx
extern const std::string_view kMlOperators;         // domain ai.onnx.ml
extern const std::string_view kMicrosoftOperators;  // domain com.microsoft

}  // namespace ambry::formats::onnx
