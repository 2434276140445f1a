/** What operators must hear of although the client's request goes well. */
export interface EventLog {
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}
