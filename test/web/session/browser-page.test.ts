import { expect } from 'chai';
import { browserPage } from '../../../web/src/session/browser-page.ts';
import { storageOf } from '../doubles/storage.ts';

const TAB = 'image-catalog.tab';

/** Locks of all pages. A request of one that is held is given up at once. */
class FakeLocks {
  readonly held = new Set<string>();

  async request(
    name: string,
    { ifAvailable, signal }: LockOptions,
    run: (lock: object | null) => Promise<void>,
  ): Promise<void> {
    signal?.throwIfAborted();
    const isHeld = this.held.has(name);
    if (isHeld && ifAvailable !== true) throw new DOMException('', 'TimeoutError');
    this.held.add(name);
    await run(isHeld ? null : {});
  }
}

describe('the page of the session', () => {
  let stored: Map<string, string>;
  let locks: FakeLocks;
  const restored: (() => void)[] = [];

  function define(name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    restored.push(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    });
  }

  beforeEach(() => {
    stored = new Map();
    locks = new FakeLocks();
    define('sessionStorage', storageOf(stored));
    define('navigator', { locks });
  });

  afterEach(() => {
    for (const restore of restored.splice(0)) restore();
  });

  it('gives back the query of the view once', () => {
    browserPage.keepView('?q=cat');

    expect([browserPage.takeView(), browserPage.takeView()]).to.deep.equal(['?q=cat', '']);
  });

  it('knows the sign-ins that began in this tab', () => {
    stored.set('oidc.abc', '{}');

    expect([browserPage.beganSignIn('abc'), browserPage.beganSignIn('xyz')]).to.deep.equal([true, false]);
  });

  it('owns the tokens of its tab, also after a reload', async () => {
    expect(await browserPage.ownsTokens()).to.equal(true);
    const id = stored.get(TAB);
    locks.held.clear();

    expect([await browserPage.ownsTokens(), stored.get(TAB)]).to.deep.equal([true, id]);
  });

  it('owns them however long the page stands still meanwhile', async () => {
    const over = AbortSignal.abort();
    define('AbortSignal', { timeout: () => over });

    expect(await browserPage.ownsTokens()).to.equal(true);
  });

  it('owns them if the page before it gives up its lock while this page stands still', async () => {
    await browserPage.ownsTokens();
    const over = AbortSignal.abort();
    define('AbortSignal', { timeout: () => (locks.held.clear(), over) });

    expect(await browserPage.ownsTokens()).to.equal(true);
  });

  it('leaves the tokens of a copied tab to the tab that has them, and is another tab from then on', async () => {
    await browserPage.ownsTokens();
    const id = stored.get(TAB);

    expect(await browserPage.ownsTokens()).to.equal(false);
    expect(stored.get(TAB)).to.be.a('string').and.not.equal(id);
    expect(await browserPage.ownsTokens()).to.equal(true);
  });
});
