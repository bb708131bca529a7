// Threads of a language model: workers that compute beside the model's own, over the same memory. Each does a share of
// every product and of attention, so the numbers are the same, to the last bit, for every number of threads.
import { AmbryError, messageOf } from '../base/errors.ts';
import type { FileInfo } from '../model/file-info.ts';
import type { OpenedModel } from '../model/protocol.ts';
import type { OpenOptions } from '../model/types.ts';
import type { Channel } from '../rpc/channel.ts';
import { type Connection, keepWorker } from '../runtime/connect.ts';
import type { GeneratorCalls, LentTeam, TeamCalls } from './base/protocol.ts';
import type { GeneratorInfo } from './base/types.ts';
import { Generator } from './client.ts';

type TeamChannel = Channel<TeamCalls>;

/** By default a model has no more threads than this. */
const mostByDefault = 4;
/** A smaller model gives its tokens faster than threads start. */
const leastBytes = 16e6;

/** A generator with its threads. `open` has checked the options. */
export async function openGenerator(
  connection: Connection<GeneratorCalls>,
  opened: OpenedModel,
  options: OpenOptions,
): Promise<Generator> {
  const { device } = (opened.info as FileInfo & { readonly generator: GeneratorInfo }).generator;
  if (options.device === 'webgpu' && device?.name === 'wasm') {
    const message = `The model runs in WebAssembly: ${device.reason}`;
    options.onWarning?.({ code: 'Unsupported', message, path: 'options.device' });
  }
  return new Generator(
    connection,
    opened,
    await threadsFor(connection, opened.weightBytes, options),
  );
}

/** Starts the threads that the options ask for, or the usual ones. Returns how many the model has. */
export async function threadsFor(
  connection: Connection<GeneratorCalls>,
  weightBytes: number,
  options: OpenOptions,
): Promise<number> {
  const wanted = options.threads ?? defaultThreads(connection.platform.cores(), weightBytes);
  return wanted > 1 ? startThreads(connection, wanted, options.onWarning) : 1;
}

/** Half of the logical processors: two of them often share one core. */
export function defaultThreads(cores: number, weightBytes: number): number {
  if (weightBytes < leastBytes) {
    return 1;
  }
  return cores <= 2 ? cores : Math.min(Math.ceil(cores / 2), mostByDefault);
}

/** Returns how many threads the model has. Without shared memory that is one. */
async function startThreads(
  connection: Connection<GeneratorCalls>,
  wanted: number,
  onWarning: OpenOptions['onWarning'],
): Promise<number> {
  const own = connection.channel as unknown as TeamChannel;
  const lent = await own.call('leadTeam', { size: wanted });
  if (!lent) {
    return 1;
  }
  const { members, team } = lent;
  const started = await Promise.allSettled(
    members.map((member) => startThread(connection, { ...member, team })),
  );
  const failed = started.find((thread) => thread.status === 'rejected');
  if (failed) {
    const message = `Fewer threads run than were asked for: ${messageOf(failed.reason)}`;
    onWarning?.(new AmbryError('Unsupported', message, { path: 'options.threads' }).toJSON());
  }
  return 1 + started.filter(({ status }) => status === 'fulfilled').length;
}

/** The worker ends with the model. If it dies alone, the model ends: a part that it had taken is never done. */
async function startThread(
  { platform, runtime, channel: own, further }: Connection<GeneratorCalls>,
  lent: LentTeam,
): Promise<void> {
  let serves = false;
  const onCrash = (reason: string) => {
    if (serves) {
      own.fail(`one of its threads died: ${reason}`);
    }
  };
  await keepWorker<TeamCalls, void>(
    platform,
    runtime,
    'generator',
    async ({ channel }) => {
      further.add(channel);
      try {
        await channel.call('serveTeam', lent);
        serves = true;
      } catch (error) {
        further.delete(channel);
        throw error;
      }
    },
    onCrash,
  );
}
