/** Reads up to `size` items before they are taken, so that their source and their consumer work at the same time. */
export async function* readAhead<T>(
  items: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  const ahead: Array<Promise<IteratorResult<T>>> = [];
  const request = (): void => {
    const next = iterator.next();
    // The consumer gets the error when it takes the item. Until then it must not count as unhandled.
    next.catch(() => undefined);
    ahead.push(next);
  };
  try {
    for (let index = 0; index < size; index += 1) request();
    for (;;) {
      const result = await ahead.shift();
      if (result === undefined || result.done === true) return;
      request();
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}
