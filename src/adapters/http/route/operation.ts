import type { Context } from 'koa';
import type * as z from 'zod';
import type { Name } from '../../../domain/name/name.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { ErrorCode } from '../errors/errors.ts';
import type { JsonText } from '../response/send-json.ts';
import type { HttpSettings, Scopes } from './http-settings.ts';

/** The settings that operations depend on. */
export interface OperationSettings extends Pick<HttpSettings, 'upload' | 'renditions'> {
  /** Whether originals are sent by redirects to the store. */
  readonly redirects: boolean;
  /** Whether a listener serves signed links and takes tickets. Without one their operations are 404, and stay in the document. */
  readonly links: boolean;
}

/**
 * One entry of the table of operations. The route, its checks, the types of its handler and its part of the document come
 * from it. `GET` implies `HEAD`.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As the router takes it. `:id` is the id of an image, `:name` a name. */
  readonly path: string;
  /** The scope that the caller needs, if it is configured; `public` needs no token. */
  readonly access: 'public' | Exclude<keyof Scopes, 'allSpaces'>;
  /** For operations that concern no image. */
  readonly needsNoSpace?: true;
  /** Concerns all spaces: it needs the scope for all of them as well, and no space of the token. */
  readonly spansSpaces?: true;
  /** Refused while the catalog is read-only. */
  readonly changesCatalog?: true;
  readonly tag: 'Images' | 'Metadata' | 'Bytes' | 'Names' | 'Trash' | 'Service';
  readonly summary: string;
  readonly description: string;
  /** Without it, every query parameter is refused. */
  readonly query?: z.ZodObject;
  /** For the document: handlers check headers themselves, because conditions never fail. */
  readonly requestHeaders?: z.ZodObject;
  readonly json?: JsonRequest;
  readonly form?: FormRequest;
  readonly responses: Readonly<Record<number, DeclaredResponse>>;
  /** Besides those that follow from the rest of the entry: see `errorsOf`. */
  readonly errors?: readonly ErrorCode[];
}

export interface JsonRequest {
  /** Lower case. */
  readonly mediaType?: string;
  readonly schema: z.ZodObject;
  readonly maxBytes?: number;
  readonly example: unknown;
}

/** Of requests that say nothing else. */
export const JSON_REQUEST = { mediaType: 'application/json', maxBytes: 256 * 1024 } as const;

export interface FormRequest {
  readonly description: string;
  /** The schema of the optional field `metadata`. */
  readonly metadata: z.ZodObject;
}

/** At most one of `json` and `text`. */
export interface DeclaredResponse {
  readonly description: string;
  /** The value of `Cache-Control`, which is sent with the response; by default that of JSON is `no-store`. */
  readonly cache?: string | undefined;
  /** Besides those of every response, and `Cache-Control`. */
  readonly headers?: z.ZodObject;
  readonly json?: z.ZodType;
  /** The handler may give the JSON as text. */
  readonly isEncoded?: true;
  readonly text?: true;
  /** Media types of bytes, which the handler writes to the context itself. */
  readonly bytes?: readonly string[];
  /** Server-Sent Events, which the handler writes to the context itself. */
  readonly events?: { readonly description: string; readonly example: string };
  readonly example?: unknown;
}

export interface Input<O extends Operation> {
  readonly ctx: Context;
  /** The space that the operation reads and changes, from the token or the header `Space`. */
  readonly space: O extends
    | { readonly access: 'public' }
    | { readonly needsNoSpace: true }
    | { readonly spansSpaces: true }
    ? undefined
    : Space;
  readonly query: O extends { readonly query: infer Query extends z.ZodObject } ? z.output<Query> : undefined;
  readonly id: O['path'] extends `${string}/:id${string}` ? number : undefined;
  readonly name: O['path'] extends `${string}/:name${string}` ? Name : undefined;
  /** Parses the received body: call it after the checks that the contract puts before it. */
  readonly body: O extends { readonly json: { readonly schema: infer Body extends z.ZodObject } }
    ? () => z.output<Body>
    : undefined;
}

/** A status with what its response declares. `undefined` if the handler has written the bytes itself. */
export type Reply<O extends Operation> = O['responses'] extends infer Responses
  ? { readonly [Status in keyof Responses]: ReplyWith<Status, Responses[Status]> }[keyof Responses]
  : never;

type ReplyWith<Status, Response> =
  | ({ readonly status: Status } & HeadersOf<Response> & BodyOf<Response>)
  | (Response extends { readonly bytes: readonly string[] } | { readonly events: object }
      ? undefined
      : never);

type HeadersOf<Response> = Response extends { readonly headers: infer Headers extends z.ZodObject }
  ? { readonly headers: z.output<Headers> }
  : { readonly headers?: never };

type BodyOf<Response> = Response extends { readonly json: infer Json extends z.ZodType }
  ? {
      readonly body:
        | Immutable<z.output<Json>>
        | (Response extends { readonly isEncoded: true } ? JsonText : never);
    }
  : Response extends { readonly text: true }
    ? { readonly body: string }
    : { readonly body?: never };

export type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;

export type Handler<O extends Operation> = (input: Input<O>) => Promise<Reply<O>>;
