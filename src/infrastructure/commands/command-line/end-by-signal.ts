/** `process.exit` waits for every thread of libuv's pool, and a call that a disk blocks cannot be interrupted. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Reached only as process 1 of a container: the kernel ignores signals without a listener there, SIGKILL included.
  process.abort();
}
