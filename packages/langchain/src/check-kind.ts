// For callers without types.
import { AmbryError, type Model } from 'ambry';
import { kindNames } from 'ambry/tables';

/** Throws an `AmbryError` at `model`: `Unsupported` for a model of another kind, and `BadValue` for what is no open model. */
export function checkKind(model: Model, kinds: readonly Model['kind'][]): void {
  if (kinds.includes(model?.kind)) {
    return;
  }
  const needed = kinds.map((kind) => kindNames[kind]).join(' or ');
  if (!Object.hasOwn(kindNames, model?.kind ?? '')) {
    const message = `This needs ${needed}, which open() of Ambry gives. Give it as { model }.`;
    throw new AmbryError('BadValue', message, { path: 'model' });
  }
  const message = `This needs ${needed}, and the model is ${kindNames[model.kind]}.`;
  throw new AmbryError('Unsupported', message, { path: 'model' });
}
