// For callers without types.
import { AmbryError, type Model } from 'ambry';
import { kindNames } from 'ambry/tables';

/** Throws an `AmbryError` `Unsupported` at `model` for a model of another kind. */
export function checkKind(model: Model, kinds: readonly Model['kind'][]): void {
  if (kinds.includes(model.kind)) {
    return;
  }
  const needed = kinds.map((kind) => kindNames[kind]).join(' or ');
  const message = `This needs ${needed}, and the model is ${kindNames[model.kind]}.`;
  throw new AmbryError('Unsupported', message, { path: 'model' });
}
