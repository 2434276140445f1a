/** Takes messages, and the memory that is transferred with them, to nobody. */
const { port1: closed } = new MessageChannel();
closed.close();

/**
 * Frees the chunks of one body without waiting for a garbage collection. Node.js makes a buffer for each, V8 counts it towards the limit
 * of its heap, and would collect the whole heap for every few megabytes.
 *
 * @returns to be called for each chunk that is not used any more, in their order
 */
export function freeingChunks(): (chunk: Uint8Array) => void {
  let buffer: ArrayBufferLike | undefined;
  return (chunk) => {
    const before = buffer;
    buffer = chunk.buffer;
    // The form parser cuts a buffer into several chunks. What it copies is in a pool that others use.
    if (before === undefined || before === buffer || before.byteLength <= Buffer.poolSize) return;
    closed.postMessage(undefined, [before as ArrayBuffer]);
  };
}
