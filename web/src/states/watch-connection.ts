import { CatalogError } from '@image-catalog/client';
import { canReach } from '../base/can-reach.ts';
import { systemClock } from '../base/clock.ts';
import type { Notices } from '../notices/notices.ts';
import type { WebConfig } from '../session/web-config.ts';
import { Trouble } from '../trouble/trouble.ts';
import { failureText } from './failure-text.ts';

const REFUSAL_LIFETIME_MS = 12_000;

export function watchConnection({ apiUrl }: WebConfig, notices: Notices): Trouble {
  const trouble = new Trouble({
    clock: systemClock,
    isOnline: () => navigator.onLine,
    probe: () => greet(apiUrl),
    onRefusal: (refusal) =>
      notices.show(failureText(refusal), { tone: 'error', lifetimeMs: REFUSAL_LIFETIME_MS }),
  });
  window.addEventListener('offline', () => {
    // It may be online again by now: its event has passed, and no other would end what is shown.
    void canReach(apiUrl).then((isReached) => isReached || navigator.onLine || trouble.wentOffline());
  });
  window.addEventListener('online', () => trouble.retryNow());
  return trouble;
}

/** The only route of the service that needs no token. */
async function greet(apiUrl: string): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(apiUrl, { cache: 'no-store', signal }).catch(() => undefined);
  if (response?.ok === true) return;
  // A gateway may respond for a service that is down.
  const code = response === undefined ? 'network_error' : 'unexpected_response';
  throw new CatalogError('The service cannot be reached', { code, status: response?.status ?? 0 });
}
