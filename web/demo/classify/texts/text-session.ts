// The actions of the tasks that label a text and find names in it. An action that fails or is cancelled leaves the page as it was.

import type { LabelScore, TextClassifier, TextEntity, TokenClassifier } from 'ambry';
import type { Store } from '../../shared/base/store.ts';
import { explainAddress, explainGiven } from '../../shared/explain/explain-failure.ts';
import { fileNameOf } from '../../shared/files/file-names.ts';
import type { GivenFiles } from '../../shared/files/given-files.ts';
import { type JobContext, type JobPlan, type Jobs, openingPlan } from '../../shared/jobs/jobs.ts';
import type { Runtime } from '../../shared/site/runtime.ts';
import type { GivenModel } from '../given/route.ts';
import { otherFirstTexts } from '../state/first-texts.ts';
import type { ClassifyState, NameSettings, OpenTextModel } from '../state/state.ts';
import type { TextTask } from '../state/task.ts';
import { openBuiltIn, openGiven, type RunsText, type RunsTextSource } from './open-model.ts';
import { PartSession } from './part-session.ts';

/** A text of a file is cut here, so that the page stays usable. */
export const longestText = 20_000;

const isLabeller = (opened: RunsTextSource): opened is OpenTextModel<TextClassifier> =>
  opened.model.kind === 'textClassifier';

export class TextSession {
  readonly #store: Store<ClassifyState>;
  readonly #jobs: Jobs<ClassifyState>;
  readonly #runtime: Runtime;
  readonly #labels: PartSession<TextClassifier, readonly LabelScore[]>;
  readonly #names: PartSession<TokenClassifier, readonly TextEntity[]>;

  constructor(store: Store<ClassifyState>, jobs: Jobs<ClassifyState>, runtime: Runtime) {
    this.#store = store;
    this.#jobs = jobs;
    this.#runtime = runtime;
    const reopen = (loaded: OpenTextModel<RunsText>) => this.#openAgain(loaded);
    this.#labels = new PartSession(
      store,
      {
        failureTitle: 'The text could not be classified',
        of: ({ text }) => text,
        put: (text) => ({ text }),
        find: (model, text, { labelCount }, signal) =>
          model.classify(text, { k: labelCount || model.labels.length, signal }),
      },
      reopen,
    );
    this.#names = new PartSession(
      store,
      {
        failureTitle: 'No names could be looked for in the text',
        of: ({ names }) => names,
        put: (names) => ({ names }),
        find: (model, text, { nameSettings }, signal) =>
          model.tag(text, { ...nameSettings, signal }),
      },
      reopen,
    );
  }

  /** The task has a model and its first text, or those of a link. */
  async start(task: TextTask, text: string): Promise<void> {
    const { typed, loaded } = this.#store.state[task];
    if (typed === '' && text !== '') {
      this.#part(task).type(text);
    }
    if (loaded === null) {
      await this.openBuiltIn(task);
    } else {
      await this.#part(task).ask();
    }
  }

  type(task: TextTask, typed: string): void {
    this.#part(task).type(typed);
  }

  ask(task: TextTask): Promise<void> {
    return this.#part(task).ask();
  }

  async setText(task: TextTask, typed: string): Promise<void> {
    this.type(task, typed);
    await this.ask(task);
  }

  /** Shows what a file says. */
  async readText(task: TextTask, file: File): Promise<void> {
    const text = await file.slice(0, 4 * longestText).text();
    await this.setText(task, text.slice(0, longestText));
    if (text.length > longestText || file.size > 4 * longestText) {
      const notice = `Only the first ${longestText.toLocaleString('en')} characters are read.`;
      this.#store.update({ notice });
    }
  }

  async setLabelCount(labelCount: number): Promise<void> {
    this.#store.update({ labelCount });
    await this.#labels.ask();
  }

  async setNameSettings(changes: Partial<NameSettings>): Promise<void> {
    this.#store.update({ nameSettings: { ...this.#store.state.nameSettings, ...changes } });
    await this.#names.ask();
  }

  openBuiltIn(task: TextTask): Promise<void> {
    return this.#open('Loading the built-in model', (context) =>
      openBuiltIn(task, this.#runtime, context),
    );
  }

  openModel(given: GivenModel, files: GivenFiles): Promise<void> {
    const explain = explainGiven(files, 'classify');
    return this.#open(`Opening ${given.name}`, this.#opener(given), explain);
  }

  openUrl(url: string, kind: GivenModel['kind']): Promise<void> {
    const given: GivenModel = { name: fileNameOf(url), source: url, kind };
    const explain = explainAddress(url, 'classify');
    return this.#open(`Loading ${url}`, this.#opener(given), explain);
  }

  #opener(given: GivenModel) {
    return (context: JobContext) => openGiven(given, this.#runtime, context);
  }

  /** There is a text to begin with. */
  #show(task: TextTask): void {
    this.#store.update({ task });
    if (this.#store.state[task].typed === '') {
      this.#part(task).type(otherFirstTexts[task]);
    }
  }

  #part(task: TextTask) {
    return task === 'text' ? this.#labels : this.#names;
  }

  #openAgain({ name, builtIn, source, model }: OpenTextModel<RunsText>): Promise<void> {
    const { kind } = model;
    const task = kind === 'textClassifier' ? 'text' : 'names';
    return builtIn
      ? this.openBuiltIn(task)
      : this.#open(
          `Starting ${name} again`,
          this.#opener({ name, source: source as GivenModel['source'], kind }),
        );
  }

  /** The model says which task it is for, which the page then shows. */
  #open(
    title: string,
    find: (context: JobContext) => Promise<RunsTextSource>,
    explain?: JobPlan['explain'],
  ): Promise<void> {
    const plan = openingPlan(title, 'The model was not opened', explain);
    return this.#jobs.run(plan, async (context) => {
      const opened = await find(context);
      if (!opened.builtIn) {
        this.#show(isLabeller(opened) ? 'text' : 'names');
      }
      await (isLabeller(opened)
        ? this.#labels.use(opened)
        : this.#names.use(opened as OpenTextModel<TokenClassifier>));
    });
  }
}
