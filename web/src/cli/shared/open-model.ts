// Opening a model of the kind that a command needs.
import { AmbryError } from '../../errors.ts';
import type { ModelOfKind } from '../../index.ts';
import { open } from '../../node.ts';
import type { ModelKind, ModelSource, OpenOptions } from '../../types.ts';

const names: Record<ModelKind, string> = {
  encoder: 'a sentence encoder',
  words: 'word vectors',
  classifier: 'a network that classifies pictures',
  generator: 'a model that generates text',
};

/** Opens the model. Refuses it with `Unsupported` when it is of none of these kinds. */
export async function openAs<K extends ModelKind>(
  kinds: readonly K[],
  file: string,
  source: ModelSource,
  options: OpenOptions,
): Promise<ModelOfKind[K]> {
  const model = await open(source, options);
  if (isOf(kinds, model)) return model;
  await model.dispose();
  const wanted = kinds.map((kind) => names[kind]).join(' or ');
  const message = `${file} holds ${names[model.kind]} (${model.info.format}); this command needs ${wanted}.`;
  throw new AmbryError('Unsupported', message, { path: 'model' });
}

function isOf<K extends ModelKind>(
  kinds: readonly K[],
  model: ModelOfKind[ModelKind],
): model is ModelOfKind[K] {
  return (kinds as readonly ModelKind[]).includes(model.kind);
}
