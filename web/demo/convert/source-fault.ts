// Finds out what is wrong with the source of a conversion, before anything is converted.

import { type ConversionTargets, type Problem, validate } from 'ambry';
import { convertedOnly } from 'ambry/tables';
import { formatAmount } from '../shared/base/format.ts';
import { cutOffLine, cutOffOf } from '../shared/failures/cut-off.ts';
import type { Runtime } from '../shared/site/runtime.ts';
import type { SourceFault, SourceModel } from './state.ts';

/** The errors of its headers and tables. Formats that are only converted are checked as they are read. */
async function errorsOf(
  { files }: SourceModel,
  { from, targets }: ConversionTargets,
  options: Runtime & { readonly signal: AbortSignal },
): Promise<readonly Problem[]> {
  if (!convertedOnly.some((id) => id === from)) {
    const { errors } = await validate(files, { ...options, checksums: false });
    return errors;
  }
  const [first] = targets;
  const same = targets.every(({ problem }) => problem?.message === first?.problem?.message);
  return first?.problem && same ? [first.problem] : [];
}

/** The bytes that are here of a file that may be cut off. */
const presentOf = ({ files, bytes }: SourceModel): number | undefined =>
  files instanceof Map || bytes === 0 ? undefined : bytes;

export async function sourceFault(
  source: SourceModel,
  targets: ConversionTargets,
  options: Runtime & { readonly signal: AbortSignal },
): Promise<SourceFault | null> {
  const errors = await errorsOf(source, targets, options);
  const cut = cutOffOf(errors);
  if (cut !== null) {
    return { kind: 'cutOff', sentence: cutOffLine(cut, presentOf(source)) };
  }
  return errors.length === 0 || convertedOnly.some((id) => id === targets.from)
    ? null
    : { kind: 'damaged', sentence: `Damaged: ${formatAmount(errors.length, 'error')}.` };
}
