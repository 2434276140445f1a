import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** What a client may still send after its answer before its connection is cut, and for how long. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 1_000;

/**
 * Closes a connection in stages (RFC 9112, section 9.6). A socket that is closed while bytes come in is reset, and the
 * reset makes the client's writing fail before it has read why. Instead, the last answer is followed by an end, and what
 * still comes is thrown away for a moment; none of it is a request.
 */
export function closeInStages(socket: Socket, lastAnswer = ''): void {
  const limit = socket.bytesRead + LINGER_BYTES;
  const patience = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(patience));
  socket.removeAllListeners('data');
  socket.on('data', () => {
    if (socket.bytesRead > limit) socket.destroy();
  });
  socket.end(lastAnswer);
}

/** Lets the connection of a request with a body close in stages where it is answered before the body has come. */
export function lingerOnClose(request: IncomingMessage): void {
  const { headers, socket } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  // What Node calls once the last answer of a connection is written.
  socket.destroySoon = (): void => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else closeInStages(socket);
  };
}
