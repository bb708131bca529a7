import { expect, test } from 'vitest';
import { XmlScanner } from '../../../../web/src/passages/word/xml-scanner.ts';

/** What is called, with the parts of a text as one. */
function eventsOf(...parts: readonly string[]): string[] {
  const events: string[] = [];
  const scanner = new XmlScanner({
    open: (name, attributes) => events.push(`<${name} ${JSON.stringify(attributes)}`),
    close: (name) => events.push(`>${name}`),
    text: (text) => {
      if (events.at(-1)?.startsWith('=')) {
        events[events.length - 1] += text;
      } else {
        events.push(`=${text}`);
      }
    },
  });
  for (const part of parts) {
    scanner.write(part);
  }
  scanner.end();
  return events;
}

const xml =
  '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c>">]><a x="1 &gt; &quot;" y=\'>\'>t &amp;&#x41;&#66;&b;<!-- <no> --><b/><![CDATA[<i>&amp;]]></a >';
const events = ['<a {"x":"1 > \\"","y":">"}', '=t &AB&b;', '<b {}', '>b', '=<i>&amp;', '>a'];

test('XML gives its tags and texts', () => {
  expect(eventsOf(xml)).toEqual(events);
});

test('XML in two parts gives the same, wherever it is cut', () => {
  for (let at = 0; at <= xml.length; at++) {
    expect(eventsOf(xml.slice(0, at), xml.slice(at)), xml.slice(0, at)).toEqual(events);
  }
  expect(eventsOf(...xml)).toEqual(events);
});

test('what has no end loses no text', () => {
  expect(eventsOf('<a>1 < 2<b c="')).toEqual(['<a {}', '=1  2b c="']);
  expect(eventsOf('<a>x<!-- y')).toEqual(['<a {}', '=x y']);
  expect(eventsOf('x &')).toEqual(['=x &']);
});

test('long texts of open signs are read', () => {
  for (const unit of ['<', '<a ', '<a b="', '</', '<!--', '<![CDATA[', '<!', '&', '<a b="c" ']) {
    eventsOf(unit.repeat(100_000 / unit.length));
  }
});
