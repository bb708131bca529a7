// The directory of an adapter (LoRA): a few matrices that are added to the weights of another model.
import { AmbryError } from '../../base/errors.ts';
import { adapterConfig } from './model-files.ts';
import { jsonIn } from './module-list.ts';

/** What to say of such a directory, by its adapter_config.json. */
export function adapterError(config: Uint8Array): AmbryError {
  const { base_model_name_or_path: base } = (jsonIn(config) ?? {}) as {
    readonly base_model_name_or_path?: unknown;
  };
  const of = typeof base === 'string' && base !== '' ? ` of ${base.slice(0, 200)}` : '';
  const message = `This is an adapter (LoRA)${of}, and no model by itself. Open the model and give the adapter as the option adapter: open(model, { adapter }), or --adapter on the command line.`;
  return new AmbryError('Unsupported', message, { path: adapterConfig });
}
