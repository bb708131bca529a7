// Tells which models run: a folder whose files are damaged is told from one whose model is of a kind that does not run.
import type { RunReport, ValidationReport } from 'ambry';

/** Whether the only error of a folder is that its model does not open. */
export function onlyStops(report: ValidationReport | null, run: RunReport | null): boolean {
  const [error, ...others] = report?.errors ?? [];
  const obstacle = run?.files && run.obstacle;
  // What is wrong in a file has its name before the path.
  const isObstacle = error?.message === obstacle?.message && error?.path === obstacle?.path;
  return error !== undefined && isObstacle && others.length === 0;
}

/** Whether a page runs the model. A classifier that was trained on examples opens with an encoder, which the classify page has. */
export const runsHere = ({ obstacle }: RunReport): boolean =>
  obstacle === null || obstacle.path === 'options.encoder';
