import type { ReceivedFile } from '../../../application/upload/incoming-file.ts';
import { acceptedTypeOf } from '../../../domain/image/accepted-type-of.ts';
import { checkPatch } from '../../../domain/image/check-patch.ts';
import type { MetadataPatch } from '../../../domain/image/image-metadata.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import { parseOriginalName } from '../../../domain/image/parse-original-name.ts';
import type { StagedFile, StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import { RequestError } from '../errors/request-error.ts';
import { metadataPatch } from '../metadata/metadata-body.ts';
import { parseJson, quote } from '../request/parse-json.ts';
import { freeingChunks } from './freeing-chunks.ts';

const FILE_FIELD = 'file';
const METADATA_FIELD = 'metadata';
const METADATA_SUBJECT = `Field "${METADATA_FIELD}"`;
/** Parts that the message about a missing file names. */
const MAX_NAMED_PARTS = 5;
/** Besides the file. */
export const MAX_OTHER_FIELDS = 20;
export const MAX_OTHER_FIELDS_BYTES = 64 * 1024;

export interface FormRules {
  /** A file of exactly this size passes. */
  readonly maxFileBytes: number;
  /** By the first bytes. */
  readonly acceptedTypes: readonly MediaType[];
  /** Whether the form may have the field `metadata`. */
  readonly takesMetadata: boolean;
}

export type FormFile = Omit<ReceivedFile, keyof AsyncDisposable>;

interface FormPart {
  readonly fieldname: string;
  readonly originalname: string;
}

interface FormField {
  readonly name: string | undefined;
  /** `undefined` if its charset is unknown. */
  readonly value: string | undefined;
  readonly isTruncated: boolean;
}

/** Owns the staged file until `discard`. */
export class UploadForm {
  private fileParts = 0;
  private fieldBytes = 0;
  private readonly otherParts: string[] = [];
  private originalName: string | undefined;
  private mediaType: MediaType | undefined;
  private metadata: MetadataPatch | undefined;
  private receiving: Promise<StagedFile> | undefined;

  constructor(
    private readonly staging: Pick<StagingArea, 'receive'>,
    private readonly rules: FormRules,
  ) {}

  /**
   * A part without a file name is not a file.
   *
   * @throws {RequestError | InvalidOriginalName}
   */
  accepts({ fieldname, originalname }: FormPart): boolean {
    const name = parseOriginalName(originalname);
    if (fieldname !== FILE_FIELD || name === undefined) this.otherParts.push(describePart(fieldname, name));
    if (name === undefined) return false;
    this.fileParts += 1;
    if (this.fileParts > 1) throw new RequestError('too_many_files', 'The form has more than one file part');
    this.originalName = name;
    return fieldname === FILE_FIELD;
  }

  async receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { maxFileBytes: maxBytes, acceptedTypes } = this.rules;
    const checkHead = (head: Uint8Array): void => {
      this.mediaType = acceptedTypeOf(head, acceptedTypes);
    };
    this.receiving = this.staging.receive(bytes, { maxBytes, checkHead }, freeingChunks());
    await this.receiving;
  }

  /** @throws {RequestError | InvalidMetadata} */
  addField({ name, value, isTruncated }: FormField): void {
    this.fieldBytes += Buffer.byteLength(value ?? '');
    // The bytes of an image arrive as a field if its part has no file name.
    const isFile = name === FILE_FIELD;
    this.otherParts.push(isFile ? describePart(name) : `field ${quote(name ?? '')}`);
    if (isTruncated || this.fieldBytes > MAX_OTHER_FIELDS_BYTES) {
      throw isFile ? this.fileRequired() : tooManyFields();
    }
    if (name === METADATA_FIELD) this.addMetadata(value ?? '');
  }

  private addMetadata(json: string): void {
    if (!this.rules.takesMetadata) {
      throw new RequestError(
        'invalid_request',
        `${METADATA_SUBJECT} is not known: the ticket has the metadata`,
      );
    }
    if (this.metadata !== undefined) {
      throw new RequestError('invalid_request', `The form has more than one field "${METADATA_FIELD}"`);
    }
    this.metadata = checkPatch(parseJson(Buffer.from(json), metadataPatch, METADATA_SUBJECT));
  }

  /** @throws {RequestError} */
  async file(): Promise<FormFile> {
    const staged = await this.receiving;
    if (staged === undefined || this.originalName === undefined) throw this.fileRequired();
    // The head of an empty file is never checked.
    if (this.mediaType === undefined) throw new RequestError('file_required', 'The file is empty');
    const { originalName, mediaType, metadata } = this;
    return { originalName, mediaType, staged, metadata };
  }

  private fileRequired(): RequestError {
    const named = this.otherParts.slice(0, MAX_NAMED_PARTS).join(', ');
    const more = this.otherParts.length - MAX_NAMED_PARTS;
    const received = named === '' ? ' no parts' : `: ${named}${more > 0 ? ` and ${more} more` : ''}`;
    return new RequestError(
      'file_required',
      `A file part named "${FILE_FIELD}" with a file name is required. The form has${received}`,
    );
  }

  /** Keeps a file that has become a blob; waits for one that is still being written. Never rejects. */
  async discard(): Promise<void> {
    const staged = await this.receiving?.catch(() => undefined);
    await staged?.discard();
  }
}

function describePart(fieldName: string, fileName?: string): string {
  return fileName === undefined
    ? `part ${quote(fieldName)} without a file name`
    : `file part ${quote(fieldName)}`;
}

export function tooManyFields(): RequestError {
  return new RequestError(
    'invalid_request',
    `The form has more than ${MAX_OTHER_FIELDS} fields or ${MAX_OTHER_FIELDS_BYTES} bytes besides the file`,
  );
}
