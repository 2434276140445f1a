/** Reads once at a time, for all callers that ask meanwhile: a call that hangs occupies a thread or a connection. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return async () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return await reading;
  };
}
