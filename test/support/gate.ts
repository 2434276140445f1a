/** Where a test keeps work waiting until it opens. */
export class Gate {
  /** Resolves once the gate is open. */
  readonly opened: Promise<void>;
  #open: () => void = () => {};

  constructor() {
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }
}

/** Lets everything go on that can go on without input or output. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
}
