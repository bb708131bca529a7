// In a page: answers of llamas by our package and by wllama, by turns.
import { open } from '../../../dist/index.js';

const blobOf = async (path) => (await fetch(path)).blob();

/** Milliseconds to the first token, and for each of the others. */
function stopwatch(answer) {
  const begin = performance.now();
  let first;
  return {
    token: () => {
      first ??= performance.now();
    },
    times: () => ({ prompt: first - begin, token: (performance.now() - first) / (answer - 1) }),
  };
}

async function ours(path, { ids, answer }) {
  const model = await open(await blobOf(path), { kind: 'generator', threads: 1 });
  const generate = () => model.generate(ids, { temperature: 0, maxTokens: answer });
  return {
    tokens: async () => {
      const { promptIds, ids } = await generate().result;
      return { promptTokens: promptIds.length, ids };
    },
    time: async () => {
      const watch = stopwatch(answer);
      for await (const _ of generate()) {
        watch.token();
      }
      return watch.times();
    },
  };
}

async function theirs(path, { text, answer }) {
  const { Wllama } = await import('/wllama/index.js');
  const llama = new Wllama({ default: '/wllama/wasm/wllama.wasm' }, { suppressNativeLog: true });
  llama.setCompat(null);
  await llama.loadModel([await blobOf(path)], { n_ctx: 512, n_threads: 1, n_gpu_layers: 0 });
  const options = { prompt: text, max_tokens: answer, temperature: 0, cache_prompt: false };
  return {
    tokens: async () => {
      const { choices, usage } = await llama.createCompletion({ ...options, logprobs: 1 });
      const ids = choices[0].logprobs.content.map(({ id }) => id);
      return { promptTokens: usage.prompt_tokens, ids };
    },
    time: async () => {
      const watch = stopwatch(answer);
      await llama.createCompletion({ ...options, stream: true, onData: watch.token });
      return watch.times();
    },
  };
}

/** By name the tokens of an answer, and its times in each round. `paths` are read by our package, `wllamaPaths` by
 *  wllama. */
export async function work({ paths, wllamaPaths, rounds, ...task }) {
  const runners = {};
  for (const [name, path] of Object.entries(paths)) {
    runners[name] = await ours(path, task);
  }
  for (const [name, path] of Object.entries(wllamaPaths)) {
    runners[name] = await theirs(path, task);
  }
  const results = {};
  for (const [name, { tokens }] of Object.entries(runners)) {
    results[name] = { ...(await tokens()), times: [] };
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, { time }] of Object.entries(runners)) {
      results[name].times.push(await time());
    }
  }
  return results;
}
