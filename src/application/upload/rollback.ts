/** Takes steps back, the last one first, unless all have succeeded. */
export class Rollback implements AsyncDisposable {
  private readonly undos: Array<() => Promise<void> | void> = [];

  /** @param undo never rejects: the caller gets the error of the step that failed */
  add(undo: () => Promise<void> | void): void {
    this.undos.push(undo);
  }

  /** All steps have succeeded. */
  cancel(): void {
    this.undos.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const undo of this.undos.toReversed()) await undo();
  }
}
