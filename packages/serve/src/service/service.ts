import type { ApiError, StoredResponses } from 'ambry-openai/shared';
import type { Metrics } from './metrics.ts';
import type { Models } from './models.ts';
import type { Settings } from './options.ts';

/** What every route works with. */
export interface Service {
  readonly models: Models;
  readonly metrics: Metrics;
  readonly settings: Settings;
  /** What a client is told of an error. The program is told of those that no client may see. */
  readonly failure: (error: unknown) => ApiError;
  /** What clients may refer to by an id. */
  readonly stored: StoredResponses;
}
