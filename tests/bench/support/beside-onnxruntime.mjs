// Runs what a benchmark measures beside onnxruntime-web: in Node, or in a page.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inChromium } from './chromium.mjs';

/** What `work` of a module of the benchmarks (its path from their folder) gives for `task` and these models: `files` of
 *  ours and `onnxFiles` of theirs, by the type of their weights. `folder` is that of onnxruntime-web, if it runs, too. */
export async function besideOnnxruntime(module, task, models, { folder, chromium }) {
  if (chromium) {
    return inPage(module, task, models, folder);
  }
  const { work } = await import(`../${module}`);
  return work({ ...task, ...models, ortFolder: folder && pathToFileURL(`${resolve(folder)}/`) });
}

function inPage(module, task, { files, onnxFiles }, folder) {
  const place = { files: {}, folders: folder ? { '/onnxruntime/': resolve(folder) } : {} };
  const served = (byType, ending) =>
    Object.fromEntries(
      Object.entries(byType).map(([type, bytes]) => {
        const path = `/${type}.${ending}`;
        place.files[path] = bytes;
        return [type, path];
      }),
    );
  const given = { ...task, files: served(files, 'embd') };
  if (folder) {
    Object.assign(given, { onnxFiles: served(onnxFiles, 'onnx') });
  }
  return inChromium(module, { ...given, ortFolder: folder && '/onnxruntime/' }, place);
}
