import type { PictureName } from '../fuzz-pictures.ts';

export type Pair = readonly [name: string, value: string];

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'form'; readonly picture: PictureName; readonly field: string; readonly isCut: boolean };

export interface DescribedRequest {
  readonly operationId: string;
  readonly method: string;
  /** With its templates, such as `{id}`. */
  readonly path: string;
  /** Of the images that there are, from the oldest (0) to the newest (1); or the text of the id. */
  readonly id: number | string;
  readonly name: string;
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly body: RequestBody;
  readonly token: 'good' | 'none' | 'bad';
  /** What was changed of a request that the document allows. */
  readonly mutation: string | undefined;
  /** Statuses that the mutation allows; `undefined` for every declared one. */
  readonly expected: readonly number[] | undefined;
}
