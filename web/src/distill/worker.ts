// Distillation on the worker's side: opens the encoder, and has the core make the file.
import { AmbryError } from '../base/errors.ts';
import type { OutputTo } from '../convert/worker-convert.ts';
import { blobOutput } from '../convert/worker-convert-job.ts';
import type { ModelKind } from '../model/kind.ts';
import { headOf, isStaticEncoder, openingOf } from '../model/opening.ts';
import { loadModel } from '../model/worker-load.ts';
import type { CallContext, Handlers } from '../rpc/serve.ts';
import { withEventLoop } from '../runtime/worker-event-loop.ts';
import { copyOut, encode, toJson, unwrap, using } from '../runtime/worker-heap.ts';
import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
import type { ByteSource } from '../sources/base/byte-source.ts';
import type { EncoderModule } from '../wasm/module.mjs';
import type { DistillCalls } from './protocol.ts';

type Input = DistillCalls['distill']['in'];
type KindNames = Readonly<Record<ModelKind, string>>;

export function distillHandlers(
  runtime: WorkerRuntime<EncoderModule>,
  kindNames: KindNames,
  outputTo?: OutputTo,
): Handlers<DistillCalls> {
  return {
    distill: (input, context) =>
      runtime.withSource(input.source, context, async (module, source) => {
        if (!isEncoderFile(await headOf(source), kindNames)) {
          return { converts: true };
        }
        const file = await distilledFrom(module, source, input, context);
        if (input.output && !outputTo) {
          throw new AmbryError('Unsupported', 'A browser cannot write to a path; take the blob.');
        }
        const output = input.output && outputTo ? await outputTo(input.output) : blobOutput();
        await output.write(0, file);
        return { blob: await output.finish() };
      }),
  };
}

/** Whether it runs as it is, or has to be converted first. Refuses what is no encoder with a transformer. */
function isEncoderFile(head: Uint8Array, kindNames: KindNames): boolean {
  if (isStaticEncoder(head)) {
    throw refused('this is a static one already');
  }
  const opening = openingOf(head);
  if (!opening || opening.converts) {
    return false;
  }
  const { kind } = opening;
  if (kind === 'encoder') {
    return true;
  }
  throw refused(`this is ${kind ? kindNames[kind] : 'something else'}`);
}

function refused(why: string): AmbryError {
  const message = `Only encoders with a transformer can be distilled; ${why}.`;
  return new AmbryError('Unsupported', message, { path: 'source' });
}

async function distilledFrom(
  module: EncoderModule,
  source: ByteSource,
  { settings, corpus }: Input,
  context: CallContext,
): Promise<Uint8Array<ArrayBuffer>> {
  // The weights run as floats: the tokens' vectors are quantized afterwards.
  const how = { options: { weights: 'f32' }, mayStream: true };
  const model = await loadModel(module, 'encoder', source, context, how);
  const begun = module.beginDistill(model, toJson(settings));
  return using(module, unwrap(begun), (job) =>
    withEventLoop(async (eventLoop) => {
      for (const text of corpus) {
        await eventLoop.turn(context.signal);
        unwrap(module.countTokens(job, encode(text)));
      }
      unwrap(module.startDistill(job));
      for (let isDone = false; !isDone; ) {
        await eventLoop.turn(context.signal);
        const { done, progress: loaded } = unwrap(module.stepDistill(job));
        context.report({ phase: 'train', loaded, total: 1000, cached: false });
        isDone = done;
      }
      return copyOut(module, unwrap(module.rangeOf(job)));
    }),
  );
}
