// Conversion: the core says what to read and what to write, and this file does it.
import { AmbryError } from '../errors.ts';
import type { ConversionSettings } from '../rpc/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import type { ByteSource } from '../source/byte-source.ts';
import type { ConversionTargets, Problem } from '../types.ts';
import type {
  AmbryModule,
  Conversion,
  ConversionFiles,
  ConversionStep,
  PartialSource,
} from '../wasm/ambry.mjs';
import { type Breath, withBreath } from './breath.ts';
import { copyOut, unwrap, using } from './heap.ts';
import { withParts } from './parts.ts';

export interface Converted {
  /** The target, or null when it went elsewhere. */
  readonly blob: Blob | null;
  readonly warnings: readonly Problem[];
}

/** Takes the target's bytes; places may come out of order. */
export interface Output {
  write(offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The target as a blob, or null when it went elsewhere. */
  finish(): Promise<Blob | null>;
  /** Leaves nothing behind. */
  discard(): Promise<void>;
}

export async function convert(
  module: AmbryModule,
  source: ByteSource,
  sideFiles: ReadonlyMap<string, Uint8Array>,
  settings: ConversionSettings,
  output: Output,
  context: CallContext,
): Promise<Converted> {
  const { from, ...options } = settings;
  if (from !== undefined) await expectFormat(module, source, from);
  try {
    return await withFiles(module, sideFiles, async (files) => {
      const text = JSON.stringify(options);
      const begin = () =>
        withParts(module, source, (parts) => module.beginConversion(parts, files, text));
      return using(module, await begin(), async (conversion) => {
        const { totalBytes, warnings } = unwrap(module.conversionFacts(conversion));
        const blob = await withBreath((breath) =>
          pump(module, conversion, totalBytes, source, output, context, breath),
        );
        return { blob, warnings: warnings as Problem[] };
      });
    });
  } catch (error) {
    await output.discard();
    throw error;
  }
}

/** Tries every conversion of such a source as far as its beginning. */
export function conversionTargets(
  module: AmbryModule,
  source: ByteSource,
  sideFiles: ReadonlyMap<string, Uint8Array>,
  settings: Omit<ConversionSettings, 'to'>,
): Promise<ConversionTargets> {
  const text = JSON.stringify(settings);
  return withFiles(module, sideFiles, async (files) => {
    const look = (parts: PartialSource) => module.conversionTargets(parts, files, text);
    return (await withParts(module, source, look)) as ConversionTargets;
  });
}

function withFiles<T>(
  module: AmbryModule,
  sideFiles: ReadonlyMap<string, Uint8Array>,
  work: (files: ConversionFiles) => Promise<T>,
): Promise<T> {
  return using(module, unwrap(module.createFiles()), (files) => {
    for (const [name, bytes] of sideFiles) unwrap(module.addFile(files, name, bytes));
    return work(files);
  });
}

async function expectFormat(
  module: AmbryModule,
  source: ByteSource,
  format: string,
): Promise<void> {
  const info = await withParts(module, source, (parts) => module.inspect(parts, false));
  const found = (info as { format: string }).format;
  if (found === format) return;
  throw new AmbryError('Mismatch', `The source is ${found}, not ${format}.`, { path: 'from' });
}

async function pump(
  module: AmbryModule,
  conversion: Conversion,
  total: number,
  source: ByteSource,
  output: Output,
  { signal, report }: CallContext,
  breath: Breath,
): Promise<Blob | null> {
  let loaded = 0;
  for (;;) {
    await breath.take(signal);
    const step: ConversionStep = unwrap(module.nextStep(conversion));
    if (step.kind === 'done') return output.finish();
    if (step.kind === 'read') {
      module.HEAPU8.set(await source.read(step.offset, step.block.size), step.block.address);
    } else {
      await output.write(step.offset, copyOut(module, step.block));
      loaded += step.block.size;
      report({ phase: 'convert', loaded, total, cached: false });
    }
  }
}

/** Collects the target in a blob, which browsers keep outside the page's memory. Bytes come in order;
 *  what comes after the end of all is put over what was there. */
export function blobOutput(): Output {
  const pieces: Blob[] = [];
  const patches: { offset: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  let end = 0;
  return {
    write: (offset, bytes) => {
      if (offset === end) {
        pieces.push(new Blob([bytes]));
        end += bytes.length;
      } else {
        patches.push({ offset, bytes });
      }
      return Promise.resolve();
    },
    finish: () => {
      let target = new Blob(pieces);
      for (const { offset, bytes } of patches) {
        const behind = target.slice(offset + bytes.length);
        target = new Blob([target.slice(0, offset), bytes, behind]);
      }
      return Promise.resolve(target);
    },
    discard: () => Promise.resolve(),
  };
}
