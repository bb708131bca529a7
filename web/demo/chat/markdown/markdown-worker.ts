// Reads Markdown beside the page. The page ends this worker when a text takes it too long.

import type { MarkdownReply, MarkdownRequest } from './document.ts';
import { parseMarkdown } from './parse.ts';

function replyTo({ text }: MarkdownRequest): MarkdownReply {
  try {
    return { blocks: parseMarkdown(text) };
  } catch {
    // Too many elements, or nested so deeply that the stack overflowed.
    return { blocks: null };
  }
}

addEventListener('message', ({ data }: MessageEvent<MarkdownRequest>) => {
  postMessage(replyTo(data));
});
// The page counts the time of a text from here.
postMessage('ready');
