// The form with the target format, the number type, and what may be lost.

import { architectures, convertedOnly, formatLabels, targetExtensions } from 'ambry/tables';
import { formatName } from '../shared/base/format-names.ts';
import type { Store } from '../shared/base/store.ts';
import { byId, element } from '../shared/dom/dom.ts';
import { messageOf } from '../shared/failures/message.ts';
import type { ConvertSession } from './session.ts';
import type { ConvertState, Settings } from './state.ts';
import { storageTypeOf, storageTypesOf } from './storage-types.ts';

type Target = NonNullable<ConvertState['targets']>['targets'][number];

/** Formats that cannot always be detected: those that are only converted, and those that are only read. */
const sourceFormats = Object.keys(formatLabels).filter(
  (id) => convertedOnly.some((other) => other === id) || !(id in targetExtensions),
);

function card({ to, problem }: Target, chosen: boolean): HTMLElement {
  const input = element('input');
  input.type = 'radio';
  input.name = 'to';
  input.value = to;
  input.checked = chosen;
  input.disabled = problem !== null;
  const title = element('span', 'target-name', formatName(to));
  const made = element('label', 'target', input, title);
  if (problem !== null) {
    made.append(element('span', 'note', messageOf(new Error(problem.message))));
  }
  return made;
}

function needsArchitecture(problem: Target['problem']): boolean {
  return problem?.path?.includes('model_type') === true || problem?.path === 'options.arch';
}

function fillSelect(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
): void {
  select.replaceChildren(
    ...options.map(([value, label]) => {
      const option = element('option', '', label);
      option.value = value;
      option.selected = value === chosen;
      return option;
    }),
  );
}

/** An empty file input gives a file without a name. */
function isChosen(value: FormDataEntryValue): value is File {
  return value instanceof File && value.name !== '';
}

function readSettings(form: HTMLFormElement): Partial<Settings> {
  const data = new FormData(form);
  return {
    to: String(data.get('to') ?? ''),
    storage: String(data.get('storage') ?? ''),
    block: Number(data.get('block')),
    bits: Number(data.get('bits')),
    calibration: String(data.get('calibration') ?? ''),
    images: data.getAll('images').filter(isChosen),
    plan: data.getAll('plan').find(isChosen) ?? null,
    arch: String(data.get('arch') ?? ''),
    lossy: data.has('lossy'),
  };
}

export function mountTargetView(store: Store<ConvertState>, session: ConvertSession): void {
  const form = byId('convert-form', HTMLFormElement);
  const from = byId('from', HTMLSelectElement);
  const targets = byId('targets', HTMLFieldSetElement);
  const list = byId('target-list', HTMLElement);
  const settings = byId('settings', HTMLElement);
  const storage = byId('storage', HTMLSelectElement);
  const block = byId('block-field', HTMLElement);
  const bits = byId('bits-field', HTMLElement);
  const calibration = byId('calibration-field', HTMLElement);
  const images = byId('images-field', HTMLElement);
  const plan = byId('plan-field', HTMLElement);
  const arch = byId('arch', HTMLSelectElement);
  const archField = byId('arch-field', HTMLElement);
  const submit = byId('convert', HTMLButtonElement);

  from.addEventListener('change', () => void session.readAs(from.value));
  form.addEventListener('change', (event) => {
    if (event.target !== from) {
      void session.choose(readSettings(form));
    }
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void session.convert();
  });

  store.watch(['targets', 'settings'], ({ targets: found, settings: { from: source } }) => {
    const names = sourceFormats.map((id) => [id, formatName(id)] as const);
    const label =
      found === null || source !== '' ? 'Detect' : `${formatName(found.from)} (detected)`;
    fillSelect(from, [['', label], ...names], source);
  });
  store.watch(['targets', 'settings'], ({ targets: found, settings: { arch: chosen } }) => {
    const needed = found?.targets.some(({ problem }) => needsArchitecture(problem)) === true;
    archField.hidden = !needed && chosen === '';
    const names = architectures.map((id) => [id, id] as const);
    fillSelect(arch, [['', 'As the source states'], ...names], chosen);
  });
  store.watch(['targets', 'fault'], ({ targets: found, fault, settings: { to } }) => {
    // Nothing is made of a file that is cut off.
    form.hidden = fault?.kind === 'cutOff';
    targets.hidden = found === null;
    list.replaceChildren(...(found?.targets ?? []).map((target) => card(target, target.to === to)));
  });
  store.watch(['settings', 'targets', 'fault', 'job'], (state) => {
    const { settings: chosen, targets: found, fault, job } = state;
    const known = found !== null && chosen.to !== '';
    settings.hidden = !known;
    submit.hidden = !known || fault?.kind === 'cutOff';
    submit.disabled = job !== null;
    fillSelect(
      storage,
      storageTypesOf(chosen.to).map(({ value, label }) => [value, label] as const),
      chosen.storage,
    );
    const type = storageTypeOf(chosen.to, chosen.storage);
    block.hidden = type.hasBlocks !== true;
    bits.hidden = type.hasBits !== true;
    calibration.hidden = type.hasBits !== true;
    images.hidden = type.hasImages !== true;
    plan.hidden = type.hasImages !== true;
    submit.disabled ||= type.hasImages === true && chosen.images.length === 0;
  });
}
