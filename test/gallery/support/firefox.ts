import { type Browser, firefox } from 'playwright-core';
import { HANG_GUARD_MS } from '../../support/time/hang-guard.ts';

export const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** What playwright-core has for itself. */
interface Session {
  send: (this: Session, method: string, params: unknown) => Promise<unknown>;
}
interface Internals {
  readonly _connection: { toImpl(browser: Browser): { readonly _browserSession: Session } };
}

/** Debian's Firefox, by WebDriver BiDi. */
export async function launchFirefox(): Promise<Browser> {
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: FIREFOX,
    // As `GalleryPage` asks for it in Chromium.
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1 },
    timeout: HANG_GUARD_MS,
  });
  withoutMediaFeatures(browser);
  return browser;
}

/** playwright-core overrides them in each context. This Firefox does not know the command, and would open none. */
function withoutMediaFeatures(browser: Browser): void {
  const { _browserSession: session } = (browser as unknown as Internals)._connection.toImpl(browser);
  const prototype = Object.getPrototypeOf(session) as Session;
  const { send } = prototype;
  prototype.send = async function (method, params) {
    return method === 'emulation.setMediaFeaturesOverride' ? {} : await send.call(this, method, params);
  };
}
