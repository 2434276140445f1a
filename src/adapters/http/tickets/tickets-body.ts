import * as z from 'zod';
import {
  DEFAULT_TICKET_SECONDS,
  MAX_TICKET_SECONDS,
  MAX_TICKETS,
  MIN_TICKET_SECONDS,
} from '../../../domain/ticket/ticket.ts';
import { metadataPatch } from '../metadata/metadata-body.ts';
import { wholeNumberField } from '../request/whole-number-field.ts';

/** The URL of a ticket holds it, and proxies take about 8 KB. */
const MAX_METADATA_BYTES = 2_000;

const METADATA = `an object of at most ${MAX_METADATA_BYTES} bytes`;

/** @param maxFileBytes of an upload */
export function ticketsBody(maxFileBytes: number) {
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
