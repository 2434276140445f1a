import type { Clock } from '../base/clock.ts';
import { Store } from '../base/store.ts';
import { grantedScopes } from './granted-scopes.ts';
import { Renewal } from './renewal.ts';
import type { SessionUser } from './saved-user.ts';
import { type SignInProblem, signInProblem } from './sign-in-problem.ts';
import { SignedOut } from './signed-out.ts';
import type { JudgeToken } from './token-judge.ts';

export type SessionState =
  | { readonly kind: 'signed-in'; readonly name: string | undefined }
  | { readonly kind: 'signed-out'; readonly problem?: SignInProblem | undefined }
  /** The provider does not renew the token any more. What is on the screen stays, and requests wait for a sign-in. */
  | { readonly kind: 'ended'; readonly problem?: SignInProblem | undefined }
  /** The operator has not configured a client. */
  | { readonly kind: 'no-client' };

/** The identity provider, and the tokens that this tab has from it. Errors are those of oidc-client-ts. */
export interface SignInClient {
  /** Whose tokens the tab has. */
  user(): Promise<SessionUser | undefined>;
  forget(): Promise<void>;
  leaveToSignIn(): Promise<void>;
  /** @param address with which the provider leads back */
  finish(address: string): Promise<SessionUser>;
  /** In another window; resolves to `undefined` if the browser does not open one. */
  signInAside(): Promise<SessionUser | undefined>;
  /**
   * Passes the response of the provider on to the page that opened this window.
   *
   * @returns whether there is such a page
   */
  passOn(address: URL): Promise<boolean>;
  /** By refresh token. */
  renew(): Promise<SessionUser>;
  /** Whether the provider has an address for it. */
  canSignOut(): Promise<boolean>;
  leaveToSignOut(): Promise<void>;
}

/** The page of the browser. */
export interface SessionPage {
  address(): URL;
  /** Replaces the query of the address without loading. */
  showQuery(query: string): void;
  /** Keeps the query of the view over a sign-in. */
  keepView(query: string): void;
  /** The query that was kept; empty if there is none. */
  takeView(): string;
  /** Whether the sign-in that returns with this `state` began in this tab, by leaving the page. */
  beganSignIn(state: string): boolean;
  /** `false` if the tab is a copy of another one, with the tokens of that one: a refresh token is good for one tab only. */
  ownsTokens(): Promise<boolean>;
  reload(): void;
}

/** Seconds. A token that is over sooner could be over when the service reads it. */
const MARGIN_SECONDS = 5;

/** Code + PKCE. Tokens stay in this tab; the other tabs have their own. */
export class Session {
  readonly state: Store<SessionState>;
  readonly renewal: Renewal;
  /** The scopes of the token; `undefined` if they are not known. */
  readonly granted = new Store<readonly string[] | undefined>(undefined);
  readonly #client: SignInClient | undefined;
  readonly #page: SessionPage;
  readonly #judge: JudgeToken;
  #user: SessionUser | undefined;
  #tokenGiven = false;

  /** @param client is missing if the operator has not configured one */
  constructor(client: SignInClient | undefined, page: SessionPage, clock: Clock, judge: JudgeToken) {
    this.#client = client;
    this.#page = page;
    this.#judge = judge;
    this.state = new Store<SessionState>({ kind: client === undefined ? 'no-client' : 'signed-out' });
    this.renewal = new Renewal(clock, {
      renew: async () => await client?.renew(),
      onRenewed: (user) => this.#enter(user),
      onEnded: () => this.#end(),
    });
  }

  /** Finishes a sign-in that returns from the provider, or continues the session of the tab. */
  async begin(): Promise<void> {
    if (this.#client === undefined) return;
    const address = this.#page.address();
    const problem = isCallback(address) ? await this.#finishSignIn(address) : undefined;
    const user = await this.#client.user();
    if (user === undefined) this.state.set({ kind: 'signed-out', problem });
    else if (await this.#page.ownsTokens()) this.#enter(user);
    else await this.#signInAnew();
  }

  /** Of the person who is signed in. */
  get subject(): string | undefined {
    return this.#user?.profile.sub;
  }

  /**
   * Leaves the page for the provider, or opens a window if the session has ended: what is on the screen stays, and so do
   * the uploads.
   */
  readonly signIn = async (): Promise<void> => {
    try {
      if (this.state.get().kind === 'ended' && (await this.#signInAside())) return;
      this.#page.keepView(this.#page.address().search);
      await this.#client?.leaveToSignIn();
    } catch (error) {
      this.#fail(signInProblem(error));
    }
  };

  /** Also at the provider, if it offers that. */
  readonly signOut = async (): Promise<void> => {
    const isOffered = await this.#client?.canSignOut().catch(() => false);
    if (isOffered === true) {
      await this.#client?.leaveToSignOut();
      return;
    }
    await this.#client?.forget();
    this.#leave();
  };

  /**
   * Waits while the token is being renewed, however long the provider cannot be reached, and while the session has ended
   * until the person signs in again. Rejects with `SignedOut` if there is no session, and if the token is too long.
   *
   * @param refused a token that the service has refused
   */
  readonly getToken = async (refused?: string): Promise<string> => {
    for (;;) {
      const user = await this.#present();
      const isGood = user.access_token !== refused && secondsLeft(user) > MARGIN_SECONDS;
      const given = isGood ? user : await this.renewal.renewed();
      if (given === undefined) continue;
      this.#tokenGiven = true;
      await this.#judge(given.access_token);
      return given.access_token;
    }
  };

  /** @returns what went wrong */
  async #finishSignIn(address: URL): Promise<SignInProblem | undefined> {
    try {
      if (this.#page.beganSignIn(address.searchParams.get('state') ?? '')) {
        await this.#client?.finish(address.href);
        return undefined;
      }
      // The window in which an ended session is continued: the page that opened it takes the response.
      const isTaken = await this.#client?.passOn(address);
      return isTaken === true ? undefined : { kind: 'lost' };
    } catch (error) {
      return signInProblem(error);
    } finally {
      this.#page.showQuery(this.#page.takeView());
    }
  }

  async #signInAnew(): Promise<void> {
    await this.#client?.forget();
    await this.signIn();
  }

  /** @returns whether the person has signed in */
  async #signInAside(): Promise<boolean> {
    const former = this.#user?.profile.sub;
    const user = await this.#client?.signInAside();
    if (user === undefined) return false;
    // What is on the screen is what the former person may see.
    if (user.profile.sub !== former) this.#page.reload();
    else this.#enter(user);
    return true;
  }

  /** Waits while the session has ended. */
  async #present(): Promise<SessionUser> {
    while (this.state.get().kind === 'ended') await this.state.changed();
    if (this.state.get().kind !== 'signed-in' || this.#user === undefined) throw new SignedOut();
    return this.#user;
  }

  #enter(user: SessionUser): void {
    this.#user = user;
    this.renewal.follow(user);
    this.#grant(grantedScopes(user));
    const { name, preferred_username: username, email } = user.profile;
    const shown = name ?? username ?? email;
    const present = this.state.get();
    // A renewal is not to be seen.
    if (present.kind !== 'signed-in' || present.name !== shown) {
      this.state.set({ kind: 'signed-in', name: shown });
    }
  }

  #grant(scopes: readonly string[] | undefined): void {
    if (scopes?.join(' ') !== this.granted.get()?.join(' ')) this.granted.set(scopes);
  }

  #end(): void {
    void this.#client?.forget();
    // Of an earlier visit: nothing is on the screen yet.
    if (this.#tokenGiven) this.state.set({ kind: 'ended' });
    else this.state.set({ kind: 'signed-out', problem: { kind: 'ended' } });
  }

  #leave(): void {
    this.renewal.stop();
    this.#user = undefined;
    this.state.set({ kind: 'signed-out' });
  }

  #fail(problem: SignInProblem): void {
    this.state.update((state) =>
      state.kind === 'ended' || state.kind === 'signed-out' ? { kind: state.kind, problem } : state,
    );
  }
}

/** RFC 6749, section 4.1.2. */
function isCallback({ searchParams }: URL): boolean {
  return searchParams.has('state') && (searchParams.has('code') || searchParams.has('error'));
}

/** Without `expires_in` in the response of the provider, only the service can tell that a token is over. */
function secondsLeft({ expires_in }: SessionUser): number {
  return expires_in ?? Number.POSITIVE_INFINITY;
}
