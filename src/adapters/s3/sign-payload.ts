import type { PutObjectCommand } from '@aws-sdk/client-s3';

/** Known before the stream is read (SigV4, "x-amz-content-sha256"). */
export function signPayload({ middlewareStack }: PutObjectCommand, sha256: string): void {
  middlewareStack.add(
    (next) => async (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> };
      headers['x-amz-content-sha256'] = sha256;
      return await next(args);
    },
    { step: 'build' },
  );
}
