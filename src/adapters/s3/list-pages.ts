import type { EncodingType, ListObjectsV2CommandInput, ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import type { S3Sdk } from './s3-connection.ts';

/** Names are encoded: foreign keys may have characters that XML cannot hold. */
export async function* listPages(
  { sdk, client }: S3Sdk,
  request: ListObjectsV2CommandInput,
  requestTimeout: number,
): AsyncGenerator<ListObjectsV2CommandOutput, void, undefined> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new sdk.ListObjectsV2Command({ ...request, EncodingType: 'url', ContinuationToken }),
      { requestTimeout },
    );
    yield page;
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}

/** Not every server encodes names on request. */
export function decodedName(name: string, encoding: EncodingType | undefined): string {
  return encoding === 'url' ? decodeURIComponent(name.replaceAll('+', ' ')) : name;
}
