import type { MediaType } from '../../../domain/image/media-type.ts';
import type { Rendition } from '../../../domain/image/rendition.ts';

/** `undefined` if no scope is needed. */
export interface Scopes {
  readonly read?: string | undefined;
  readonly write?: string | undefined;
  readonly delete?: string | undefined;
  readonly publish?: string | undefined;
  /** For tokens that may act in every space; `undefined`: none may. */
  readonly allSpaces?: string | undefined;
}

/** How originals are sent. */
export type Delivery =
  | { readonly kind: 'service' | 'bucket' }
  | { readonly kind: 'nginx'; readonly prefix: string; readonly blobFolder: string };

export interface HttpSettings {
  readonly delivery: Delivery;
  readonly idp: { readonly domain: string; readonly issuer: string; readonly audience: string };
  /** The gallery at the identity provider. */
  readonly web: {
    readonly clientId: string | undefined;
    readonly scope: string;
    /** `resource` of its requests to the identity provider: RFC 8707. */
    readonly resource: string | undefined;
    /** Origins of the identity provider besides that of the issuer. */
    readonly connectOrigins: readonly string[];
    /** The name of the catalog, for people. */
    readonly title: string | undefined;
  };
  /** `*`: all. */
  readonly corsOrigins: '*' | readonly string[];
  /** In which caches look for the tags of responses; `undefined`: there are none. */
  readonly cacheTagHeader: string | undefined;
  readonly scopes: Scopes;
  /** Whether names can have public addresses. */
  readonly publishNames: boolean;
  /** The claim that names the space of a token; `undefined`: all tokens use the common space. */
  readonly spaceClaim: string | undefined;
  /** IANA name: in which the catalog counts days and months. */
  readonly timeZone: string;
  readonly readOnly: boolean;
  /** 0: deleted images are gone at once. */
  readonly trashDays: number;
  /** Whether records and the feed of changes name who has made them. */
  readonly recordActor: boolean;
  /** `undefined` if there is no management listener. */
  readonly management: { readonly host: string } | undefined;
  readonly upload: {
    /** A file of exactly this many bytes passes. */
    readonly maxBytes: number;
    /** Of a still picture, or of the canvas of an animation. */
    readonly maxPixels: number;
    /** Of all frames of an animation together. */
    readonly maxFramePixels: number;
    /** What uploads may be. */
    readonly acceptedTypes: readonly MediaType[];
    readonly concurrency: number;
    /** In milliseconds. */
    readonly stallTimeoutMs: number;
  };
  readonly renditions: {
    /** In pixels. */
    readonly sizes: readonly number[];
    /** Made after each upload. */
    readonly prerendered: readonly Rendition[];
  };
}
