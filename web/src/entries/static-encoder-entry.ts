import { called } from '../base/call.ts';
import { AmbryError } from '../base/errors.ts';
import { Encoder } from '../encoder/client.ts';
import type { Opener, Openers } from '../model/open.ts';
import { openModel } from '../model/open.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Platform, WorkerName } from '../platform/platform.ts';
import type { ModelParts, ModelSource } from '../sources/base/types.ts';
import { forWorkers } from './built/kinds/names.ts';
import { conversion, optionsWith } from './open-of-kind.ts';

/**
 * Opens a static encoder, as `open` of `ambry` does with `kind: 'encoder'` and `architecture: 'static'`. Any other model, and a
 * source that would have to be converted, is refused with `Unsupported`.
 */
export type OpenStatic = (
  source: ModelSource | ModelParts,
  options?: Omit<OpenOptions, 'kind' | 'architecture' | 'quantize' | 'adapter'>,
) => Promise<Encoder>;

const noStaticEncoder = () =>
  Promise.reject(new AmbryError('Unsupported', 'The model is no static encoder.'));

/** The platform has no script for the workers of others, and says so. */
const others = (worker: WorkerName): Opener<Encoder> => ({
  worker: () => worker,
  load: noStaticEncoder,
});

const openers: Openers<Encoder> = {
  kinds: {
    ...forWorkers(others),
    encoder: {
      worker: (_wire, _options, code) => code ?? 'static-small',
      load: async () => (connection, opened) => new Encoder(connection, opened),
    },
  },
  conversion,
  trained: noStaticEncoder,
};

export function staticEncoderEntry(platform: Platform): { readonly open: OpenStatic } {
  const own = { kind: 'encoder', architecture: 'static' } as const;
  const open: OpenStatic = (source, options = {}) =>
    called(open, () => openModel(openers, platform, source, optionsWith(options, own)));
  return { open };
}
