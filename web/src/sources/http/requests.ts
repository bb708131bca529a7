// What makes requests: `fetch`, or what the platform put in its place.

export interface RequestInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export type MakeRequest = (url: string, init: RequestInit) => Promise<Response>;

let make: MakeRequest = (url, init) => fetch(url, init);

export function makeRequest(url: string, init: RequestInit): Promise<Response> {
  return make(url, init);
}

/** Makes all later requests of this thread with `other`. */
export function makeRequestsWith(other: MakeRequest): void {
  make = other;
}
