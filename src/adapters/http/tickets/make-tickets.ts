import * as z from 'zod';
import { InvalidMetadata } from '../../../domain/errors.ts';
import { checkPatch } from '../../../domain/image/check-patch.ts';
import type { MetadataPatch } from '../../../domain/image/image-metadata.ts';
import {
  DEFAULT_TICKET_SECONDS,
  MAX_TICKET_SECONDS,
  MAX_TICKETS,
  MIN_TICKET_SECONDS,
} from '../../../domain/ticket/ticket.ts';
import { pathNotFound, RequestError } from '../errors/request-error.ts';
import { metadataPatch } from '../metadata/metadata-body.ts';
import { wholeNumberField } from '../request/whole-number-field.ts';
import { route } from '../route/route.ts';

/** The URL of a ticket holds it, and proxies take about 8 KB. */
const MAX_METADATA_BYTES = 2_000;

const METADATA = `an object of at most ${MAX_METADATA_BYTES} bytes`;

/** @param maxFileBytes of an upload */
function ticketsBody(maxFileBytes: number) {
  return z.strictObject({
    count: wholeNumberField(1, MAX_TICKETS).default(1).describe('Tickets to make.'),
    maxBytes: wholeNumberField(1, maxFileBytes)
      .default(maxFileBytes)
      .describe('Of the file that a ticket takes.'),
    metadata: metadataPatch
      .refine(isShort, METADATA)
      .optional()
      .describe(`Of the image, as the field of an upload: at most ${MAX_METADATA_BYTES} bytes of JSON.`),
    ttlSeconds: wholeNumberField(MIN_TICKET_SECONDS, MAX_TICKET_SECONDS)
      .default(DEFAULT_TICKET_SECONDS)
      .describe('How long the tickets are good.'),
  });
}

function isShort(metadata: object): boolean {
  return Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES;
}

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
      schema: ticketsBody(maxFileBytes),
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
        json: madeTickets,
        example: {
          expiresAt: '2026-01-31T12:15:00.000Z',
          urls: [
            'http://localhost:3002/u/8p0r5hWn1iXkqk0S3bJbYzvQbB0m7mQm3cX0T2b3vY7l2mVf8hY9yq8n5cW1d0Zb6kJxT4uQ',
          ],
        },
      },
    },
    errors: links ? [] : ['not_found'],
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
