import { FileTooLarge } from '../../../domain/errors.ts';
import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import type { Operation } from '../route/operation.ts';
import { HEADER_REFERENCES } from './header-objects.ts';

/** The errors that follow from an entry of the table, and those that it names. */
function errorsOf(operation: Operation): readonly ErrorCode[] {
  const { access, needsNoSpace, path, json, changesCatalog, errors } = operation;
  const codes: readonly (ErrorCode | false)[] = [
    'invalid_request',
    access !== 'public' && 'credentials_required',
    access !== 'public' && 'invalid_token',
    access !== 'public' && 'insufficient_scope',
    access !== 'public' && needsNoSpace !== true && 'space_missing',
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

interface ErrorResponseObject {
  readonly status: number;
  /** The name of the component: equal for operations with the same errors of this status. */
  readonly name: string;
  readonly response: object;
}

/** One response for each status. */
export function errorResponsesOf(operation: Operation): readonly ErrorResponseObject[] {
  const codes = errorsOf(operation);
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const ofStatus = codes.filter((code) => ERRORS[code].status === status).sort();
    return {
      status,
      name: `${ofStatus.map(pascalCase).join('Or')}${namesPatchType(ofStatus, operation) ? 'OfPatch' : ''}`,
      response: responseOf(ofStatus, operation),
    };
  });
}

function namesPatchType(codes: readonly ErrorCode[], { method }: Operation): boolean {
  return method === 'patch' && codes.includes('unsupported_media_type');
}

function responseOf(codes: readonly ErrorCode[], operation: Operation): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].when}`).join('\n\n'),
    headers: headersOf(codes, operation),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', enum: codes, description: 'For programs.' },
            message: { type: 'string', description: 'For people; it may change.' },
          },
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { code, message: messageOf(code, operation) } }]),
        ),
      },
    },
  };
}

function headersOf(codes: readonly ErrorCode[], operation: Operation): object {
  const names: ReadonlyArray<keyof typeof HEADER_REFERENCES> = [
    'every',
    ...codes.flatMap((code) => ERRORS[code].headers ?? []),
    ...(namesPatchType(codes, operation) ? (['patch'] as const) : []),
  ];
  return Object.fromEntries(names.flatMap((name) => Object.entries(HEADER_REFERENCES[name])));
}

function messageOf(code: ErrorCode, { form }: Operation): string {
  if (code === 'file_too_large' && form !== undefined) return new FileTooLarge(form.maxFileBytes).message;
  return ERRORS[code].message;
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
