/**
 * @param nobodyWaits is aborted when the last caller leaves
 * @param tell gives the callers their result before the work has ended; who joins it until then has it at once
 */
export type Work<T> = (nobodyWaits: AbortSignal, tell: (result: T) => void) => Promise<T>;

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that several callers ask for at the same time and that is done once for all of them. */
export class SharedWork<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /**
   * Joins the work of this key, or begins it. A caller that leaves does not stop what others wait for; when the last one
   * leaves, the signal that the work was given says so. Work that goes on nevertheless can still be joined.
   *
   * @throws what the work throws; the reason of `leaving` once that is aborted
   */
  async join(key: string, begin: Work<T>, leaving: AbortSignal): Promise<T> {
    leaving.throwIfAborted();
    const flight = this.flights.get(key) ?? this.begin(key, begin);
    try {
      return await waitFor(flight, leaving);
    } catch (error) {
      // It had been given up, and was taken back, just when this caller came.
      const { signal } = flight.controller;
      if (!signal.aborted || error !== signal.reason) throw error;
      return await this.join(key, begin, leaving);
    }
  }

  private begin(key: string, begin: Work<T>): Flight<T> {
    const controller = new AbortController();
    const land = (): void => void this.flights.delete(key);
    const result = new Promise<T>((resolve, reject) => {
      const work = begin(controller.signal, resolve);
      work.then(land, land);
      work.then(resolve, reject);
    });
    const flight: Flight<T> = { controller, waiting: 0, result };
    this.flights.set(key, flight);
    return flight;
  }
}

async function waitFor<T>(flight: Flight<T>, leaving: AbortSignal): Promise<T> {
  flight.waiting += 1;
  return await new Promise<T>((resolve, reject) => {
    const leave = (): void => {
      reject(leaving.reason as Error);
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.controller.abort();
    };
    leaving.addEventListener('abort', leave, { once: true });
    flight.result.then(resolve, reject).finally(() => leaving.removeEventListener('abort', leave));
  });
}
