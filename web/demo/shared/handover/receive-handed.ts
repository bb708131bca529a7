// The start of a page that another page has opened with files.

import type { Store } from '../base/store.ts';
import type { GivenFiles } from '../files/given-files.ts';
import type { PageState } from '../jobs/jobs.ts';
import { takeHandedOver } from './handover.ts';

/** Gives the page the files that were handed over to it, and says whether there were some. The page shows why they are not
 *  there. */
export async function receiveHanded<State extends PageState>(
  store: Store<State>,
  receive: (given: GivenFiles) => Promise<void>,
): Promise<boolean> {
  try {
    const given = await takeHandedOver();
    if (given === null) {
      return false;
    }
    await receive(given);
    return true;
  } catch (error) {
    store.update({ failure: { title: 'The files are not here', error } } as Partial<State>);
    return false;
  }
}
