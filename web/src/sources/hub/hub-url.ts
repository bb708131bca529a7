// The URL of a file at the hub, and what is known of the file. The URL has the commit, so it always means the same bytes.
import type { HubAccess } from '../base/wire.ts';

export class HubUrl extends URL {
  readonly hub: HubAccess;

  constructor(url: string, hub: HubAccess) {
    super(url);
    this.hub = hub;
  }
}
