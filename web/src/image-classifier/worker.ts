// A network on the worker's side. One layer runs per step, so that a cancel arrives between layers. Each step is timed.
import { holdModel } from '../model/worker-hold.ts';
import { openedModel } from '../model/worker-load.ts';
import type { ModelHandlers } from '../model/worker-open.ts';
import type { CallContext } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ClassifyJob, ImageClassifierModel, ImageClassifierModule } from '../wasm/module.mjs';
import type { ImageClassifierCalls } from './protocol.ts';
import type { Activation, ClassifiedLayer, ImageRun } from './types.ts';
import { putInput } from './worker-put-input.ts';

export function imageClassifierHandlers(
  runtime: WorkerRuntime<ImageClassifierModule>,
): ModelHandlers<ImageClassifierCalls> {
  const { loader, model } = holdModel(runtime, 'imageClassifier');
  return {
    loader: {
      ...loader,
      load: async (source, request, context) => {
        const opened = await loader.load(source, request, context);
        if (!request.plan) {
          return opened;
        }
        const module = await runtime.wasm();
        unwrap(module.usePlan(model(), toJson(request.plan)));
        return openedModel(module, 'imageClassifier', model());
      },
    },
    handlers: {
      runPicture: async (input, context) =>
        runPicture(await runtime.wasm(), model(), input, context),
    },
  };
}

function runPicture(
  module: ImageClassifierModule,
  model: ImageClassifierModel,
  { input, plan, settings }: ImageClassifierCalls['runPicture']['in'],
  context: CallContext,
): Promise<ImageRun> {
  if (plan !== null) {
    unwrap(module.usePlan(model, plan));
  }
  const begun = unwrap(module.beginClassify(model, toJson(settings)));
  return using(module, begun, async (job) => {
    putInput(module, input, {
      tensor: (length) => module.classifyTensor(job, length),
      picture: (width, height) => module.classifyPicture(job, width, height),
    });
    const layers = await runLayers(module, job, context);
    const result = unwrap(module.classified(job)) as Omit<ImageRun, 'layers'>;
    const { activations } = result;
    return {
      ...result,
      layers,
      ...(activations && { activations: withValues(module, job, activations) }),
    };
  });
}

/** The core gives the values of all activations in one piece. */
function withValues(
  module: ImageClassifierModule,
  job: ClassifyJob,
  kept: readonly Omit<Activation, 'values'>[],
): Activation[] {
  const { buffer } = copyOut(module, unwrap(module.rangeOf(job)));
  let at = 0;
  return kept.map((activation) => {
    const [, height, width] = activation.shape;
    const count = activation.channels * height * width;
    const values = new Float32Array(buffer, at * Float32Array.BYTES_PER_ELEMENT, count).slice();
    at += count;
    return { ...activation, values };
  });
}

function runLayers(
  module: ImageClassifierModule,
  job: ClassifyJob,
  { signal, report }: CallContext,
): Promise<ClassifiedLayer[]> {
  return withEventLoop(async (eventLoop) => {
    const layers = unwrap(module.startClassify(job));
    const timed: ClassifiedLayer[] = [];
    for (const layer of layers) {
      await eventLoop.turn(signal);
      const begin = performance.now();
      unwrap(module.stepClassify(job));
      timed.push({ ...layer, milliseconds: performance.now() - begin });
      report({ phase: 'classify', loaded: timed.length, total: layers.length, cached: false });
    }
    return timed;
  });
}
