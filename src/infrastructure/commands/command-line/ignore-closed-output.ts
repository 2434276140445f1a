/**
 * Lets a command finish its work and exit as usual when the reader of its output leaves, as `head` does. Without a listener,
 * the error of the next write would end the process with a stack trace.
 */
export function ignoreClosedOutput(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
