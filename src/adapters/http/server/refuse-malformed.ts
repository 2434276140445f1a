import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '../error-table.ts';
import { closeInStages } from './lingering-close.ts';

/** With a body in JSON, for which Node would send none. */
export function refuseMalformed(response: ServerResponse, requestId: string): void {
  const { status, headers, body } = refusal(undefined, requestId);
  response.writeHead(status, headers).end(body);
}

/** The application never sees such a request: it is not HTTP, or incomplete. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  const { status, headers, body } = refusal(error.code, requestId);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const response = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
  closeInStages(socket, response);
}

interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function refusal(errorCode: string | undefined, requestId: string): Refusal {
  const { status, code, message } = refusalOf(errorCode);
  const body = JSON.stringify({ code, message });
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
  };
  return { status, headers, body };
}

function refusalOf(errorCode: string | undefined): { status: number; code: ErrorCode; message: string } {
  switch (errorCode) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'request_timeout', message: 'The request did not arrive in time' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'invalid_request', message: 'The request headers are too large' };
    default:
      return { status: 400, code: 'invalid_request', message: 'The request is not well-formed HTTP' };
  }
}
