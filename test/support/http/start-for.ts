interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Starts a service before the tests of a suite and stops it behind them, once for all of them or for each anew. What
 * it returns stands for the service that runs: it may be used in hooks and tests, not while the suite is described. For each
 * of them: within a suite, because the hooks of a file count for the tests of all files in one process.
 */
export function startFor<Started extends Stoppable>(
  tests: 'all' | 'each',
  start: () => Promise<Started>,
): Started {
  const [begin, end] = tests === 'all' ? [before, after] : [beforeEach, afterEach];
  let running: Started | undefined;

  begin(async () => {
    running = await start();
  });

  end(async () => {
    await running?.stop();
    running = undefined;
  });

  return new Proxy(Object.freeze({}) as Started, {
    get(_, name) {
      if (running === undefined) throw new Error(`Nothing has been started that has ${String(name)}`);
      const member: unknown = Reflect.get(running, name, running);
      return typeof member === 'function' ? member.bind(running) : member;
    },
  });
}
