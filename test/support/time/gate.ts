/** Lets a test delay work until the gate opens. */
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

/** Lets all work continue that does not wait for input or output. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => void setImmediate(resolve));
}
