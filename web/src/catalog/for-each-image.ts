/** Requests under way at a time. */
const CONCURRENCY = 4;

export interface Failure {
  readonly id: number;
  readonly error: unknown;
}

/** Sends a request for each picture, in their order. Resolves to those that failed. */
export async function forEachImage(
  ids: readonly number[],
  send: (id: number) => Promise<unknown>,
  concurrency = CONCURRENCY,
): Promise<readonly Failure[]> {
  const waiting = [...ids];
  const failures: Failure[] = [];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await send(id);
      } catch (error) {
        failures.push({ id, error });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return failures;
}
