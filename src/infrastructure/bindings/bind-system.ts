import type { Container } from 'inversify';
import { AesCursorSeal } from '../../adapters/system/aes-cursor-seal.ts';
import { AesTicketCipher } from '../../adapters/system/aes-ticket-cipher.ts';
import { RandomUuids, SystemClock, systemTimer } from '../../adapters/system/clock-and-uuids.ts';
import { HmacLinkSigner } from '../../adapters/system/hmac-link-signer.ts';
import { HostProcesses } from '../../adapters/system/host-processes.ts';
import { TOKENS } from '../tokens.ts';

export function bindSystem(container: Container): void {
  container.bind(TOKENS.clock).toResolvedValue(() => new SystemClock());
  container.bind(TOKENS.timer).toConstantValue(systemTimer);
  container.bind(TOKENS.cursorSeal).toResolvedValue(() => new AesCursorSeal());
  container.bind(TOKENS.uuids).toResolvedValue(() => new RandomUuids());
  container.bind(TOKENS.linkSigner).toResolvedValue(() => new HmacLinkSigner());
  container.bind(TOKENS.ticketCipher).toResolvedValue(() => new AesTicketCipher());
  container.bind(TOKENS.processes).toResolvedValue(() => new HostProcesses());
}
