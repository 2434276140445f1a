import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/*
 * Replaces `destroySoon` of a socket of Node.js (20 to 24). `node:http` calls it when the last response of a connection is written, and
 * it closes the socket although the client still sends a body. Unnecessary when `node:http` waits for such a client, or has an event
 * before it closes the socket.
 */

/** How much, and for how long, a client may still send after its response. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER_MS = 1_000;

/**
 * RFC 9112, section 9.6. Closing a socket while bytes arrive resets it, and the client's write fails before it reads the
 * response.
 */
export function closeInStages(socket: Socket, lastResponse = ''): void {
  const limit = socket.bytesRead + LINGER_BYTES;
  const timeout = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timeout));
  socket.removeAllListeners('data');
  socket.on('data', () => {
    if (socket.bytesRead > limit) socket.destroy();
  });
  socket.end(lastResponse);
}

/** For a request with a body whose response ends before the body has arrived: closes its connection in stages. */
export function lingerOnClose(request: IncomingMessage): void {
  const { socket } = request;
  socket.destroySoon = (): void => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else closeInStages(socket);
  };
}
