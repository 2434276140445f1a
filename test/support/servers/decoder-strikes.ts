import { expect } from 'chai';
import { eventually } from '../time/eventually.ts';
import { aliveOf, decodersOf } from './decoder-processes.ts';
import { isAlive, processIdsOf } from './process-tree.ts';
import type { RunningService } from './service-process.ts';

/** Part of the steps. */
const STRIKES = 0.05;

/** Kills and stops decoders of services at random. Does nothing elsewhere than on Linux. */
export class DecoderStrikes {
  killed = 0;
  stopped = 0;
  /** The longest time, in ms, from a kill until the service had all its decoders again. */
  slowestReturn = 0;
  private readonly stoppedPids = new Set<number>();

  /** @param decoders of each service */
  constructor(
    private readonly random: () => number,
    private readonly decoders: number,
  ) {}

  /** To be called at each step of progress. */
  strike(services: readonly RunningService[]): void {
    if (process.platform !== 'linux' || this.random() >= STRIKES) return;
    const service = services[Math.floor(this.random() * services.length)];
    const pids = service === undefined ? [] : decodersOf(service.process.pid);
    const victim = pids[Math.floor(this.random() * pids.length)];
    if (victim === undefined) return;
    if (this.random() < 0.5) this.stop(victim);
    else void this.kill(victim, service as RunningService);
  }

  /** Processes that must end when these services do. To be called before they are killed. */
  childrenOf(services: readonly RunningService[]): readonly number[] {
    return services.flatMap(({ process: { pid } }) => processIdsOf(pid).filter((each) => each !== pid));
  }

  /**
   * Of services that have ended. The decoders of a service that runs as root have another user, and the kernel does not end them with
   * it: those that are stopped are ended here.
   */
  async expectEnded(children: readonly number[]): Promise<void> {
    for (const pid of children) if (this.stoppedPids.has(pid)) signal(pid, 'SIGKILL');
    const alive = await eventually(
      () => aliveOf(children),
      (pids) => pids.length === 0,
    );
    expect(alive, 'decoders of services that have ended').to.deep.equal([]);
  }

  async expectAllBack(services: readonly RunningService[]): Promise<void> {
    if (process.platform !== 'linux') return;
    for (const service of services) {
      const pids = await eventually(
        () => decodersOf(service.process.pid),
        ({ length }) => length === this.decoders,
      );
      expect(pids, 'decoders').to.have.length(this.decoders);
    }
  }

  private async kill(pid: number, { process: { pid: service } }: RunningService): Promise<void> {
    if (!signal(pid, 'SIGKILL')) return;
    this.killed += 1;
    const begun = performance.now();
    const isBack = (): boolean => !isAlive(pid) && decodersOf(service).length === this.decoders;
    if (await eventually(isBack, (back) => back || !isAlive(service))) {
      this.slowestReturn = Math.max(this.slowestReturn, Math.round(performance.now() - begun));
    }
  }

  private stop(pid: number): void {
    if (!signal(pid, 'SIGSTOP')) return;
    this.stopped += 1;
    this.stoppedPids.add(pid);
  }
}

/** `false` if the process has ended. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
