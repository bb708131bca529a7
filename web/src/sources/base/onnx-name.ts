// Whether a file is ONNX by its name.

export function isOnnx(path: string): boolean {
  return /\.onnx$/i.test(path);
}
