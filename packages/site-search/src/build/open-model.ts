// Opens the static encoder of an index, and makes the file that readers download.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AmbryError, type Encoder, open } from 'ambry/encoder';
import { convert } from 'ambry/files';
import { fileName } from '../shared/file-name.ts';
import type { BuildOptions, Settings } from './options.ts';

const builtIn = 'english-static-336.weights';

/** What of ambry-models is used. */
interface Models {
  readonly modelUrl: (name: string) => URL;
}

export interface SiteModel {
  readonly encoder: Encoder;
  /** The file, as it is given. */
  readonly bytes: Uint8Array;
  /** By the hash of the file. */
  readonly name: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** The licence of the file, where one lies beside it. */
  readonly licence: Uint8Array | undefined;
}

/** Throws `NotFound` at `options.model` if there is no file, and `Unsupported` if it is no static encoder. */
export async function openSiteModel(options: BuildOptions): Promise<SiteModel> {
  const path = options.model ?? (await builtInPath());
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    const message = `The model ${path} cannot be read (${cause.code}).`;
    throw new AmbryError('NotFound', message, { path: 'options.model', cause });
  });
  const { signal, onProgress } = options;
  const encoder = await open(new Uint8Array(bytes), {
    architecture: 'static',
    // Equal input gives equal bytes, on every machine.
    deterministic: true,
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  const isStatic = encoder.info.config?.['architecture'] === 'static';
  if (encoder.kind !== 'encoder' || !isStatic) {
    await encoder.dispose();
    const message = `${path} is no static encoder. "ambry distill" makes one of a sentence encoder.`;
    throw new AmbryError('Unsupported', message, { path: 'options.model' });
  }
  const digest = createHash('sha256').update(bytes).digest();
  const licencePath = path.replace(/\.weights$/, '.LICENSE');
  const hasLicence = licencePath !== path && existsSync(licencePath);
  return {
    encoder,
    bytes,
    name: fileName(digest),
    sha256: digest.toString('hex'),
    licence: hasLicence ? await readFile(licencePath) : undefined,
  };
}

/** The model with the numbers of each vector that the index has. It embeds a query to the same vector as the whole one.
 *  Throws at `options.model` what is wrong with the file. */
export async function cutModel(
  { encoder, bytes }: SiteModel,
  { dim, signal }: Settings,
): Promise<Uint8Array> {
  if (dim === encoder.dim) {
    return bytes;
  }
  // A copy is cut, because the bytes go to a worker.
  const whole = new Uint8Array(bytes);
  const cut = await convert(whole, { dim, ...(signal && { signal }) }).catch((cause: unknown) => {
    if (!(cause instanceof AmbryError)) {
      throw cause;
    }
    const message = `The model cannot be cut to ${dim} numbers: ${cause.message}`;
    throw new AmbryError(cause.code, message, { path: 'options.model', cause });
  });
  return new Uint8Array(await cut.arrayBuffer());
}

/** The model of the package ambry-models, where it is installed. */
async function builtInPath(): Promise<string> {
  // A name that bundlers and compilers do not follow: the package is no dependency.
  const name: string = 'ambry-models';
  const models = (await import(name).catch(() => undefined)) as Models | undefined;
  if (models !== undefined) {
    return fileURLToPath(models.modelUrl(builtIn));
  }
  const message = `State the file of a static encoder, or install the package with ${builtIn}: npm install ambry-models`;
  throw new AmbryError('NotFound', message, { path: 'options.model' });
}
