import type { Confinement } from '../../adapters/decoder/confinement.ts';
import type { DecoderPool } from '../../adapters/decoder/decoder-pool.ts';
import { missingImageLibrary } from '../start/missing-image-library.ts';
import { type CheckResult, type Findings, messageOf, ok, problem, warning } from './check-result.ts';

export interface DecoderHost {
  readonly isLinux: boolean;
  readonly isRoot: boolean;
}

/** Starts the decoders. */
export async function checkDecoders(
  decoders: Pick<DecoderPool, 'start'>,
  host: DecoderHost = thisHost(),
): Promise<readonly CheckResult[]> {
  try {
    return [...findings(await decoders.start(), host)];
  } catch (error) {
    const missing = missingImageLibrary(messageOf(error));
    if (missing !== undefined) return [problem(`No decoder starts: ${missing}`)];
    const change = 'install the service again, or run npm ci and npm run build in a checkout';
    return [problem(`No decoder starts: ${errorIn(messageOf(error))}`, change)];
  }
}

function thisHost(): DecoderHost {
  return { isLinux: process.platform === 'linux', isRoot: process.getuid?.() === 0 };
}

function* findings({ isFrozen, hasOwnUser }: Confinement, host: DecoderHost): Findings {
  if (host.isLinux) {
    yield frozenFinding(isFrozen);
    yield userFinding(hasOwnUser, host);
  } else {
    yield warning(
      'Decoders can open files and sockets, and only their time is bounded: this is not Linux',
      'run the service on Linux if clients are not trusted',
    );
  }
}

function frozenFinding(isFrozen: boolean): CheckResult {
  if (isFrozen) return ok('Decoders are frozen: they can open no files and no sockets');
  return warning(
    'Decoders can open files and sockets: prlimit is not installed, or not allowed',
    'install util-linux, and allow the system call prlimit64',
  );
}

function userFinding(hasOwnUser: boolean, { isRoot }: DecoderHost): CheckResult {
  if (hasOwnUser) {
    return ok(
      'Decoders run as another user than the service. Signals to each other, and System V memory, are not prevented. See docs/security.md',
    );
  }
  if (!isRoot) {
    return ok(
      'Decoders run as the user of the service. Removing and cutting its files (unlink, truncate), changes of their attributes (setxattr), signals, System V memory and, unless the system forbids it, access to the memory of the service are not prevented. See docs/security.md',
    );
  }
  return warning(
    'Decoders run as root: the service may not change their user',
    'start the service as a user of its own, or with CAP_SETUID, CAP_SETGID and CAP_KILL',
  );
}

/** Node.js prints the source around an error. */
function errorIn(words: string): string {
  return /^\w*Error.*$/m.exec(words)?.[0] ?? words;
}
