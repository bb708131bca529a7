// Runs the check in a page. The fragment of the page's address says where the assets are.
import { check } from './check.js';
import { report } from './report.js';

export function checkPage() {
  report(check(location.hash.slice(1)));
}
