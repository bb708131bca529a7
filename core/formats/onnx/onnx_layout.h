// Field numbers of onnx.proto, and limits; see README.md.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ambry::formats::onnx {

namespace model_field {
inline constexpr uint32_t kIrVersion = 1, kProducer = 2, kProducerVersion = 3, kDomain = 4,
                          kModelVersion = 5, kGraph = 7, kOpset = 8, kMetadata = 14, kTraining = 20,
                          kFunction = 25;
}
namespace graph_field {
inline constexpr uint32_t kNode = 1, kName = 2, kInitializer = 5, kInput = 11, kOutput = 12,
                          kValueInfo = 13, kAnnotation = 14, kSparseInitializer = 15;
}
namespace node_field {
inline constexpr uint32_t kInput = 1, kOutput = 2, kName = 3, kOpType = 4, kAttribute = 5,
                          kDomain = 7, kOverload = 8;
}
namespace attribute_field {
inline constexpr uint32_t kName = 1, kF = 2, kI = 3, kS = 4, kT = 5, kG = 6, kFloats = 7, kInts = 8,
                          kStrings = 9, kTensors = 10, kGraphs = 11, kTp = 14, kTypeProtos = 15,
                          kType = 20, kReference = 21, kSparseTensor = 22, kSparseTensors = 23;
}
namespace tensor_field {
inline constexpr uint32_t kDims = 1, kDataType = 2, kSegment = 3, kFloats = 4, kInt32s = 5,
                          kStrings = 6, kInt64s = 7, kName = 8, kRaw = 9, kDoubles = 10,
                          kUint64s = 11, kExternal = 13, kDataLocation = 14;
}
namespace sparse_field {
inline constexpr uint32_t kValues = 1, kIndices = 2, kDims = 3;
}
namespace value_field {
inline constexpr uint32_t kName = 1, kType = 2;
}
namespace type_field {
inline constexpr uint32_t kTensor = 1, kSequence = 4, kMap = 5, kOpaque = 7, kSparse = 8,
                          kOptional = 9;
}
namespace tensor_type_field {
inline constexpr uint32_t kElementType = 1, kShape = 2;
}
namespace shape_field {
inline constexpr uint32_t kDim = 1, kValue = 1, kParameter = 2;
}
namespace annotation_field {
inline constexpr uint32_t kTensor = 1, kEntry = 2;
}
namespace entry_field {
inline constexpr uint32_t kKey = 1, kValue = 2;
}
namespace opset_field {
inline constexpr uint32_t kDomain = 1, kVersion = 2;
}
namespace function_field {
inline constexpr uint32_t kName = 1, kInput = 4, kOutput = 5, kAttribute = 6, kNode = 7, kOpset = 9,
                          kDomain = 10, kAttributeProto = 11, kValueInfo = 12, kOverload = 13;
}

inline constexpr uint32_t kMaxGraphDepth = 32;  // of graphs in attributes of nodes
inline constexpr uint32_t kMaxTypeDepth = 16;   // of sequences of maps of …
inline constexpr uint64_t kMaxGraphs = 16'384;  // that attributes hold
inline constexpr uint64_t kMaxAttributeTensors = uint64_t{1} << 20U;
inline constexpr size_t kMaxInitializers = size_t{1}
                                           << 20U;  // of a graph; likewise inputs, outputs
inline constexpr size_t kMaxMessages = 1'024;       // tensors or graphs in one attribute
inline constexpr size_t kMaxOperators = 4'096;      // different ones
inline constexpr uint64_t kMaxFunctions = 4'096;
inline constexpr size_t kMaxRank = 64;
inline constexpr uint64_t kMaxOpsets = 1'024;
inline constexpr size_t kMaxAttributes = 1'024;  // of a node
inline constexpr uint64_t kMaxNameBytes = 65'536;
inline constexpr uint64_t kMaxTextBytes = uint64_t{64} << 20U;  // of a text attribute or a value

}  // namespace ambry::formats::onnx
