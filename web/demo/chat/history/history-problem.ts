// Why conversations are not saved, for the user.

const unavailable =
  'This browser does not let the page save conversations, as in some private windows. They stay until you close or reload this page.';
const full =
  'The browser has no space left for this page. What is new stays until you close or reload it. Deleting conversations frees space.';

export function problemOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError') {
    return full;
  }
  const isRefused = ['SecurityError', 'InvalidStateError', 'ReferenceError', 'UnknownError'];
  if (isRefused.includes(name) || typeof indexedDB === 'undefined') {
    return unavailable;
  }
  return `Conversations are not saved: ${error instanceof Error ? error.message : String(error)}. They stay until you close or reload this page.`;
}
