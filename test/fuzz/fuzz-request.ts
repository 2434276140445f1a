import type { PictureName } from './fuzz-pictures.ts';

export type Pair = readonly [name: string, value: string];

/** A request as generated: small, printable, and independent of what the service holds when it is sent. */
export interface FuzzRequest {
  readonly operationId: string;
  readonly method: string;
  /** With its templates, such as `{id}`. */
  readonly path: string;
  /** Of the images that there are, from the oldest (0) to the newest (1); or the text of the id. */
  readonly id: number | string;
  readonly name: string;
  readonly query: readonly Pair[];
  /** `{target}` stands for the path with its query. */
  readonly target: string;
  readonly version: string;
  readonly token: FuzzToken;
  readonly headers: readonly Pair[];
  readonly body: FuzzBody;
  readonly delivery: Delivery;
  /** What was changed of a request that the document allows. */
  readonly mutation: string | undefined;
  /** Statuses that the mutation allows; `undefined` for every declared one. */
  readonly expected: readonly number[] | undefined;
}

export type Mutation = (request: FuzzRequest) => FuzzRequest;

/** The value of `Authorization`; the first two are valid. */
export interface FuzzToken {
  readonly kind: 'valid' | 'lower-case scheme' | 'missing' | 'altered' | 'any text';
  /** For kinds with a text. */
  readonly text: string;
}

export type FuzzBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | {
      readonly kind: 'form';
      readonly mediaType: string;
      /** Of its only part: the fuzz of the reader of forms has any other. */
      readonly headers: readonly string[];
      readonly picture: PictureName;
      readonly isCut: boolean;
    };

export type Framing =
  | 'length'
  | 'chunked'
  | 'chunked with extensions and trailers'
  | 'chunked without an end'
  | 'chunked with a bad size'
  | 'a length too small'
  | 'a length too large'
  | 'an enormous length'
  | 'no length'
  | 'a length that is not a number'
  | 'two lengths'
  | 'a length and chunked'
  | 'an unknown coding';

export interface Delivery {
  readonly framing: Framing;
  /** The number of writes for the body. */
  readonly pieces: number;
  /** The client does this after it has sent the fraction `sent` of all bytes. */
  readonly ending: 'stays' | 'ends' | 'resets';
  /** 0 to 1. */
  readonly sent: number;
}
