// Tells what follows behind the end of a model in its file.

import type { Problem, ValidationReport } from 'ambry';
import { formatCount } from '../base/format.ts';

/** This much of a long tail is read, at its beginning and at its end. */
const readBytes = 65_536;
/** What a format with a stated size says of a longer file. */
const longer = /the header states (\d+) bytes, but the file goes on to/;

/** Where the tail begins; null if the problem is another one. */
function startOf({ byteOffset, message }: Problem, size: number): number | null {
  const follows = byteOffset !== undefined && message.startsWith(`${size - byteOffset} bytes`);
  return follows ? byteOffset : null;
}

/** Undefined if there is no tail. In a damaged file, what nothing refers to can belong to what is damaged. */
function tailStart(
  { errors, warnings }: Pick<ValidationReport, 'errors' | 'warnings'>,
  size: number,
): number | undefined {
  const [error, ...others] = errors;
  if (error !== undefined) {
    const stated = longer.exec(error.message)?.[1];
    return stated === undefined || others.length > 0 ? undefined : Number(stated);
  }
  return warnings.map((problem) => startOf(problem, size)).find((at) => at !== null) ?? undefined;
}

async function isZero(file: File, from: number, to: number): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(from, to).arrayBuffer());
  return bytes.every((byte) => byte === 0);
}

/** A sentence on the bytes behind the model's end; empty if there are none. */
export async function tailLine(
  file: File,
  report: Pick<ValidationReport, 'errors' | 'warnings'>,
): Promise<string> {
  const { size } = file;
  const start = tailStart(report, size);
  if (start === undefined) {
    return '';
  }
  const zeros =
    (await isZero(file, start, Math.min(size, start + readBytes))) &&
    (await isZero(file, Math.max(start, size - readBytes), size));
  const what = zeros ? 'zeros' : 'other bytes';
  return `The model ends at byte ${formatCount(start)}. Behind it are ${formatCount(size - start)} ${what}, which do not belong to it.`;
}
