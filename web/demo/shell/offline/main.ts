// The entry of all built pages for work without a connection.

import { pageIsQuiet } from './quiet.ts';

if (isSecureContext && 'serviceWorker' in navigator) {
  pageIsQuiet()
    .then(() => import('./start.ts'))
    .then(({ startOffline }) => startOffline())
    // Browsers that refuse, as some private windows do, show the page as it is.
    .catch(() => undefined);
}
