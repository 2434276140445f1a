import { ContainerModule } from 'inversify';
import { HostProcesses } from '../../adapters/system/host-processes.ts';
import { NodeAddressSeal } from '../../adapters/system/node-address-seal.ts';
import { RandomUuids } from '../../adapters/system/random-uuids.ts';
import { SystemClock } from '../../adapters/system/system-clock.ts';
import { systemTimer } from '../../adapters/system/system-timer.ts';
import { TOKENS } from '../tokens.ts';

/** Time, randomness and processes of the machine. */
export const systemModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.clock).toResolvedValue(() => new SystemClock());
  bind(TOKENS.timer).toConstantValue(systemTimer);
  bind(TOKENS.uuids).toResolvedValue(() => new RandomUuids());
  bind(TOKENS.processes).toResolvedValue(() => new HostProcesses());
  bind(TOKENS.addressSeal).toResolvedValue(() => new NodeAddressSeal());
});
