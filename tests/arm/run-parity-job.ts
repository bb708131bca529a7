// Runs a job of those that browsers run, too, in the Node that runs this program, in each build that it has. The arguments
// are the folder of the jobs' files and the title of the job.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as ambry from 'ambry';
import { type ParityJob, type ParityResult, parityJobs } from '../engines/site/parity-jobs.ts';

/** What a job computed in one build. */
export interface JobResult extends Pick<ParityResult, 'flavour' | 'exact'> {
  /** The bits of the numbers, in hexadecimal, because JSON has no -0 and no NaN. */
  readonly bits: Readonly<Record<string, string>>;
}

const [folder = '', title = ''] = process.argv.slice(2);
const read = async (name: string) => Uint8Array.from(await readFile(join(folder, name)));

async function runIn(job: ParityJob, deterministic: boolean): Promise<JobResult> {
  const { flavour, exact, numbers } = await job({ ambry, read, deterministic });
  const bits = Object.entries(numbers).map(([name, values]) => {
    return [name, Buffer.from(Float64Array.from(values).buffer).toString('hex')];
  });
  return { flavour, exact, bits: Object.fromEntries(bits) };
}

const job = parityJobs[title];
if (job === undefined) {
  throw new Error(`There is no job “${title}”.`);
}
const results = [await runIn(job, false)];
if (results[0]?.flavour === 'relaxed') {
  results.push(await runIn(job, true));
}
console.log(JSON.stringify(results));
