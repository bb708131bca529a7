// Models that write what a test says, for loops of clients over several turns.
import { open } from 'ambry';
import { chainFile } from '../../../../tests/web/support/files/chain-file.ts';

/** Ends with another character after the result of a tool, so that another answer follows. */
const template =
  "{% if tools %}Write <tool_call>.{% endif %}{% for m in messages %}{{ m.role }}: {% if m.reasoning_content %}({{ m.reasoning_content }}){% endif %}{{ m.content }}{% for call in m.tool_calls or [] %}{{ call.function | tojson }}{% endfor %}\n{% endfor %}{% if messages[-1].role == 'tool' %}assistant;{% else %}assistant:{% endif %}";

export const call = { name: 'get_weather', arguments: { city: 'Oslo' } };
export const callText = `<tool_call>${JSON.stringify(call)}</tool_call>`;
export const lastAnswer = 'Sun in Oslo.';

/** Calls a tool, and answers when it has the result. */
export const openToolUser = () =>
  open(
    chainFile({
      tokens: [callText, 'Sun', ' in Oslo', '.'],
      answers: { ':': [0], ';': [1, 2, 3] },
      template,
      context: 2048,
    }),
    { kind: 'generator' },
  );

export const thinkingTemplate = `${template}{% if enable_thinking is defined and not enable_thinking %}<think></think>!{% endif %}`;
export const thought = 'It is so.';

/** Thinks before it answers, unless the template says that it has thought. */
export const openThinker = () =>
  open(
    chainFile({
      tokens: ['<think>', '\n', 'It is', ' so.', '</think>', '\n\n', 'Yes', '.', 'No'],
      answers: { ':': [0, 1, 2, 3, 4, 5, 6, 7], '!': [8] },
      template: thinkingTemplate,
    }),
    { kind: 'generator' },
  );

/** Writes a word and a character of several tokens. */
export const openEmoji = () =>
  open(
    chainFile({
      tokens: ['Hello', ' world'],
      answers: { ':': [0, 1, -0xf0, -0x9f, -0x98, -0x80] },
    }),
    { kind: 'generator' },
  );
