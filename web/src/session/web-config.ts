import type { InputFormat } from '../base/media-types.ts';

/** `config.json` of the web listener. */
export interface WebConfig {
  /** With a slash at its end. */
  readonly apiUrl: string;
  readonly issuer: string;
  /** `null` if the operator has not configured a client for the gallery. */
  readonly clientId: string | null;
  readonly audience: string;
  readonly scope: string;
  /** Of requests to the provider: RFC 8707; `null` if it needs none. */
  readonly resource: string | null;
  /** IANA name: in which the service counts days and months. */
  readonly timeZone: string;
  /** Of the largest file that the service takes. */
  readonly uploadMaxBytes: number;
  /** What uploads may be. */
  readonly inputFormats: readonly InputFormat[];
  /** The service accepts no changes. */
  readonly readOnly: boolean;
  /** That the service asks for; `null` if it asks for none. */
  readonly scopes: {
    readonly write: string | null;
    readonly delete: string | null;
    readonly publish: string | null;
  };
  /** Names can have a public address. */
  readonly publishNames: boolean;
  /** Days for which deleted pictures are in the trash; 0 if there is none. */
  readonly trashDays: number;
  /** What the service makes of every upload, as in 320:webp. */
  readonly prerender: readonly string[];
  /** The name of the catalog; `null` if the operator has given it none. */
  readonly title: string | null;
}

export async function loadWebConfig(): Promise<WebConfig> {
  const response = await fetch('./config.json');
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return (await response.json()) as WebConfig;
}
