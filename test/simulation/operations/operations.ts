import { ARCHIVE } from './archives.ts';
import { BACKUP, TRANSFER } from './copies.ts';
import { BULK, PATCH } from './edits.ts';
import { EXPORT } from './exports.ts';
import { FOLLOW } from './feed.ts';
import { IMPORT } from './imports.ts';
import { LINK, PAGE } from './links.ts';
import { REINDEX, ROTATE, SWEEP, VERIFY } from './maintenance.ts';
import { READ_NAME, REMOVE_NAME, SET_NAME } from './names.ts';
import type { OperationKind } from './operation-kind.ts';
import { COPIES, LIST, READ, RENDITION, SIMILAR } from './reads.ts';
import { UPLOAD_BY_TICKET } from './tickets.ts';
import { ERASE, LIST_TRASH, RESTORE, TRASH } from './trash.ts';
import { DELETE, UPLOAD } from './uploads.ts';
import { DELIVER } from './webhooks.ts';

/** By the name in a schedule. */
export const OPERATIONS: ReadonlyMap<string, OperationKind> = new Map([
  ['upload', UPLOAD],
  ['upload by ticket', UPLOAD_BY_TICKET],
  ['delete', DELETE],
  ['trash', TRASH],
  ['restore', RESTORE],
  ['erase', ERASE],
  ['list trash', LIST_TRASH],
  ['set name', SET_NAME],
  ['remove name', REMOVE_NAME],
  ['read name', READ_NAME],
  ['patch', PATCH],
  ['bulk edit', BULK],
  ['read', READ],
  ['list', LIST],
  ['rendition', RENDITION],
  ['similar', SIMILAR],
  ['copies', COPIES],
  ['link', LINK],
  ['page', PAGE],
  ['archive', ARCHIVE],
  ['rotate', ROTATE],
  ['sweep', SWEEP],
  ['verify', VERIFY],
  ['reindex', REINDEX],
  ['backup', BACKUP],
  ['transfer', TRANSFER],
  ['import', IMPORT],
  ['export', EXPORT],
  ['follow', FOLLOW],
  ['deliver', DELIVER],
]);

export const WEIGHTS: ReadonlyMap<string, number> = new Map(
  [...OPERATIONS].map(([kind, { weight }]) => [kind, weight]),
);
