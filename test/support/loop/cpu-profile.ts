import { type Profiler, Session } from 'node:inspector';

const SAMPLE_EVERY_US = 1_000;

/** A profile of the main thread, which costs a part of its CPU. */
export class CpuProfile {
  readonly #session = new Session();

  static start(): CpuProfile {
    const profile = new CpuProfile();
    const session = profile.#session;
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    session.post('Profiler.start');
    return profile;
  }

  stop(): Profiler.Profile {
    let found: Profiler.Profile | undefined;
    // Called before `post` returns.
    this.#session.post('Profiler.stop', (_error, { profile }) => {
      found = profile;
    });
    this.#session.disconnect();
    if (found === undefined) throw new TypeError('The profiler has stopped before');
    return found;
  }
}
