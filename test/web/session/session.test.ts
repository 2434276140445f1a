import { expect } from 'chai';
import { ErrorResponse, User } from 'oidc-client-ts';
import { BlockedByPolicy } from '../../../web/src/session/blocked-by-policy.ts';
import { OpaqueToken } from '../../../web/src/session/opaque-token.ts';
import { readSavedUser } from '../../../web/src/session/saved-user.ts';
import { Session, type SessionPage, type SignInClient } from '../../../web/src/session/session.ts';
import { rejection } from '../../support/fixtures/rejection.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';

const HOUR = 3600;

let client: FakeClient;
let page: FakePage;
let time: ManualTime;
let session: Session;
let realNow: () => number;

const judge = async (): Promise<void> => undefined;

function useSession(): void {
  beforeEach(() => {
    client = new FakeClient();
    page = new FakePage();
    time = new ManualTime();
    session = new Session(client, page, time, judge);
    // `User` computes what is left of its token with the clock of the system.
    realNow = Date.now;
    Date.now = time.now;
  });

  afterEach(() => {
    Date.now = realNow;
  });
}

describe('the session of the gallery at its beginning', () => {
  useSession();

  it('is signed out if the tab has no tokens', async () => {
    await session.begin();

    expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: undefined });
  });

  it('says that the operator has configured no client', async () => {
    const without = new Session(undefined, page, time, judge);
    await without.begin();

    expect(without.state.get()).to.deep.equal({ kind: 'no-client' });
  });

  it('continues the session of the tab', async () => {
    client.stored = user();
    await session.begin();

    expect(session.state.get()).to.deep.equal({ kind: 'signed-in', name: 'Ada' });
    expect(await session.getToken()).to.equal('token-1');
  });

  it('signs in again in a copy of a tab, and leaves the tokens to the other tab', async () => {
    client.stored = user();
    page.isCopy = true;
    await session.begin();

    expect(client.calls).to.deep.equal(['forget', 'leaveToSignIn']);
    expect(session.state.get().kind).to.equal('signed-out');
  });

  it('is signed out with a reason if the session of an earlier visit is not renewed any more', async () => {
    client.stored = user({ expires: -10 });
    client.renewals = [new ErrorResponse({ error: 'invalid_grant' })];
    await session.begin();
    await time.settle(0);

    expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: { kind: 'ended' } });
  });
});

describe('the session of the gallery, returning from the provider,', () => {
  useSession();

  beforeEach(() => {
    page.url = new URL('https://gallery.test/photos/?code=c&state=s1');
    page.view = '?q=cat&sort=added';
    page.began = 's1';
  });

  it('shows the view from which the person went', async () => {
    client.signIn = user();
    await session.begin();

    expect(page.shown).to.equal('?q=cat&sort=added');
    expect(session.state.get()).to.deep.equal({ kind: 'signed-in', name: 'Ada' });
  });

  const problems = [
    ['denied', new ErrorResponse({ error: 'access_denied' })],
    ['lost', new ErrorResponse({ error: 'invalid_grant' })],
    ['lost', new Error('No matching state found in storage')],
    ['opaque', new OpaqueToken()],
    ['unreachable', new TypeError('Failed to fetch')],
    ['unreachable', new ErrorResponse({ error: 'temporarily_unavailable' })],
  ] as const;
  for (const [kind, error] of problems) {
    it(`is signed out, ${kind}, in the same view after ${error.name} ${error.message}`, async () => {
      client.signIn = error;
      await session.begin();

      expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: { kind } });
      expect(page.shown).to.equal('?q=cat&sort=added');
    });
  }

  it('says what the provider says', async () => {
    client.signIn = new ErrorResponse({ error: 'invalid_scope', error_description: 'no such scope' });
    await session.begin();

    expect(session.state.get()).to.deep.equal({
      kind: 'signed-out',
      problem: { kind: 'refused', message: 'no such scope' },
    });
  });

  it('says which origin the policy of the page blocks', async () => {
    client.signIn = new BlockedByPolicy('https://token.example.com', new TypeError('Failed to fetch'));
    await session.begin();

    expect(session.state.get()).to.deep.equal({
      kind: 'signed-out',
      problem: { kind: 'blocked', message: 'https://token.example.com' },
    });
  });

  it('passes the response on if the sign-in began in another page', async () => {
    page.began = 'another';
    client.isTaken = true;
    await session.begin();

    expect(client.calls).to.deep.equal(['passOn https://gallery.test/photos/?code=c&state=s1']);
    expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: undefined });
  });

  it('is lost if no page takes the response', async () => {
    page.began = 'another';
    await session.begin();

    expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: { kind: 'lost' } });
  });

  it('keeps a session that is there already', async () => {
    client.stored = user();
    client.signIn = new Error('No matching state found in storage');
    await session.begin();

    expect(session.state.get().kind).to.equal('signed-in');
  });
});

describe('the saved session of the gallery', () => {
  it('is what oidc-client-ts has saved', () => {
    const { access_token, refresh_token, expires_in, profile, scope } = user({ scope: 'openid' });

    const saved = readSavedUser(user({ scope: 'openid' }).toStorageString());

    expect(saved).to.deep.include({ access_token, refresh_token, expires_in, profile, scope });
  });

  it('may not say how long its token is good', () => {
    expect(readSavedUser('{"access_token":"a"}').expires_in).to.equal(undefined);
  });
});

describe('signing in to the gallery', () => {
  useSession();

  it('keeps the view', async () => {
    page.url = new URL('https://gallery.test/?tags=cat');
    await session.signIn();

    expect(page.view).to.equal('?tags=cat');
    expect(client.calls).to.deep.equal(['leaveToSignIn']);
  });

  it('says that the provider cannot be reached', async () => {
    client.leaving = new TypeError('Failed to fetch');
    await session.signIn();

    expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: { kind: 'unreachable' } });
  });

  it('says that it needs a secure connection', async () => {
    client.leaving = new Error('Crypto.subtle is available only in secure contexts (HTTPS).');
    await session.signIn();

    expect(session.state.get()).to.deep.equal({ kind: 'signed-out', problem: { kind: 'insecure' } });
  });
});

describe('signing out of the gallery', () => {
  useSession();

  beforeEach(async () => {
    client.stored = user();
    await session.begin();
  });

  it('goes to the provider', async () => {
    await session.signOut();

    expect(client.calls).to.deep.equal(['leaveToSignOut']);
  });

  it('forgets the tokens if the provider has no such address', async () => {
    client.offersSignOut = false;
    await session.signOut();

    expect(client.calls).to.deep.equal(['forget']);
    expect(session.state.get()).to.deep.equal({ kind: 'signed-out' });
    expect(await rejection(session.getToken())).to.have.property('name', 'SignedOut');
  });

  it('forgets the tokens if the provider cannot be reached', async () => {
    client.offersSignOut = new TypeError('Failed to fetch');
    await session.signOut();

    expect(session.state.get()).to.deep.equal({ kind: 'signed-out' });
  });

  it('ends a renewal that waits for the provider', async () => {
    client.offersSignOut = false;
    client.renewals = [new TypeError('Failed to fetch')];
    const token = rejection(session.getToken('token-1'));
    await settled();
    await session.signOut();

    expect(await token).to.have.property('name', 'SignedOut');
    expect(session.state.get()).to.deep.equal({ kind: 'signed-out' });
  });
});

function useSignedInSession(): void {
  useSession();

  beforeEach(() => {
    client.stored = user({ expires: HOUR });
  });
}

/** Until the next attempt of a renewal. */
function delay(): number {
  return (session.renewal.waiting.get()?.retryAt ?? Number.NaN) - time.now();
}

describe('the token of the gallery', () => {
  useSignedInSession();

  it('is renewed a minute before it is over', async () => {
    await session.begin();
    client.renewals = [user({ token: 'token-2', expires: 2 * HOUR })];
    await time.settle((HOUR - 61) * 1000);
    expect(client.calls).to.deep.equal([]);
    await time.settle(1000);

    expect(client.calls).to.deep.equal(['renew']);
    expect(await session.getToken()).to.equal('token-2');
  });

  it('is renewed after two thirds of its time if that is short', async () => {
    client.stored = user({ expires: 30 });
    await session.begin();
    client.renewals = [user({ token: 'token-2', expires: 60 })];
    await time.settle(19_000);
    expect(client.calls).to.deep.equal([]);
    await time.settle(1000);

    expect(client.calls).to.deep.equal(['renew']);
  });

  it('is renewed once for all requests that need it', async () => {
    await session.begin();
    client.renewals = [user({ token: 'token-2', expires: 2 * HOUR })];
    const tokens = await Promise.all([1, 2, 3].map(() => session.getToken('token-1')));

    expect(tokens).to.deep.equal(['token-2', 'token-2', 'token-2']);
    expect(client.calls).to.deep.equal(['renew']);
  });

  it('tells its scopes, which a renewal may change', async () => {
    client.stored = user({ scope: 'openid images:read' });
    await session.begin();
    expect(session.granted.get()).to.deep.equal(['openid', 'images:read']);
    const changes: unknown[] = [];
    session.granted.subscribe(() => changes.push(session.granted.get()));
    client.renewals = [user({ token: 'token-2', scope: 'openid images:read' })];
    await session.getToken('token-1');
    expect(changes).to.deep.equal([]);

    client.renewals = [user({ token: 'token-3', scope: 'openid' })];
    await session.getToken('token-2');
    expect(changes).to.deep.equal([['openid']]);
  });

  it('is not renewed for ever if the policy of the page blocks that', async () => {
    await session.begin();
    client.renewals = [new BlockedByPolicy('https://token.example.com', undefined)];
    await session.getToken();
    void session.getToken('token-1').catch(() => undefined);
    await time.settle(0);

    expect(session.state.get()).to.deep.equal({ kind: 'ended' });
    expect(client.calls).to.deep.equal(['renew', 'forget']);
  });

  it('is renewed without a change of what is shown', async () => {
    await session.begin();
    const shown = session.state.get();
    client.renewals = [user({ token: 'token-2' })];
    await session.getToken('token-1');

    expect(session.state.get()).to.equal(shown);
  });

  it('is used until it is over if there is no refresh token; then the session ends', async () => {
    client.stored = user({ expires: HOUR, refreshToken: undefined });
    await session.begin();
    await time.settle((HOUR - 10) * 1000);
    expect(await session.getToken()).to.equal('token-1');
    await time.settle(10_000);

    expect(session.state.get()).to.deep.equal({ kind: 'ended' });
    expect(client.calls).to.deep.equal(['forget']);
  });

  it('is given even if the provider renews it with the same one', async () => {
    await session.begin();
    client.renewals = [user()];

    expect(await session.getToken('token-1')).to.equal('token-1');
  });
});

describe('the token of the gallery while the device sleeps or is offline', () => {
  useSignedInSession();

  it('stays in use while the provider cannot be reached, and nobody has to know', async () => {
    await session.begin();
    client.renewals = [new TypeError('Failed to fetch'), new ErrorResponse({ error: 'server_error' })];
    await time.settle((HOUR - 60) * 1000);
    await time.settle(1000);

    expect(client.calls).to.deep.equal(['renew', 'renew']);
    expect(await session.getToken()).to.equal('token-1');
    expect(session.renewal.waiting.get()).to.equal(undefined);
    expect(session.state.get().kind).to.equal('signed-in');
  });

  it('lets requests wait until the provider can be reached again', async () => {
    await session.begin();
    client.renewals = [new TypeError('Failed to fetch'), new Error('Bad Gateway (502)')];
    const token = session.getToken('token-1');
    await settled();
    expect(delay()).to.be.within(250, 500);
    await time.settle(delay());
    expect(delay()).to.be.within(500, 1000);
    client.renewals = [user({ token: 'token-2' })];
    await time.settle(delay());

    expect(await token).to.equal('token-2');
    expect(session.renewal.waiting.get()).to.equal(undefined);
  });

  it('is renewed at once when the device is online again', async () => {
    await session.begin();
    client.renewals = [new TypeError('Failed to fetch'), user({ token: 'token-2' })];
    const token = session.getToken('token-1');
    await settled();
    session.renewal.wake();

    expect(await token).to.equal('token-2');
  });

  it('is renewed when the device wakes up after it was over', async () => {
    await session.begin();
    client.renewals = [user({ token: 'token-2', expires: 10 * HOUR })];
    time.sleep(8 * HOUR * 1000);
    session.renewal.wake();

    expect(client.calls).to.deep.equal(['renew']);
    expect(await session.getToken()).to.equal('token-2');
  });

  it('is renewed for a request that needs it while the timers of the device stand still', async () => {
    await session.begin();
    client.renewals = [user({ token: 'token-2', expires: 2 * HOUR })];
    time.sleep((HOUR - 5) * 1000);

    expect(await session.getToken()).to.equal('token-2');
  });

  it('is not renewed when the device wakes up in time', async () => {
    await session.begin();
    session.renewal.wake();

    expect(client.calls).to.deep.equal([]);
  });
});

describe('the session of the gallery after its end', () => {
  useSession();

  let waiting: Promise<string>;

  beforeEach(async () => {
    client.stored = user();
    await session.begin();
    await session.getToken();
    client.renewals = [new ErrorResponse({ error: 'invalid_grant' })];
    waiting = session.getToken('token-1');
    await settled();
    client.calls.length = 0;
  });

  it('lets requests wait until the person has signed in in a window', async () => {
    expect(session.state.get()).to.deep.equal({ kind: 'ended' });
    client.aside = user({ token: 'token-3' });
    await session.signIn();

    expect(client.calls).to.deep.equal(['signInAside']);
    expect(await waiting).to.equal('token-3');
    expect(session.state.get()).to.deep.equal({ kind: 'signed-in', name: 'Ada' });
  });

  it('renews the new token as well', async () => {
    client.aside = user({ token: 'token-3' });
    await session.signIn();
    client.renewals = [user({ token: 'token-4', expires: 2 * HOUR })];
    await time.settle((HOUR - 60) * 1000);

    expect(await session.getToken()).to.equal('token-4');
  });

  it('loads the page again if somebody else has signed in', async () => {
    client.aside = user({ subject: 'another' });
    await session.signIn();

    expect(page.reloads).to.equal(1);
    expect(session.state.get().kind).to.equal('ended');
  });

  it('leaves the page for the provider if the browser opens no window', async () => {
    client.aside = undefined;
    await session.signIn();

    expect(client.calls).to.deep.equal(['signInAside', 'leaveToSignIn']);
  });

  it('stays as it is if access is denied, and says so', async () => {
    client.aside = new ErrorResponse({ error: 'access_denied' });
    await session.signIn();

    expect(session.state.get()).to.deep.equal({ kind: 'ended', problem: { kind: 'denied' } });
  });
});

interface UserOptions {
  readonly token?: string;
  readonly subject?: string;
  /** Seconds since the beginning of the time. */
  readonly expires?: number;
  readonly refreshToken?: string | undefined;
  readonly scope?: string;
}

function user(options: UserOptions = {}): User {
  const { token = 'token-1', subject = 'u1', expires = HOUR, scope } = options;
  const refreshToken = 'refreshToken' in options ? options.refreshToken : 'refresh';
  return new User({
    access_token: token,
    token_type: 'Bearer',
    expires_at: expires,
    profile: { sub: subject, name: 'Ada', iss: 'https://idp.test/', aud: 'gallery', exp: 1, iat: 1 },
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
  });
}

class FakeClient implements SignInClient {
  readonly calls: string[] = [];
  stored: User | undefined;
  signIn: User | Error = new Error('unexpected');
  aside: User | Error | undefined;
  leaving: Error | undefined;
  offersSignOut: boolean | Error = true;
  isTaken = false;
  /** The last one is repeated if it is an error. */
  renewals: (User | Error)[] = [];

  async user(): Promise<User | undefined> {
    return this.stored;
  }

  async forget(): Promise<void> {
    this.calls.push('forget');
    this.stored = undefined;
  }

  async leaveToSignIn(): Promise<void> {
    this.calls.push('leaveToSignIn');
    if (this.leaving !== undefined) throw this.leaving;
  }

  async finish(): Promise<User> {
    this.stored = orThrow(this.signIn);
    return this.stored;
  }

  async signInAside(): Promise<User | undefined> {
    this.calls.push('signInAside');
    return this.aside === undefined ? undefined : orThrow(this.aside);
  }

  async passOn({ href }: URL): Promise<boolean> {
    this.calls.push(`passOn ${href}`);
    return this.isTaken;
  }

  async renew(): Promise<User> {
    this.calls.push('renew');
    const next = this.renewals.length > 1 ? this.renewals.shift() : this.renewals[0];
    return orThrow(next ?? new Error('unexpected'));
  }

  async canSignOut(): Promise<boolean> {
    if (this.offersSignOut instanceof Error) throw this.offersSignOut;
    return this.offersSignOut;
  }

  async leaveToSignOut(): Promise<void> {
    this.calls.push('leaveToSignOut');
  }
}

function orThrow(result: User | Error): User {
  if (result instanceof Error) throw result;
  return result;
}

class FakePage implements SessionPage {
  url = new URL('https://gallery.test/');
  view = '';
  shown: string | undefined;
  began = '';
  isCopy = false;
  reloads = 0;

  readonly address = (): URL => this.url;

  showQuery(query: string): void {
    this.shown = query;
  }

  keepView(query: string): void {
    this.view = query;
  }

  takeView(): string {
    return this.view;
  }

  beganSignIn(state: string): boolean {
    return state === this.began;
  }

  async ownsTokens(): Promise<boolean> {
    return !this.isCopy;
  }

  reload(): void {
    this.reloads += 1;
  }
}
