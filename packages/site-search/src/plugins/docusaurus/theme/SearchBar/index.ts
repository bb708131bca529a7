// The search bar of a Docusaurus theme.
import { useHistory } from '@docusaurus/router';
import { usePluginData } from '@docusaurus/useGlobalData';
import { createElement, type ReactElement, useEffect, useRef } from 'react';
import { devNote } from '../../../shared/dev-note.ts';
import { type SelectEvent, selectedUrl } from '../../../shared/selected-url.ts';
import './search-bar.css';

interface BoxData {
  /** Dev servers have no index. */
  readonly isBuilt: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

export default function SearchBar(): ReactElement {
  const { isBuilt, attributes } = usePluginData('ambry-site-search') as BoxData;
  const history = useHistory();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    /** Opens a result without loading the whole page. */
    const open = (event: Event): void => {
      const url = selectedUrl(event as SelectEvent);
      if (!url) {
        return;
      }
      event.preventDefault();
      history.push(url.pathname + url.search + url.hash);
    };
    const { current } = box;
    current?.addEventListener('ambry-search-select', open);
    return () => current?.removeEventListener('ambry-search-select', open);
  }, [history]);
  if (!isBuilt) {
    return createElement('span', { className: 'ambry-search-note' }, devNote);
  }
  return createElement('ambry-search', { ...attributes, ref: box });
}
