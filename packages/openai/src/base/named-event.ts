/** An event of a stream, with a name. */
export interface NamedEvent {
  readonly type: string;
}
