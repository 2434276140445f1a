import type { SessionPage } from './session.ts';

const VIEW_KEY = 'image-catalog.view';
const TAB_KEY = 'image-catalog.tab';

/** A reload takes over the lock of the page before it, which may take a moment. */
const LOCK_TIMEOUT_MS = 1000;

export const browserPage: SessionPage = {
  address: () => new URL(location.href),
  showQuery: (query) => history.replaceState(null, '', `./${query}`),
  keepView: (query) => sessionStorage.setItem(VIEW_KEY, query),
  takeView: () => {
    const query = sessionStorage.getItem(VIEW_KEY) ?? '';
    sessionStorage.removeItem(VIEW_KEY);
    return query;
  },
  // The key of `WebStorageStateStore`.
  beganSignIn: (state) => sessionStorage.getItem(`oidc.${state}`) !== null,
  ownsTokens: async () => {
    const id = sessionStorage.getItem(TAB_KEY) ?? newTabId();
    if (await holdLock(`${TAB_KEY}.${id}`)) return true;
    newTabId();
    return false;
  },
  reload: () => location.reload(),
};

function newTabId(): string {
  const id = crypto.randomUUID();
  sessionStorage.setItem(TAB_KEY, id);
  return id;
}

/**
 * As long as the page lives. A copy of a tab has the session storage of that tab, but not its lock. Only a lock that is held is
 * waited for, and asked for once more: the time of a page that stands still while it loads is not that of another page.
 */
async function holdLock(name: string): Promise<boolean> {
  const hold = (options: LockOptions): Promise<boolean> => requestLock(name, options);
  if (await hold({ ifAvailable: true })) return true;
  if (await hold({ signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) })) return true;
  return await hold({ ifAvailable: true });
}

async function requestLock(name: string, options: LockOptions): Promise<boolean> {
  return await new Promise((resolve) => {
    const held = navigator.locks.request(name, options, async (lock) => {
      resolve(lock !== null);
      if (lock !== null) await new Promise<never>(() => undefined);
    });
    held.catch(() => resolve(false));
  });
}
