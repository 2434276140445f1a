import {
  type ClientRequest,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from 'node:http';
import { Agent, type AgentOptions, request as overHttps } from 'node:https';

/**
 * The headers of the response to a request of our own. `fetch` would load undici, which takes 40 ms of each start, and reads some
 * of the body. Redirects are not followed.
 *
 * @param send ends the request
 */
export function responseTo(
  url: string,
  options: RequestOptions,
  send: (request: ClientRequest) => void,
): Promise<IncomingMessage> {
  const isSecure = /^https:/i.test(url);
  const requestTo = isSecure ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    // A pooled connection fails if the server closes it at the moment it is used again.
    const request = requestTo(url, { ...options, agent: isSecure ? agentForOne() : false })
      .once('response', resolve)
      .on('error', reject)
      // Without an error after an upgrade.
      .once('close', () => reject(new Error('The connection was closed')));
    send(request);
  });
}

/** An agent that keeps no connection. It uses the proxy of `HTTPS_PROXY` (except for `NO_PROXY`) in Node.js 22.21, 24.5 and later. */
function agentForOne(): Agent {
  const options: AgentOptions & { readonly proxyEnv: NodeJS.ProcessEnv } = { proxyEnv: process.env };
  return new Agent(options);
}
