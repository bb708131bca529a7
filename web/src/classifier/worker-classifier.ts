// A network in the worker's heap: one layer a step, timed, with a breath between for a cancel.

import type { FileInfo } from '../files/inspect-types.ts';
import type { ClassifyCalls } from '../rpc/protocol.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withBreath } from '../runtime/worker-breath.ts';
import { unwrap, using } from '../runtime/worker-heap.ts';
import { fillSink, withParts } from '../runtime/worker-parts.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import type {
  ClassifierSession,
  ClassifyJob,
  ClassifyModule,
  PartialSource,
} from '../wasm/ambry.mjs';
import type { Classification, ClassifiedLayer } from './types.ts';
import { putInput } from './worker-put-input.ts';

type Input = ClassifyCalls['classify']['in'];

export class Classifier {
  readonly #module: ClassifyModule;
  readonly #session: ClassifierSession;

  private constructor(module: ClassifyModule, session: ClassifierSession) {
    this.#module = module;
    this.#session = session;
  }

  static async load(
    module: ClassifyModule,
    source: ByteSource,
    context: CallContext,
  ): Promise<Classifier> {
    const begin = (parts: PartialSource) => module.beginClassifier(parts);
    const loader = await withParts(module, source, begin);
    return using(module, loader, async () => {
      await fillSink(module, loader, source, context, source.phase);
      return new Classifier(module, unwrap(module.finishClassifier(loader)));
    });
  }

  facts(): ClassifyCalls['open']['out'] {
    const { info, weightBytes } = unwrap(this.#module.classifierFacts(this.#session));
    const flavour = this.#module.simdFlavour();
    return { info: info as FileInfo, weightBytes, flavour, kind: 'classifier' };
  }

  classify({ input, plan, settings }: Input, context: CallContext): Promise<Classification> {
    const module = this.#module;
    if (plan !== null) unwrap(module.usePlan(this.#session, plan));
    const begun = unwrap(module.beginClassify(this.#session, JSON.stringify(settings)));
    return using(module, begun, async (job) => {
      putInput(module, input, {
        tensor: (length) => module.classifyTensor(job, length),
        picture: (width, height) => module.classifyPicture(job, width, height),
      });
      const layers = await this.#run(job, context);
      const result = unwrap(module.classified(job)) as Omit<Classification, 'layers'>;
      return { ...result, layers };
    });
  }

  #run(job: ClassifyJob, { signal, report }: CallContext): Promise<ClassifiedLayer[]> {
    return withBreath(async (breath) => {
      const layers = unwrap(this.#module.startClassify(job));
      const timed: ClassifiedLayer[] = [];
      for (const layer of layers) {
        await breath.take(signal);
        const begin = performance.now();
        unwrap(this.#module.stepClassify(job));
        timed.push({ ...layer, milliseconds: performance.now() - begin });
        report({ phase: 'classify', loaded: timed.length, total: layers.length, cached: false });
      }
      return timed;
    });
  }
}
