/** One request of a group cannot be committed, and the transaction is rolled back. */
export class RejectedRequest extends Error {
  /**
   * @param at its place in the group
   * @param reason what its client gets
   */
  constructor(
    readonly at: number,
    readonly reason: Error,
  ) {
    super('A request of a group is rejected', { cause: reason });
  }
}
