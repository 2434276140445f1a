export interface FuzzOptions {
  readonly requests: number;
  /** The same seed gives the same requests. */
  readonly seed: number;
  readonly onProgress?: (done: number) => void;
}

/** Concurrent clients. Each derives its own sequence from the seed, so that the sum does not depend on timing. */
export async function fuzzInClients(
  clients: number,
  { requests, seed }: FuzzOptions,
  run: (options: { readonly numRuns: number; readonly seed: number }) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const numRuns = Math.floor(requests / clients) + (index < requests % clients ? 1 : 0);
      if (numRuns > 0) await run({ numRuns, seed: seed * clients + index });
    }),
  );
}
