// A network in the worker's heap. One layer runs per step, so that a cancel arrives between layers. Each step is
// timed.

import type { OpenedModel } from '../model/protocol.ts';
import { loadModel, openedModel } from '../model/worker-load.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, unwrap, using } from '../runtime/worker-heap.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { ClassifyJob, ImageClassifierModel, ImageClassifierModule } from '../wasm/module.mjs';
import type { ClassifierCalls } from './protocol.ts';
import type { Activation, Classification, ClassifiedLayer } from './types.ts';
import { putInput } from './worker-put-input.ts';

type Input = ClassifierCalls['classify']['in'];

export class Network {
  readonly #module: ImageClassifierModule;
  readonly #model: ImageClassifierModel;

  private constructor(module: ImageClassifierModule, model: ImageClassifierModel) {
    this.#module = module;
    this.#model = model;
  }

  static async load(
    module: ImageClassifierModule,
    source: ByteSource,
    context: CallContext,
  ): Promise<Network> {
    return new Network(module, await loadModel(module, 'classifier', source, context));
  }

  facts(): OpenedModel {
    return openedModel(this.#module, 'classifier', this.#model);
  }

  classify({ input, plan, settings }: Input, context: CallContext): Promise<Classification> {
    const module = this.#module;
    if (plan !== null) {
      unwrap(module.usePlan(this.#model, plan));
    }
    const begun = unwrap(module.beginClassify(this.#model, JSON.stringify(settings)));
    return using(module, begun, async (job) => {
      putInput(module, input, {
        tensor: (length) => module.classifyTensor(job, length),
        picture: (width, height) => module.classifyPicture(job, width, height),
      });
      const layers = await this.#run(job, context);
      const result = unwrap(module.classified(job)) as Omit<Classification, 'layers'>;
      const { activations } = result;
      return {
        ...result,
        layers,
        ...(activations && { activations: this.#withValues(job, activations) }),
      };
    });
  }

  /** The core gives the values of all activations in one piece. */
  #withValues(job: ClassifyJob, kept: readonly Omit<Activation, 'values'>[]): Activation[] {
    const module = this.#module;
    const { buffer } = copyOut(module, unwrap(module.classifyActivations(job)));
    let at = 0;
    return kept.map((activation) => {
      const [, height, width] = activation.shape;
      const count = activation.channels * height * width;
      const values = new Float32Array(buffer, at * Float32Array.BYTES_PER_ELEMENT, count).slice();
      at += count;
      return { ...activation, values };
    });
  }

  #run(job: ClassifyJob, { signal, report }: CallContext): Promise<ClassifiedLayer[]> {
    return withEventLoop(async (eventLoop) => {
      const layers = unwrap(this.#module.startClassify(job));
      const timed: ClassifiedLayer[] = [];
      for (const layer of layers) {
        await eventLoop.turn(signal);
        const begin = performance.now();
        unwrap(this.#module.stepClassify(job));
        timed.push({ ...layer, milliseconds: performance.now() - begin });
        report({ phase: 'classify', loaded: timed.length, total: layers.length, cached: false });
      }
      return timed;
    });
  }
}
