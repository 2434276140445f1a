import * as z from 'zod';
import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import type { DeclaredResponse, Operation } from '../route/operation.ts';

/** The errors that follow from an entry of the table, and those that it names. */
function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { access, needsNoSpace, spansSpaces, path, json, changesCatalog, errors = [] } = operation;
  const usesCatalog = access !== 'public' && needsNoSpace !== true;
  const codes: readonly (ErrorCode | false)[] = [
    'invalid_request',
    access !== 'public' && 'credentials_required',
    access !== 'public' && 'invalid_token',
    access !== 'public' && 'insufficient_scope',
    usesCatalog && spansSpaces !== true && 'space_missing',
    usesCatalog && 'storage_unavailable',
    path.includes('/:id') && 'image_not_found',
    json !== undefined && 'request_timeout',
    json !== undefined && 'request_too_large',
    json !== undefined && 'unsupported_media_type',
    changesCatalog === true && 'read_only',
    'internal_error',
    ...errors,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

interface ErrorResponse {
  readonly status: number;
  /** The name of the component: equal for operations with the same errors of this status. */
  readonly name: string;
  readonly response: DeclaredResponse;
}

/** One response for each status. */
export function errorResponsesOf(operation: Operation): readonly ErrorResponse[] {
  const codes = errorsOf(operation);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const ofStatus = codes.filter((code) => ERRORS[code].status === status).sort();
    return { status, name: ofStatus.map(pascalCase).join('Or'), response: responseOf(ofStatus) };
  });
}

const NOT_STORED = {
  'Cache-Control': z.literal('no-store').optional().describe('If the request has the header `Space`.'),
};

function responseOf(codes: readonly ErrorCode[]): DeclaredResponse {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
    headers: z.object(Object.assign({}, NOT_STORED, ...codes.map((code) => ERRORS[code].headers))),
    json: z.object({
      code: z.enum(codes).describe('For programs.'),
      message: z.string().describe('For people; it may change.'),
    }),
  };
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
