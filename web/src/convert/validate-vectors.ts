// Checks word vectors without a magic (text, word2vec, floret): all of the file is converted, and nothing is kept. Pages
// fetch this file with the first file that has no format of its own.
import { isOfFile } from '../base/errors.ts';
import type { ValidateOptions, ValidationReport } from '../inspect/validate-types.ts';
import { isUnknown } from '../model/open-converted.ts';
import type { Platform } from '../platform/platform.ts';
import { withWorker } from '../runtime/connect.ts';
import type { WireSource } from '../sources/base/wire.ts';
import { transferOf } from '../sources/wire-source.ts';
import type { ConvertCalls } from './protocol.ts';

type Checked = ConvertCalls['checkVectors']['out'];

/** The report of word vectors. `unknown`, the report of the file by its formats, comes back for any other file. */
export async function validateVectors(
  platform: Platform,
  source: WireSource,
  options: ValidateOptions,
  unknown: ValidationReport,
): Promise<ValidationReport> {
  const { strict: _strict, values: _values, checksums: _checksums, context: _, ...job } = options;
  const report = (found: Partial<ValidationReport>): ValidationReport => ({
    ...unknown,
    errors: [],
    valid: true,
    depth: 'values',
    rewritable: false,
    ...found,
  });
  try {
    const { from, warnings } = await withWorker<ConvertCalls, Checked>(
      platform,
      job,
      'convert',
      (channel) =>
        channel.call(
          'checkVectors',
          { weights: [{ name: '', source }], files: {} },
          { ...job, transfer: transferOf(source) },
        ),
    );
    return report({ format: from, warnings });
  } catch (error) {
    if (!isOfFile(error)) {
      throw error;
    }
    return isUnknown(error) ? unknown : report({ errors: [error.toJSON()], valid: false });
  }
}
