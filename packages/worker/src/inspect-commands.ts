// The commands that look at the queue.
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandSpec } from './arguments.ts';
import { failedJobs, queueStatus, retryFailed } from './inspect-queue.ts';
import { jsonOption, lineOf, queueOptions, queuePlace } from './options.ts';
import { openQueue } from './queue.ts';

export const statusCommand: CommandSpec = {
  usage: '',
  summary: 'Count the jobs of the queue, and the passages a second',
  options: {
    ...queueOptions,
    watch: { type: 'boolean', help: 'Print a line each second until no job is left.' },
    ...jsonOption,
  },
  required: [],
  argumentCount: [0, 0],
  run: async (_, values, terminal) => {
    await using opened = await openQueue(queuePlace(values), terminal.signal);
    let last = await queueStatus(opened.queue, opened.client);
    let since = performance.now();
    for (;;) {
      await sleep(1000, undefined, { signal: terminal.signal });
      const now = await queueStatus(opened.queue, opened.client);
      const perSecond = (1000 * (now.written - last.written)) / (performance.now() - since);
      const secondsLeft = perSecond > 0 ? Math.round(now.left / perSecond) : null;
      const report = { ...now, perSecond: Math.round(perSecond * 10) / 10, secondsLeft };
      terminal.print(values['json'] ? JSON.stringify(report) : lineOf(report));
      if (!values['watch'] || now.waiting + now.active === 0) {
        return 0;
      }
      last = now;
      since = performance.now();
    }
  },
};

export const failedCommand: CommandSpec = {
  usage: '',
  summary: 'List the jobs that were set aside, with the reasons',
  options: { ...queueOptions, ...jsonOption },
  required: [],
  argumentCount: [0, 0],
  run: async (_, values, terminal) => {
    await using opened = await openQueue(queuePlace(values), terminal.signal);
    for await (const failed of failedJobs(opened.queue)) {
      if (values['json']) {
        terminal.print(JSON.stringify(failed));
      } else {
        terminal.print(`${failed.job}  ${failed.keys.length} passages\n${failed.reason}`);
      }
    }
    return 0;
  },
};

export const retryCommand: CommandSpec = {
  usage: '',
  summary: 'Put the jobs that were set aside back into the queue',
  options: { ...queueOptions, ...jsonOption },
  required: [],
  argumentCount: [0, 0],
  run: async (_, values, terminal) => {
    await using opened = await openQueue(queuePlace(values), terminal.signal);
    const retried = await retryFailed(opened.queue);
    terminal.print(values['json'] ? JSON.stringify({ retried }) : `retried ${retried}`);
    return 0;
  },
};
