import type { Metrics } from './metrics.ts';
import type { Models } from './models.ts';
import type { Settings } from './options.ts';

/** What every route works with. */
export interface Service {
  readonly models: Models;
  readonly metrics: Metrics;
  readonly settings: Settings;
}
