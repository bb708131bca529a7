// A classifier of texts in the worker's heap. Between two steps of a job, a cancel arrives.

import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import { runSteps } from '../runtime/worker-event-loop.ts';
import { copyOut, encode, unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type {
  PartialSource,
  PredictJob,
  TextClassifierModule,
  TextClassifierSession,
} from '../wasm/module.mjs';
import type { Predicted, TextClassifierCalls } from './protocol.ts';

type Input = TextClassifierCalls['predict']['in'];

export class TextModel {
  readonly #module: TextClassifierModule;
  readonly #session: TextClassifierSession;

  private constructor(module: TextClassifierModule, session: TextClassifierSession) {
    this.#module = module;
    this.#session = session;
  }

  static async load(
    module: TextClassifierModule,
    source: ByteSource,
    context: CallContext,
  ): Promise<TextModel> {
    const begin = (parts: PartialSource) => module.beginTextClassifier(parts);
    const loader = await withParts(module, source, begin, true);
    return using(module, loader, async () => {
      await fillSink(module, loader, source, context, source.phase);
      return new TextModel(module, unwrap(module.finishTextClassifier(loader)));
    });
  }

  facts(): OpenedModel {
    const { info, weightBytes } = unwrap(this.#module.textClassifierFacts(this.#session));
    const flavour = this.#module.simdFlavour();
    return { info: info as FileInfo, weightBytes, flavour, kind: 'textClassifier' };
  }

  predict({ texts, settings }: Input, context: CallContext): Promise<Predicted> {
    const module = this.#module;
    const begun = unwrap(module.beginPredict(this.#session, JSON.stringify(settings)));
    return using(module, begun, async (job) => {
      for (const text of texts) {
        unwrap(module.addPredictText(job, encode(text)));
      }
      await runSteps(
        () => unwrap(module.stepPredict(job)),
        context.signal,
        (loaded) =>
          context.report({ phase: 'predict', loaded, total: texts.length, cached: false }),
      );
      return this.#predicted(job, context);
    });
  }

  #predicted(job: PredictJob, { transfer }: CallContext): Predicted {
    const ranges = unwrap(this.#module.predictions(job));
    const copied = (range: keyof typeof ranges) => copyOut(this.#module, ranges[range]).buffer;
    const predicted = {
      counts: new Uint32Array(copied('counts')),
      labels: new Uint32Array(copied('labels')),
      probabilities: new Float32Array(copied('probabilities')),
    };
    transfer.push(predicted.counts.buffer, predicted.labels.buffer, predicted.probabilities.buffer);
    return predicted;
  }
}
