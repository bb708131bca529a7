// `ambry-http`: what `ambry-serve` and `ambry-mcp` have in common.
export {
  allowsOrigin,
  bearerOf,
  type Callers,
  hostRefusal,
  keyCheck,
  originRefusal,
} from './callers.ts';
export { asUsage, type CommandHost, isAbort } from './command-host.ts';
export { ended, listen, needsKey, urlOf } from './listen.ts';
export { type NamedFile, namedFile, namedFiles } from './named-files.ts';
