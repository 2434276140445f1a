import * as z from 'zod';
import { InvalidMetadata } from '../../../domain/errors.ts';
import { checkPatch, type MetadataPatch } from '../../../domain/image/image-metadata.ts';
import { pathNotFound, RequestError } from '../errors/request-error.ts';
import { route } from '../route/route.ts';
import { ticketsBody } from './tickets-body.ts';

const MAX_TICKETS_BYTES = 256 * 1024;

const madeTickets = z
  .object({
    expiresAt: z.string().meta({ format: 'date-time', description: 'Of all tickets, in UTC.' }),
    urls: z
      .array(z.string().meta({ format: 'uri' }))
      .describe('As many as asked for: each takes one upload, without a token.'),
  })
  .meta({ id: 'UploadTickets' });

export const makeTickets = route(
  ({ upload: { maxBytes: maxFileBytes }, links }) => ({
    method: 'post',
    path: '/api/uploads/tickets',
    access: 'write',
    tag: 'Images',
    summary: 'Make tickets for uploads without a token',
    description:
      'A ticket is a URL. Until it expires, its holder can `POST` the form of an upload to it, once: the same bytes again return the same image. The image is of the space and the user of the token that made the ticket. See docs/tickets.md. A service with neither `WEB_PORT` nor `WEB_URL` takes no tickets: 404 `not_found`.',
    json: {
      mediaType: 'application/json',
      schema: ticketsBody(maxFileBytes),
      maxBytes: MAX_TICKETS_BYTES,
      example: {
        count: 1,
        maxBytes: Math.min(10_000_000, maxFileBytes),
        metadata: { tags: ['guest'] },
        ttlSeconds: 900,
      },
    },
    responses: {
      200: {
        description: 'The tickets.',
        cache: 'no-store',
        json: madeTickets,
        example: {
          expiresAt: '2026-01-31T12:15:00.000Z',
          urls: [
            'http://localhost:3002/u/8p0r5hWn1iXkqk0S3bJbYzvQbB0m7mQm3cX0T2b3vY7l2mVf8hY9yq8n5cW1d0Zb6kJxT4uQ',
          ],
        },
      },
    },
    errors: ['storage_unavailable', ...(links ? [] : (['not_found'] as const))],
  }),
  async ({ ctx, space, body }, { makeTickets, webUrl }) => {
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
      body: { expiresAt: expiresAt.toISOString(), urls: tickets.map((ticket) => `${base}u/${ticket}`) },
    };
  },
  ['makeTickets', 'webUrl'],
);

/** @throws {RequestError} */
function checkMetadata(metadata: MetadataPatch): MetadataPatch {
  try {
    return checkPatch(metadata);
  } catch (error) {
    if (!(error instanceof InvalidMetadata)) throw error;
    throw new RequestError('invalid_request', `Field "metadata.${error.field}" ${error.rule}`);
  }
}
