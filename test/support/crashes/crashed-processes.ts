/** What a process of Node.js printed before it ended by an error that nothing has caught. */
export interface Crash {
  readonly command: string;
  readonly stderr: string;
}

/** Node.js prints its version last when an exception or a rejection ends the process. */
const UNCAUGHT = /^Node\.js v\d+\.\d+\.\d+$/m;

let crashes: Crash[] = [];

// For runs without the hooks. It does not matter in a worker process of Mocha, whose exit code nobody reads.
process.once('exit', () => {
  const left = takeCrashes();
  if (left.length === 0) return;
  console.error(describeCrashes(left));
  process.exitCode = 1;
});

/** To be called with all that a process has printed. A crash fails the test that runs at that time. */
export function noteEnd(end: Crash): void {
  if (UNCAUGHT.test(end.stderr)) crashes.push(end);
}

/** The crashes since the last call. */
export function takeCrashes(): readonly Crash[] {
  const taken = crashes;
  crashes = [];
  return taken;
}

export function describeCrashes(some: readonly Crash[]): string {
  return some
    .map(
      ({ command, stderr }) => `A process ended by an error that nothing has caught: ${command}\n${stderr}`,
    )
    .join('\n');
}
