import { FORM_TYPE } from '../fixtures/multipart.ts';
import { type RawConnection, type RawResponse, requestHead } from './raw-connection.ts';

/** An upload whose body was not sent. */
export interface BegunUpload {
  readonly connection: RawConnection;
  /** 100 if the body is requested, otherwise the error. */
  readonly first: RawResponse;
}

/** Sends the head of an upload, which waits for 100 Continue. */
export async function beginUpload(
  to: { connect(): Promise<RawConnection> },
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): Promise<BegunUpload> {
  const connection = await to.connect();
  const usual = { 'Content-Type': FORM_TYPE, 'Content-Length': 1_000, Expect: '100-continue' };
  connection.send(requestHead('POST', path, { ...usual, ...headers }));
  return { connection, first: await connection.response() };
}

/** `100`, or the status and the code of the error. */
export function outcomeOf({ status, body }: RawResponse): string {
  return status === 100 ? '100' : `${status} ${(JSON.parse(body) as { readonly code: string }).code}`;
}
