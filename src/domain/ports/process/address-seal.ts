import type { ChangePosition } from '../records/change-feed.ts';

/**
 * What makes addresses that clients cannot make: signed ones, which can be read, tickets and cursors, which cannot. The keys of one
 * kind open no address of another.
 */
export interface AddressSeal {
  /** 32 random bytes. */
  makeSecret(): Uint8Array;

  /** HMAC-SHA256 (RFC 2104), 43 characters of base64url. The text begins with the label of its kind. */
  sign(secret: Uint8Array, text: string): string;

  /** Takes constant time, which tells nothing of the right MAC. */
  verify(secret: Uint8Array, text: string, mac: string): boolean;

  /** AES-256-GCM under a key that is derived from the secret. Characters of base64url: other ones for the same text each time. */
  seal(secret: Uint8Array, text: string): string;

  /** `undefined` unless `seal` has made exactly these characters with the secret. */
  open(secret: Uint8Array, sealed: string): string | undefined;

  /**
   * In the order of the positions; equal positions have equal cursors. The key comes from the identity of the catalog, which only
   * operators know: it hides, and secures nothing. So cursors outlast the secrets.
   */
  sealPositions(catalog: string, positions: readonly ChangePosition[]): readonly string[];

  /** `undefined` if the text is no cursor of this catalog. */
  openPosition(catalog: string, cursor: string): ChangePosition | undefined;
}
