import type { ConnectedClient } from './prepare-session.ts';

/**
 * SQLSTATE codes, or prefixes, after which a session cannot do its work any more, although its connection may stay open: poolers and
 * proxies keep connections through a failover (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
const ENDS_SESSION = [
  '08', // connection exceptions, which poolers report when they have lost their server
  '25006', // read-only: the server of this session is not the primary any more
  '25P03', // idle in a transaction for too long: the server ends the session
  '26000', // a prepared statement is missing: a pooler has exchanged the server
  '42P05', // a prepared statement exists already, for the same reason
  '57P0', // the server shuts down, has crashed, starts up, or has dropped the database
];

const READ_ONLY = '25006';

/** All sessions are replaced at most once in this time, because nobody knows how long a server stays read-only. */
const REPLACE_AFTER_MS = 1_000;

/**
 * Tells a pool which of its sessions are of no use. If one of them turns out to be read-only, all that are older may be connected to
 * the same server, which is no primary now: they are replaced too, before they fail requests one after another. A read-only session is
 * an error only if something is written, so a service with `READ_ONLY` keeps its sessions on a standby.
 */
export class SessionHealth {
  private readonly openedAt = new WeakMap<ConnectedClient, number>();
  private readonly ended = new WeakSet<ConnectedClient>();
  /** Sessions that were opened before are replaced. */
  private replacedBefore = Number.NEGATIVE_INFINITY;
  private replacedAt = Number.NEGATIVE_INFINITY;
  private lastReadOnlyAt = Number.NEGATIVE_INFINITY;

  /** @param now in ms, from any moment */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** From now on, `isUsable` knows the session. */
  watch(client: ConnectedClient): void {
    this.openedAt.set(client, this.now());
    client.connection.on('errorMessage', ({ code = '' }: { readonly code?: string }) => {
      if (ENDS_SESSION.some((state) => code.startsWith(state))) this.ended.add(client);
      if (code === READ_ONLY) this.lastReadOnlyAt = this.now();
    });
  }

  isUsable(client: ConnectedClient): boolean {
    this.replaceOld();
    return !this.ended.has(client) && (this.openedAt.get(client) ?? 0) > this.replacedBefore;
  }

  private replaceOld(): void {
    if (this.lastReadOnlyAt <= this.replacedBefore) return;
    const now = this.now();
    if (now - this.replacedAt < REPLACE_AFTER_MS) return;
    this.replacedBefore = this.lastReadOnlyAt;
    this.replacedAt = now;
  }
}
