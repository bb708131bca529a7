import type { InstanceStack, OutcomeText } from './types.mjs';

/** Further instances of the module over the same memory. They use the same heap and the same handles. */
export interface InstancesBindings {
  /** Allocates a stack for one more instance. `top` is the address where it begins; it grows downwards. */
  makeStack(): OutcomeText<{ stack: InstanceStack; top: number }>;
}
