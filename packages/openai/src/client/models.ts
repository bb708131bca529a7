// The open models of a program, by the names that its requests give.
import { AmbryError, type Model, type ModelOfKind } from 'ambry';
import { kindNames } from 'ambry/tables';
import { ApiError } from '../base/api-error.ts';

/** Open models by names of your choice. */
export type NamedModels = Readonly<Record<string, Model>>;

export class Models {
  readonly #models: Model | NamedModels;

  /** Throws `BadValue` at `models…`. */
  constructor(models: Model | NamedModels) {
    checkModels(models);
    this.#models = models;
  }

  /** Throws an `ApiError` for a name that is not there, and for a model of another kind. One model alone has any name. */
  find<K extends Model['kind']>(name: string, kinds: readonly K[]): ModelOfKind[K] {
    const model = isModel(this.#models) ? this.#models : this.#named(name, this.#models);
    if ((kinds as readonly Model['kind'][]).includes(model.kind)) {
      return model as ModelOfKind[K];
    }
    const needed = kinds.map((kind) => kindNames[kind]).join(' or ');
    const message = `${name} is ${kindNames[model.kind]}; this needs ${needed}.`;
    throw new ApiError(400, message, { param: 'model', code: 'unsupported_model' });
  }

  #named(name: string, models: NamedModels): Model {
    const model = Object.hasOwn(models, name) ? models[name] : undefined;
    if (model) {
      return model;
    }
    const names = Object.keys(models).join(', ');
    const message = `There is no model ${JSON.stringify(name)}. The models are: ${names}.`;
    throw new ApiError(404, message, { param: 'model', code: 'model_not_found' });
  }
}

function isModel(value: unknown): value is Model {
  const { kind } = (value ?? {}) as Partial<Model>;
  return typeof kind === 'string' && Object.hasOwn(kindNames, kind);
}

function checkModels(models: Model | NamedModels): void {
  if (isModel(models)) {
    return;
  }
  const entries = typeof models === 'object' && models !== null ? Object.entries(models) : [];
  const wrong = entries.find(([, model]) => !isModel(model));
  if (entries.length > 0 && !wrong) {
    return;
  }
  const path = wrong ? `models.${wrong[0]}` : 'models';
  const message = 'Give an open model, or open models by names: openai({ chat: await open(…) }).';
  throw new AmbryError('BadValue', message, { path });
}
