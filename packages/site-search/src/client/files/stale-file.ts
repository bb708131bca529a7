// A file of the index is missing or is another one: the site was deployed since the manifest was read, or is half deployed.
import { AmbryError } from 'ambry/terms';

export class StaleFile extends AmbryError {
  constructor(path: string, reason: string, code: 'NotFound' | 'Mismatch', cause?: unknown) {
    const message = `The search index of the site has no right ${path} (${reason}). It may have been replaced. Load the page again; if that does not help, deploy the whole folder of the index.`;
    super(code, message, { path, cause });
  }
}
