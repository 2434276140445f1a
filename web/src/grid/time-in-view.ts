/** For how long pictures have been in view. */
export class TimeInView {
  #since: ReadonlyMap<number, number> = new Map();

  /** @param positions of the pictures that are in view now */
  update(positions: readonly number[], now: number): void {
    this.#since = new Map(positions.map((position) => [position, this.#since.get(position) ?? now]));
  }

  /** @returns ms; `undefined` if it is not in view */
  of(position: number, now: number): number | undefined {
    const since = this.#since.get(position);
    return since === undefined ? undefined : now - since;
  }
}
