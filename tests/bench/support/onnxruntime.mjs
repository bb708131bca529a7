// onnxruntime-web on one thread, from a folder where it was installed: it is no dependency of the repository,
// for it is 139 MB. In Node the folder's file: URL, in a page the path where it is served.

export async function onnxruntime(folder) {
  const at = new URL('dist/ort.wasm.bundle.min.mjs', new URL(folder, import.meta.url));
  const ort = await import(at.href);
  ort.env.wasm.numThreads = 1;
  return ort;
}
