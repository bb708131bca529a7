// onnxruntime-web on one thread, from a folder where it was installed: it is no dependency of the repository,
// for it is 139 MB.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export async function onnxruntime(folder) {
  const at = pathToFileURL(join(resolve(folder), 'dist', 'ort.wasm.bundle.min.mjs'));
  const ort = await import(at.href);
  ort.env.wasm.numThreads = 1;
  return ort;
}
