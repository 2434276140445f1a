import type { Victim } from '../clusters/storm-cluster.ts';
import { type RunningService, type ServiceOptions, startService } from './service-process.ts';

/** Services that are started and stopped during a test. */
export class ServiceGroup {
  private members: readonly RunningService[] = [];

  get running(): readonly RunningService[] {
    return this.members;
  }

  /** Starts several services at the same time, and waits for all of them. */
  async start(options: readonly ServiceOptions[]): Promise<void> {
    const starts = await Promise.allSettled(
      options.map(async (one) => {
        const service = await startService(one);
        this.members = [...this.members, service];
      }),
    );
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  }

  asVictim(service: RunningService): Victim {
    return {
      kind: 'service',
      url: service.url,
      kill: async () => {
        this.members = this.members.filter((member) => member !== service);
        await service.process.stop('SIGKILL');
      },
    };
  }

  async killAll(): Promise<void> {
    await Promise.all(this.members.map((service) => this.asVictim(service).kill()));
  }
}
