import { systemClock } from '../base/clock.ts';
import { browserPage } from './browser-page.ts';
import { Session } from './session.ts';
import { createSignInClient } from './sign-in-client.ts';
import { tokenJudge } from './token-judge.ts';
import type { WebConfig } from './web-config.ts';

export async function openSession(config: WebConfig): Promise<Session> {
  const session = new Session(
    createSignInClient(config),
    browserPage,
    systemClock,
    tokenJudge(config.apiUrl),
  );
  await session.begin();
  const { wake } = session.renewal;
  window.addEventListener('online', wake);
  window.addEventListener('pageshow', ({ persisted }) => {
    // The browser kept this page while the person was at the provider, and signed out there.
    if (persisted) location.reload();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake();
  });
  return session;
}
