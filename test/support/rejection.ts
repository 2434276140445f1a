/** The error that a promise rejects with; fails if it resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => new Error('The promise resolves, although a rejection is expected'),
    (reason: unknown) => ({ reason }),
  );
  if (outcome instanceof Error) throw outcome;
  if (outcome.reason instanceof Error) return outcome.reason;
  throw new TypeError('The promise rejects with something that is not an Error', { cause: outcome.reason });
}
