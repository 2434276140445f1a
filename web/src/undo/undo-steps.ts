import type { Notice, Notices } from '../notices/notices.ts';
import { undoTexts } from './undo-texts.ts';

export interface UndoStep {
  /** What was done, in a sentence. */
  readonly text: string;
  readonly tone?: Notice['tone'];
  readonly undo: () => void;
  /** The undo time is over. */
  readonly onExpired?: () => void;
}

/** How long a step can be undone. It stands still while the person is at the notice. */
const UNDO_MS = 8000;

/**
 * What the person has done and can undo: the last step first, each by the one notice that is shown. The time begins again
 * with every further step, and does not end with the view.
 */
export class UndoSteps {
  readonly #notices: Pick<Notices, 'show'>;
  #steps: readonly UndoStep[] = [];
  #closeNotice: () => void = () => {};

  constructor(notices: Pick<Notices, 'show'>) {
    this.#notices = notices;
  }

  /** @returns a function after which it cannot be undone any more */
  add(step: UndoStep): () => void {
    this.#steps = [...this.#steps, step];
    this.#showNotice();
    return () => this.#remove(step);
  }

  /** The last step; then the one before. */
  undo(): void {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    this.#steps = this.#steps.slice(0, -1);
    step.undo();
    this.#showNotice();
  }

  #remove(step: UndoStep): void {
    const isShown = this.#steps.at(-1) === step;
    this.#steps = this.#steps.filter((other) => other !== step);
    if (isShown) this.#showNotice();
  }

  /** For the step that `undo` would undo. */
  #showNotice(): void {
    this.#closeNotice();
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    this.#closeNotice = this.#notices.show(step.text, {
      tone: step.tone ?? 'info',
      action: { label: undoTexts().undo, run: () => this.undo() },
      lifetimeMs: UNDO_MS,
      onExpired: () => this.#expire(),
    });
  }

  #expire(): void {
    const steps = this.#steps;
    this.#steps = [];
    for (const { onExpired } of steps) onExpired?.();
  }
}
