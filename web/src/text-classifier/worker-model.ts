// A classifier of texts in the worker's heap. Between two steps of a job, a cancel arrives.

import type { OpenedModel } from '../model/protocol.ts';
import { loadModel, openedModel } from '../model/worker-load.ts';
import { runTexts } from '../model/worker-texts.ts';
import type { CallContext } from '../rpc/serve.ts';
import { copyOut, unwrap, using } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type {
  HeapRange,
  PredictJob,
  TextClassifierModel,
  TextClassifierModule,
} from '../wasm/module.mjs';
import type { Predicted, TextClassifierCalls } from './protocol.ts';

type Input = TextClassifierCalls['predict']['in'];

export class TextModel {
  readonly #module: TextClassifierModule;
  readonly #model: TextClassifierModel;

  private constructor(module: TextClassifierModule, model: TextClassifierModel) {
    this.#module = module;
    this.#model = model;
  }

  static async load(
    module: TextClassifierModule,
    source: ByteSource,
    context: CallContext,
  ): Promise<TextModel> {
    const how = { mayStream: true };
    return new TextModel(module, await loadModel(module, 'textClassifier', source, context, how));
  }

  facts(): OpenedModel {
    return openedModel(this.#module, 'textClassifier', this.#model);
  }

  predict({ texts, settings }: Input, context: CallContext): Promise<Predicted> {
    const module = this.#module;
    const begun = unwrap(module.beginPredict(this.#model, JSON.stringify(settings)));
    return using(module, begun, async (job) => {
      const report = (loaded: number) =>
        context.report({ phase: 'predict', loaded, total: texts.length, cached: false });
      await runTexts(module, job, texts, { signal: context.signal, report });
      return this.#predicted(job, context);
    });
  }

  #predicted(job: PredictJob, { transfer }: CallContext): Predicted {
    const module = this.#module;
    const { rows, rowCounts } = unwrap(module.rowsOfTexts(job));
    const copied = (range: HeapRange) => copyOut(module, range).buffer;
    const predicted = {
      counts: new Uint32Array(copied(rowCounts)),
      labels: new Uint32Array(copied(unwrap(module.predictedLabels(job)))),
      probabilities: new Float32Array(copied(rows)),
    };
    transfer.push(predicted.counts.buffer, predicted.labels.buffer, predicted.probabilities.buffer);
    return predicted;
  }
}
