import { networkError } from './catalog-error.ts';

/** An incomplete body is an error of the network. */
export async function bodyOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw networkError(error);
  }
}
