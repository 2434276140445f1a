import { MulterError } from 'multer';
import { DomainError, FileTooLarge } from '../../../domain/errors.ts';
import { RequestError } from '../request-error.ts';
import { tooManyFields } from './upload-form.ts';

/** busboy's errors have no code. */
export function formError(error: unknown, maxFileBytes: number): unknown {
  if (error instanceof DomainError || error instanceof RequestError) return error;
  if (error instanceof MulterError) return multerError(error, maxFileBytes);
  if (error instanceof Error && error.constructor === Error && !('code' in error)) {
    return malformedForm(error);
  }
  return error;
}

export function malformedForm(cause?: Error): RequestError {
  return new RequestError('invalid_request', 'The multipart form is malformed or incomplete', {}, { cause });
}

function multerError(error: MulterError, maxFileBytes: number): Error {
  switch (error.code) {
    case 'LIMIT_FILE_SIZE':
      return new FileTooLarge(maxFileBytes);
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_PART_COUNT':
      return tooManyFields();
    default:
      return new RequestError('invalid_request', `The multipart form is not acceptable: ${error.message}`);
  }
}
