import { Store } from '../base/store.ts';
import type { PublishedNames } from './published-names.ts';

/** Whether pictures with public addresses are to be deleted. */
export interface DeletionQuestion {
  /** Of the pictures. */
  readonly ids: readonly number[];
  /** Their published names; `undefined` while they are read. */
  readonly names: readonly string[] | undefined;
  /** What `names` are: all of them, the known ones of very many, or none because they could not be read. */
  readonly certainty: 'all' | 'some' | 'none';
}

type AskedNames = Pick<PublishedNames, 'isUpToDate' | 'known' | 'namesOf' | 'read'>;

/** The public addresses of a picture end with it, also if it goes to the trash: the person is asked before it is deleted. */
export class EndingAddresses {
  /** What the person is asked now. */
  readonly question = new Store<DeletionQuestion | undefined>(undefined);
  readonly #published: AskedNames;
  #proceed: () => void = () => undefined;

  constructor(published: AskedNames) {
    this.#published = published;
  }

  /** Calls `proceed` at once if no address ends, and after the person has agreed if some do. */
  ask(ids: readonly number[], proceed: () => void): void {
    // The same key was pressed twice.
    if (this.question.get() !== undefined) return;
    this.#proceed = proceed;
    const question = this.#published.isUpToDate ? this.#questionOf(ids) : unanswered(ids);
    if (question.names?.length === 0 && question.certainty === 'all') {
      proceed();
      return;
    }
    this.question.set(question);
    if (question.names === undefined) void this.#read(question);
  }

  async agree(): Promise<void> {
    const proceed = this.#proceed;
    this.cancel();
    // After the dialog is gone, and the focus is back where it was.
    await Promise.resolve();
    proceed();
  }

  cancel(): void {
    this.question.set(undefined);
    this.#proceed = () => undefined;
  }

  async #read(asked: DeletionQuestion): Promise<void> {
    const isRead = await this.#published.read();
    // The person did not wait.
    if (this.question.get() !== asked) return;
    const question = isRead ? this.#questionOf(asked.ids) : unanswered(asked.ids);
    if (question.names === undefined) this.question.set({ ...asked, names: [], certainty: 'none' });
    else if (question.names.length === 0 && question.certainty === 'all') await this.agree();
    else this.question.set(question);
  }

  #questionOf(ids: readonly number[]): DeletionQuestion {
    const isAll = this.#published.known.get()?.isAll === true;
    return { ids, names: this.#published.namesOf(ids), certainty: isAll ? 'all' : 'some' };
  }
}

function unanswered(ids: readonly number[]): DeletionQuestion {
  return { ids, names: undefined, certainty: 'none' };
}
