// The plan of a network that was an ONNX file, which `convert` writes into a file of its own.
import type { ConversionReport, ConvertOptions } from '../../entries/types.ts';
import { UsageError } from '../shared/failure.ts';
import { refuseToReplace } from '../shared/target.ts';
import type { Terminal } from '../shared/terminal.ts';
import { writeOutput } from '../shared/write-output.ts';

/** Takes the plan from the report of a conversion, and writes it. */
export class NetworkPlan {
  readonly onReport: NonNullable<ConvertOptions['onReport']>;
  #plan: ConversionReport['plan'];

  constructor() {
    this.onReport = ({ plan }) => {
      this.#plan = plan;
    };
  }

  /** `path` is the option `--plan`. Without it, a note says that the network needs the plan. */
  async write(path: string | undefined, terminal: Terminal): Promise<void> {
    if (path === undefined) {
      if (this.#plan) {
        terminal.note('note     classify needs the plan of this network: --plan FILE writes it');
      }
      return;
    }
    if (!this.#plan) {
      const message = 'The target needs no plan. Only networks that were ONNX files have one.';
      throw new UsageError(message, '--plan');
    }
    await writeOutput(path, new Blob([`${JSON.stringify(this.#plan)}\n`]), terminal);
  }
}

/** Fails where the plan would replace a file of the conversion. */
export async function checkPlanPath(
  path: string | undefined,
  others: readonly string[],
): Promise<void> {
  if (path === undefined) {
    return;
  }
  if (others.includes(path)) {
    throw new UsageError('The plan needs a file of its own.', '--plan');
  }
  await refuseToReplace(path, others);
}
