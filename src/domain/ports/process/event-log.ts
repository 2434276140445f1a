/** What operators must know although the client's request succeeds. */
export interface EventLog {
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}
