// Tells a folder whose files are damaged from one whose model is of a kind that does not run.
import type { RunReport, ValidationReport } from 'ambry';

/** Whether the only error of a folder is that its model does not open. */
export function onlyStops(report: ValidationReport | null, run: RunReport | null): boolean {
  const [error, ...others] = report?.errors ?? [];
  const obstacle = run?.files && run.obstacle;
  // What is wrong in a file has its name before the path.
  const isObstacle = error?.message === obstacle?.message && error?.path === obstacle?.path;
  return error !== undefined && isObstacle && others.length === 0;
}
