import type { MakeTickets } from '../../../application/tickets/make-tickets.ts';
import { InvalidMetadata } from '../../../domain/errors.ts';
import { checkPatch, type MetadataPatch } from '../../../domain/image/metadata.ts';
import { pathNotFound } from '../middleware/refuse-unrouted.ts';
import type { Handler } from '../openapi/operation.ts';
import { RequestError } from '../request-error.ts';
import type { makeTicketsOperation } from './ticket-operations.ts';

/** @param webUrl of the web listener, with a slash at its end; `undefined` if no listener takes tickets */
export function makeTicketsHandler(
  makeTickets: MakeTickets,
  webUrl: (() => string) | undefined,
): Handler<ReturnType<typeof makeTicketsOperation>> {
  return async ({ ctx, space, body }) => {
    if (webUrl === undefined) throw pathNotFound();
    const { metadata, ...request } = body();
    const { expiresAt, tickets } = await makeTickets.execute({
      ...request,
      metadata: metadata && checkMetadata(metadata),
      space,
      by: ctx.state.actor,
    });
    const base = webUrl();
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: { expiresAt: expiresAt.toISOString(), urls: tickets.map((ticket) => `${base}u/${ticket}`) },
    };
  };
}

/** @throws {RequestError} */
function checkMetadata(metadata: MetadataPatch): MetadataPatch {
  try {
    return checkPatch(metadata);
  } catch (error) {
    if (!(error instanceof InvalidMetadata)) throw error;
    throw new RequestError('invalid_request', `Field "metadata.${error.field}" ${error.rule}`);
  }
}
