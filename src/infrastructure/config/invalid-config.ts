/** `problems` has one line for each variable. */
export class InvalidConfig extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}
