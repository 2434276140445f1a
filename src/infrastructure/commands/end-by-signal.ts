/** `process.exit` waits for every thread of libuv's pool, and a job of libvips cannot be interrupted. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Reached only as process 1 of a container: the kernel ignores signals without a listener there, SIGKILL included.
  process.abort();
}
