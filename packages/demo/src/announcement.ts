/** What the commands print when the server listens. */
export function announcementOf(url: string): string {
  return `The demo pages are at ${url}, and the documentation at ${url}docs/ (Ctrl-C stops the server)`;
}
