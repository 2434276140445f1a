/** A command that cannot do its work, or not now: the message says why. */
export class CommandRefused extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}
