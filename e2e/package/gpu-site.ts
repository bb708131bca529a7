// A page whose models can run on a graphics processor: a program of Chromium that computes on the processor. The script that
// the package fetches for it can be changed on its way.
import { readFile } from 'node:fs/promises';
import { contentOf } from '../../tests/web/support/servers/byte-server.ts';
import { test as base } from './package-site.ts';

const script = new URL('../../dist/gpu/worker-gpu.js', import.meta.url);

export interface GpuSite {
  /** Serves a model and gives its address. */
  readonly model: (file: Blob | Uint8Array) => Promise<string>;
  /** Changes the script of the models that are opened from now on. `before` runs first. */
  readonly change: (change: (code: string) => string, before?: string) => Promise<void>;
}

export const test = base.extend<{ gpu: GpuSite }>({
  gpu: async ({ page, packageSite }, use) => {
    let changed = await readFile(script, 'utf8');
    await page.route('**/gpu/worker-gpu.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: changed }),
    );
    let count = 0;
    await use({
      model: async (file) => {
        const bytes = file instanceof Uint8Array ? file : new Uint8Array(await file.arrayBuffer());
        return packageSite.serve({ content: contentOf(Buffer.from(bytes)) }, `${++count}.bin`).url;
      },
      change: async (change, before = '') => {
        changed = before + change(await readFile(script, 'utf8'));
      },
    });
  },
});

export const gpuArguments = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** What a model says and computes, on a device and in WebAssembly with the same precision. */
export interface Compared {
  readonly device: {
    readonly name: string;
    readonly reason?: string;
    readonly difference?: number;
  };
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  readonly onDevice: readonly unknown[];
  readonly inCore: readonly unknown[];
  /** The largest difference of logits, as a share of the largest one. */
  readonly difference: number;
}
