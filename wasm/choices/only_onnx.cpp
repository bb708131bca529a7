// A module with this file reads ONNX files only.
#include "api/files/onnx/only_onnx.h"
