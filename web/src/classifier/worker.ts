// The calls that networks for pictures take. A worker serves one model.
import { AmbryError } from '../errors.ts';
import type { ClassifyCalls } from '../rpc/protocol.ts';
import type { Handlers } from '../rpc/serve.ts';
import { need } from '../runtime/worker-need.ts';
import type { Workplace } from '../runtime/worker-workplace.ts';
import type { ClassifyModule } from '../wasm/ambry.mjs';
import { Classifier } from './worker-classifier.ts';

export interface ClassifyHandlers {
  readonly handlers: Handlers<ClassifyCalls>;
  /** Takes a network that was opened elsewhere. */
  readonly hold: (opened: Classifier) => ClassifyCalls['open']['out'];
}

export function classifyHandlers(place: Workplace<ClassifyModule>): ClassifyHandlers {
  let network: Classifier | undefined;

  const hold = (opened: Classifier) => {
    network = opened;
    return opened.facts();
  };
  const handlers: Handlers<ClassifyCalls> = {
    open: ({ source: wire }, context) =>
      place.withSource(wire, context, async (module, source) =>
        hold(await Classifier.load(module, source, context)),
      ),

    classify: async (input, context) => need(network).classify(input, context),

    embed: () => Promise.reject(noText()),
    tokenize: () => Promise.reject(noText()),
    detokenize: () => Promise.reject(noText()),
  };
  return { handlers, hold };
}

function noText(): AmbryError {
  return new AmbryError('Unsupported', 'A network for pictures takes no text.', { path: 'text' });
}
