// The models of a provider by name. A function opens its model with the first call, once.
import { InvalidArgumentError, NoSuchModelError } from '@ai-sdk/provider';
import type { Model, ModelOfKind } from 'ambry';
import { kindNames } from 'ambry/tables';

export type ModelEntry = Model | (() => Promise<Model>);
export type ModelEntries = Readonly<Record<string, ModelEntry>>;

type ModelType = 'languageModel' | 'embeddingModel' | 'rerankingModel' | 'imageModel';

/** Gives a model of one of these kinds. Rejects with `NoSuchModelError` if it is of another one. */
export type Opened<K extends Model['kind']> = () => Promise<ModelOfKind[K]>;

/** Throws the AI SDK's `InvalidArgumentError` for what is neither an open model nor a function that opens one. */
export function checkEntries(entries: ModelEntries): void {
  const isObject = typeof entries === 'object' && entries !== null;
  const wrong = isObject
    ? Object.entries(entries).find(([, entry]) => !isEntry(entry))?.[0]
    : 'entries';
  if (wrong === undefined) {
    return;
  }
  const message = `${wrong}: Give models by the names that you choose, each an open model or a function that opens it: createAmbry({ chat: await open(…) }).`;
  throw new InvalidArgumentError({ argument: wrong, message });
}

function isEntry(entry: unknown): boolean {
  const { kind } = (entry ?? {}) as Partial<Model>;
  return typeof entry === 'function' || (kind !== undefined && Object.hasOwn(kindNames, kind));
}

export class Models {
  readonly #entries: ModelEntries;
  readonly #opened = new Map<string, Promise<Model>>();

  constructor(entries: ModelEntries) {
    this.#entries = entries;
  }

  /** Throws `NoSuchModelError` for a name that is not there. */
  find<K extends Model['kind']>(
    modelId: string,
    modelType: ModelType,
    kinds: readonly K[],
  ): Opened<K> {
    if (!Object.hasOwn(this.#entries, modelId)) {
      throw this.noModel(modelId, modelType);
    }
    return async () => {
      const model = await this.#open(modelId);
      if (isOf(model, kinds)) {
        return model;
      }
      const needed = kinds.map((kind) => kindNames[kind]).join(' or ');
      const message = `${modelId} is ${kindNames[model.kind]}; this needs ${needed}.`;
      throw new NoSuchModelError({ modelId, modelType, message });
    };
  }

  noModel(modelId: string, modelType: ModelType): NoSuchModelError {
    const names = Object.keys(this.#entries).join(', ');
    const message = `There is no ${modelType} ${JSON.stringify(modelId)}. The models are: ${names}.`;
    return new NoSuchModelError({ modelId, modelType, message });
  }

  /** A model that could not be opened is tried again. */
  #open(modelId: string): Promise<Model> {
    const entry = this.#entries[modelId] as ModelEntry;
    if (typeof entry !== 'function') {
      return Promise.resolve(entry);
    }
    const opening = this.#opened.get(modelId) ?? entry();
    this.#opened.set(modelId, opening);
    opening.catch(() => this.#opened.delete(modelId));
    return opening;
  }
}

function isOf<K extends Model['kind']>(model: Model, kinds: readonly K[]): model is ModelOfKind[K] {
  return (kinds as readonly Model['kind'][]).includes(model.kind);
}
