// The search box in the place of VPNavBarSearch.vue of VitePress's default theme.
import { attributes, placeOf, script } from 'virtual:ambry-site-search';
import { useData } from 'vitepress';
import { type Component, defineComponent, h, onMounted, ref } from 'vue';
import { devNote } from '../shared/dev-note.ts';
import { type SelectEvent, selectedUrl } from '../shared/selected-url.ts';
import './search-box.css';

const searchBox: Component = defineComponent({
  name: 'AmbrySearchBox',
  setup() {
    const { localeIndex } = useData();
    const note = ref(script === undefined ? devNote : '');
    onMounted(() => {
      if (script !== undefined) {
        loadScript(script, () => (note.value = 'Search cannot be loaded'));
      }
    });
    const box = () =>
      h('ambry-search', {
        ...attributes,
        ...placeOf(localeIndex.value),
        'onAmbry-search-select': openResult,
      });
    return () =>
      h('div', { class: 'VPNavBarSearch' }, [
        note.value === '' ? box() : h('span', { class: 'ambry-search-note' }, note.value),
      ]);
  },
});

/** Once, however many boxes there are. */
function loadScript(src: string, onError: () => void): void {
  if (customElements.get('ambry-search')) {
    return;
  }
  const element = document.createElement('script');
  element.type = 'module';
  element.src = src;
  element.addEventListener('error', onError);
  document.head.append(element);
}

/** VitePress opens links of the page without loading all of it, and scrolls to their anchors. So a link of the page is
 *  clicked. */
function openResult(event: SelectEvent): void {
  const url = selectedUrl(event);
  if (!url) {
    return;
  }
  event.preventDefault();
  const link = document.createElement('a');
  link.href = url.href;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

export default searchBox;
